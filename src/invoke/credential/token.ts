/** How a token is come by, whose secret goes to the token endpoint's host only, and itself only to the upstream's. */
import { sha256Hex } from "../../digest.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { Evidence } from "../upstream/circuit.ts";
import { send } from "../upstream/send.ts";
import type { CredentialDependencies } from "./methods.ts";
import { type ClientCredentials, readToken, tokenFailure, tokenLate, tokenRequest } from "./token-request.ts";
import type { IssuedToken } from "./token-store.ts";

/** The secret that buys tokens for requests to a URL. */
export function tokenSecret(
  { variable, tokenUrl }: ClientCredentials,
  url: string,
  { secrets }: CredentialDependencies,
): Result<string> {
  const reason = secrets.tokenRefusal(variable, url);
  if (reason === null) return secrets.secretFor(variable, tokenUrl);
  return failed({ code: "EGRESS_DENIED", host: URL.parse(url)?.host ?? "an unreadable URL", reason });
}

/**
 * A token for a secret, kept or asked for.
 * @param refused a token that the upstream did not take
 */
export async function buyToken(
  rule: ClientCredentials,
  secret: string,
  refused: string | null,
  dependencies: CredentialDependencies,
): Promise<Result<string>> {
  const { tokenUrl, clientId, scopes, audience, secretIn } = rule;
  const key = JSON.stringify([tokenUrl, clientId, await sha256Hex(secret), scopes, audience, secretIn]);
  const token = await dependencies.tokens.token(key, refused, dependencies.deadline, () =>
    askForToken(rule, secret, key, dependencies),
  );
  return token ?? failed(tokenLate(rule));
}

const ONE_REQUEST = { signal: null, maxRedirects: 0, admitRedirect: async () => success(null) };

/**
 * Asks for a token. The request is everybody's who waits for the token, so no single caller's leaving ends it, and no
 * redirect is followed: the secret is for this address alone. Its circuit is theirs as well, and no one's who asks
 * otherwise: what others send to the same endpoint closes it to nobody else.
 */
async function askForToken(
  rule: ClientCredentials,
  secret: string,
  key: string,
  { circuits, fetch, egress, now, countRequest }: CredentialDependencies,
): Promise<Result<IssuedToken>> {
  const passed = circuits.pass(JSON.stringify(["token", key]));
  if (!passed.ok) return failed(tokenFailure(rule, passed.failure));
  const { request, credential } = tokenRequest(rule, secret);
  countRequest();
  const reply = await send(request, credential, { fetch, egress, ...ONE_REQUEST });
  const issued = reply.ok ? readToken(rule, reply.value, now()) : failed(tokenFailure(rule, reply.failure));
  passed.value.report(evidenceOf(issued));
  return issued;
}

/** What a request for a token has shown of its endpoint; one that says to wait is there. */
function evidenceOf(issued: Result<IssuedToken>): Evidence {
  if (issued.ok) return "answers";
  const { failure } = issued;
  if (failure.code === "EGRESS_DENIED") return "none";
  return failure.code === "TOKEN_UNAVAILABLE" && failure.upstream.status !== 429 ? "down" : "answers";
}
