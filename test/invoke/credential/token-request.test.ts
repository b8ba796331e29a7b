import { describe, expect, test } from "vitest";
import type { Failure } from "../../../src/errors.ts";
import {
  type ClientCredentials,
  readToken,
  tokenFailure,
  tokenRequest,
} from "../../../src/invoke/credential/token-request.ts";
import type { JsonValue } from "../../../src/json.ts";
import { DEFAULT_TOKEN_LIFETIME_MS } from "../../../src/limits.ts";

const RULE: ClientCredentials = {
  method: "oauth2_client_credentials",
  tokenUrl: "https://id.test/token",
  clientId: "client 1:é",
  variable: "CLIENT_SECRET",
  scopes: ["read", "write:all"],
  audience: "https://api.test/",
  secretIn: "header",
};

describe("a request for a token", () => {
  test("shows the client in the header, each half written as forms write it", () => {
    const { request, credential } = tokenRequest(RULE, "p+ss w:rd%é");
    expect(request).toMatchObject({ method: "POST", url: "https://id.test/token" });
    expect(request.body).toBe(
      "grant_type=client_credentials&scope=read+write%3Aall&audience=https%3A%2F%2Fapi.test%2F",
    );
    const [[name, value] = ["", ""]] = credential.headers;
    expect(name).toBe("authorization");
    expect(atob(value.replace("Basic ", ""))).toBe("client+1%3A%C3%A9:p%2Bss+w%3Ard%25%C3%A9");
    expect(credential.secrets).toEqual(["p+ss w:rd%é", value.replace("Basic ", "")]);
  });

  test("shows the client in the form where that is wanted, and says neither scope nor audience where there is none", () => {
    const rule: ClientCredentials = { ...RULE, scopes: [], audience: null, secretIn: "body" };
    const { request, credential } = tokenRequest(rule, "p&ss=1");
    expect(request.body).toBe(
      "grant_type=client_credentials&client_id=client+1%3A%C3%A9&client_secret=p%26ss%3D1",
    );
    expect(credential.headers).toEqual([]);
    expect(credential.secrets).toContain("p&ss=1");
  });
});

const NOW = Date.UTC(2026, 1, 28);

function read(status: number, body: JsonValue, headers: Record<string, string> = {}) {
  const reply = {
    origin: "https://login.example.com",
    status,
    headers: new Map(Object.entries(headers)),
    body,
    bytes: 0,
    mediaType: null,
  };
  return readToken(RULE, reply, NOW);
}

describe("the reply of a token endpoint", () => {
  test.each<[string, JsonValue, number]>([
    ["in seconds", { access_token: "t", token_type: "Bearer", expires_in: 3600 }, 3_600_000],
    ["in seconds as text", { access_token: "t", token_type: "bearer", expires_in: "60" }, 60_000],
    ["of none", { access_token: "t", expires_in: 0 }, 0],
    ["that is not said", { access_token: "t", token_type: "BEARER" }, DEFAULT_TOKEN_LIFETIME_MS],
    ["that makes no sense", { access_token: "t", expires_in: "soon" }, DEFAULT_TOKEN_LIFETIME_MS],
    ["below zero", { access_token: "t", expires_in: -1 }, DEFAULT_TOKEN_LIFETIME_MS],
  ])("may give a lifetime %s", (_what, body, lifetimeMs) => {
    expect(read(200, body)).toEqual({ ok: true, value: { token: "t", lifetimeMs } });
  });

  test.each<[string, number, JsonValue, string | null, string | null]>([
    [
      "an error of the grant",
      400,
      { error: "invalid_scope", error_description: "no such scope" },
      "invalid_scope",
      "no such scope",
    ],
    ["an unknown client", 401, { error: "invalid_client" }, "invalid_client", null],
    ["a refusal that says nothing", 403, null, null, null],
    ["no token", 200, {}, null, "its reply has no access token"],
    [
      "a token of another type",
      200,
      { access_token: "t", token_type: "mac" },
      null,
      "its token is not of the type Bearer",
    ],
    [
      "a token that no header can carry",
      200,
      { access_token: "a\r\nb" },
      null,
      "its reply has no access token",
    ],
    ["a token that is no text", 200, { access_token: { a: 1 } }, null, "its reply has no access token"],
    ["a list", 200, [], null, "its reply has no access token"],
  ])("refuses with %s", (_what, status, body, code, message) => {
    expect(read(status, body)).toEqual({
      ok: false,
      failure: {
        code: "TOKEN_REFUSED",
        host: "id.test",
        variable: "CLIENT_SECRET",
        upstream: { status, code, message },
      },
    });
  });

  test.each([
    [408, null],
    [429, 7_000],
    [503, 7_000],
  ])("may be that the endpoint is not available: %d", (status, retryAfterMs) => {
    const headers = retryAfterMs === null ? undefined : { "retry-after": "7" };
    expect(read(status, null, headers)).toMatchObject({
      failure: { code: "TOKEN_UNAVAILABLE", retryAfterMs },
    });
  });
});

const silent = { status: null, code: null, message: null };

describe("a request for a token that fails", () => {
  test.each<[Failure, Failure["code"]]>([
    [{ code: "UPSTREAM_TIMEOUT", timeoutMs: 10 }, "TOKEN_UNAVAILABLE"],
    [{ code: "UPSTREAM_UNAVAILABLE", upstream: silent, retryAfterMs: null }, "TOKEN_UNAVAILABLE"],
    [{ code: "UPSTREAM_UNPARSABLE", upstream: silent, reason: "it redirects" }, "TOKEN_REFUSED"],
    [{ code: "UPSTREAM_TOO_LARGE", upstream: silent, limitBytes: 1 }, "TOKEN_REFUSED"],
    [{ code: "EGRESS_DENIED", host: "id.test", reason: "no" }, "EGRESS_DENIED"],
  ])("%j is %s", (failure, code) => {
    expect(tokenFailure(RULE, failure).code).toBe(code);
  });
});
