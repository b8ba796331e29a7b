/** The request for an access token by the client credentials grant (RFC 6749, section 4.4), and its reply. */
import { type Failure, failed, type Result, success, type UpstreamAnswer } from "../../errors.ts";
import type { Authentication } from "../../ir.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import {
  DEFAULT_TOKEN_LIFETIME_MS,
  MAX_QUOTED_CHARACTERS,
  MAX_TOKEN_REPLY_BYTES,
  TOKEN_TIMEOUT_MS,
} from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import { VERSION } from "../../version.ts";
import type { Credential, UpstreamReply, UpstreamRequest } from "../upstream/request.ts";
import { parseRetryAfter } from "../upstream/retry.ts";
import { base64 } from "./base64.ts";
import type { IssuedToken } from "./token-store.ts";

/** How a skill says that its secret buys tokens. */
export type ClientCredentials = Extract<Authentication, { method: "oauth2_client_credentials" }>;

/**
 * The request for a token. The client shows its secret in the Authorization header, where name and secret are each
 * written as forms write them before they are joined, or in the form itself (section 2.3.1).
 */
export function tokenRequest(
  { tokenUrl, clientId, scopes, audience, secretIn }: ClientCredentials,
  secret: string,
): { request: UpstreamRequest; credential: Credential } {
  const pair = base64(`${formText(clientId)}:${formText(secret)}`);
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes.length > 0) form.set("scope", scopes.join(" "));
  if (audience !== null) form.set("audience", audience);
  if (secretIn === "body") {
    form.set("client_id", clientId);
    form.set("client_secret", secret);
  }
  const headers = secretIn === "header" ? [["authorization", `Basic ${pair}`] as const] : [];
  return {
    request: {
      method: "POST",
      url: tokenUrl,
      headers: [
        ["accept", "application/json"],
        ["content-type", "application/x-www-form-urlencoded"],
        ["user-agent", `skillgate/${VERSION}`],
      ],
      body: form.toString(),
      timeoutMs: TOKEN_TIMEOUT_MS,
      maxResponseBytes: MAX_TOKEN_REPLY_BYTES,
    },
    credential: { headers, query: [], secrets: [secret, pair] },
  };
}

function formText(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** What can stand in an Authorization header (RFC 6749, appendix A.12, without the space, which ends a token there). */
const TOKEN = /^[\x21-\x7e]+$/;

/** Reads the reply of a token endpoint (sections 5.1 and 5.2). */
export function readToken(
  { tokenUrl, variable }: ClientCredentials,
  reply: UpstreamReply,
  now: number,
): Result<IssuedToken> {
  const { status } = reply;
  const body = isJsonObject(reply.body) ? reply.body : {};
  const refuse = (upstream: UpstreamAnswer): Result<IssuedToken> =>
    failed({ code: "TOKEN_REFUSED", host: hostOf(tokenUrl), variable, upstream });
  if (status === 408 || status === 429 || status >= 500) {
    const retryAfterMs = parseRetryAfter(reply.headers.get("retry-after") ?? "", now);
    return failed({
      code: "TOKEN_UNAVAILABLE",
      host: hostOf(tokenUrl),
      upstream: answerOf(reply),
      retryAfterMs,
    });
  }
  if (status < 200 || status >= 300) return refuse(answerOf(reply));
  const { access_token: token, token_type: type = "bearer", expires_in: seconds = null } = body;
  if (typeof token !== "string" || !TOKEN.test(token))
    return refuse(said(status, "its reply has no access token"));
  if (typeof type !== "string" || type.toLowerCase() !== "bearer")
    return refuse(said(status, "its token is not of the type Bearer"));
  return success({ token, lifetimeMs: lifetimeOf(seconds) });
}

/** Seconds, which some servers write as text; a server need not say (section 5.1). */
function lifetimeOf(seconds: JsonValue): number {
  const given = typeof seconds === "string" && seconds.trim() !== "" ? Number(seconds) : seconds;
  return typeof given === "number" && given >= 0 ? given * 1_000 : DEFAULT_TOKEN_LIFETIME_MS;
}

function answerOf({ status, body }: UpstreamReply): UpstreamAnswer {
  const { error, error_description: description } = isJsonObject(body) ? body : {};
  return { status, code: shortText(error), message: shortText(description) };
}

function shortText(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? shorten(value, MAX_QUOTED_CHARACTERS) : null;
}

function said(status: number | null, message: string): UpstreamAnswer {
  return { status, code: null, message };
}

/**
 * What the failure of a request for a token means for the call that needs the token: where no request may go there,
 * that very failure; otherwise one that says it was the token.
 */
export function tokenFailure({ tokenUrl, variable }: ClientCredentials, failure: Failure): Failure {
  const host = hostOf(tokenUrl);
  switch (failure.code) {
    case "UPSTREAM_TIMEOUT": {
      const upstream = said(null, `no answer within ${failure.timeoutMs} ms`);
      return { code: "TOKEN_UNAVAILABLE", host, upstream, retryAfterMs: null };
    }
    case "UPSTREAM_UNAVAILABLE":
      return { ...failure, code: "TOKEN_UNAVAILABLE", host };
    case "UPSTREAM_UNPARSABLE":
      return {
        code: "TOKEN_REFUSED",
        host,
        variable,
        upstream: { ...failure.upstream, message: failure.reason },
      };
    case "UPSTREAM_TOO_LARGE":
      return {
        code: "TOKEN_REFUSED",
        host,
        variable,
        upstream: { ...failure.upstream, message: "its reply is too large" },
      };
    default:
      return failure;
  }
}

/** What it means for a call that its time was over before it had the token. */
export function tokenLate({ tokenUrl }: ClientCredentials): Failure {
  const upstream = said(null, "no answer before the time of the call was over");
  return { code: "TOKEN_UNAVAILABLE", host: hostOf(tokenUrl), upstream, retryAfterMs: null };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "an unreadable URL";
}
