import { describe, expect, test } from "vitest";
import type { Authentication } from "../../../../src/ir.ts";
import { compiled, said, withBlock } from "../../compiled.ts";

/** A skill with this authentication, which is on line 12 behind column 19. */
function skillWith(yaml: string): string {
  return withBlock(
    [
      "upstream: {base_url: https://x.example}",
      "functions:",
      "  - name: f",
      "    description: d",
      "    request: {method: GET, path: /x}",
      "constraints:",
      `  authentication: {${yaml}}`,
    ].join("\n"),
  );
}

function authenticationOf(yaml: string): Authentication[] | undefined {
  const { skill, diagnostics } = compiled(skillWith(yaml));
  expect(diagnostics).toEqual([]);
  return skill?.constraints.authentication;
}

const OAUTH = "method: oauth2_client_credentials, client_id: c, env_variable: K";
const TOKEN_URL = "https://auth.example/oauth/token";
const oauth = {
  method: "oauth2_client_credentials",
  tokenUrl: TOKEN_URL,
  clientId: "c",
  variable: "K",
  scopes: [],
  audience: null,
  secretIn: "header",
};

describe("an authentication is read", () => {
  test.each<[string, string, unknown]>([
    ["none", "method: none", null],
    [
      "a key in a header",
      "method: api_key, header: X-Key, env_variable: K",
      { method: "api_key", in: "header", name: "X-Key", variable: "K" },
    ],
    [
      "a key in the query",
      "method: api_key, query: key, env_variable: K",
      { method: "api_key", in: "query", name: "key", variable: "K" },
    ],
    ["a bearer", "method: bearer, env_variable: K", { method: "bearer", variable: "K" }],
    [
      "a name and a password",
      "method: basic, username: 用户, env_variable: K",
      { method: "basic", username: "用户", variable: "K" },
    ],
    [
      "a secret that is name and password",
      "method: basic, env_variable: K",
      { method: "basic", username: null, variable: "K" },
    ],
    ["a token, with nothing but what it takes", `${OAUTH}, token_url: ${TOKEN_URL}`, oauth],
    [
      "a token, with all that it may say",
      `${OAUTH}, token_url: ${TOKEN_URL}/, scopes: [read, write], audience: https://x.example, secret_in: body`,
      {
        ...oauth,
        tokenUrl: `${TOKEN_URL}/`,
        scopes: ["read", "write"],
        audience: "https://x.example",
        secretIn: "body",
      },
    ],
    [
      "scopes as they travel, each once and in an order of their own",
      `${OAUTH}, token_url: ${TOKEN_URL}, scopes: write  read write`,
      { ...oauth, scopes: ["read", "write"] },
    ],
  ])("%s", (_case, yaml, authentication) => {
    expect(authenticationOf(yaml)).toEqual(authentication === null ? [] : [authentication]);
  });
});

describe("an authentication that cannot be", () => {
  test.each([
    [
      "a colon in a name",
      "method: basic, username: 'a:b', env_variable: K",
      ["authentication-invalid 12:45"],
    ],
    ["a name without a secret", "method: basic, username: a", ["missing-field 12:19"]],
    ["a secret in small letters", "method: basic, env_variable: k", ["secret-name-invalid 12:49"]],
    [
      "a key in two places",
      "method: api_key, header: X-Key, query: key, env_variable: K",
      ["authentication-invalid 12:52"],
    ],
    ["a token from nowhere", OAUTH, ["missing-field 12:19"]],
    ["a token from what is no URL", `${OAUTH}, token_url: auth.example`, ["base-url-invalid 12:97"]],
    [
      "a token from a URL with a password",
      `${OAUTH}, token_url: 'https://u:p@auth.example'`,
      ["base-url-invalid 12:97"],
    ],
    [
      "a token from a URL with a query",
      `${OAUTH}, token_url: '${TOKEN_URL}?x=1'`,
      ["base-url-invalid 12:97"],
    ],
    [
      "a token for nobody",
      `method: oauth2_client_credentials, env_variable: K, token_url: ${TOKEN_URL}`,
      ["missing-field 12:19"],
    ],
    [
      "a secret that travels elsewhere",
      `${OAUTH}, token_url: ${TOKEN_URL}, secret_in: query`,
      ["not-one-of 12:142"],
    ],
    [
      "a scope with a quote",
      `${OAUTH}, token_url: ${TOKEN_URL}, scopes: ['a"b']`,
      ["authentication-invalid 12:139"],
    ],
    ["a method that does not exist", "method: oauth, env_variable: K", ["not-one-of 12:28"]],
  ])("%s is said", (_case, yaml, diagnostics) => {
    expect(said(skillWith(yaml))).toEqual(diagnostics);
  });

  test.each([
    [
      "a key's header beside a bearer",
      "method: bearer, header: X-Key, env_variable: K",
      "api_key, not to bearer",
    ],
    [
      "a token's URL beside a password",
      "method: basic, token_url: https://a.example, env_variable: K",
      "oauth2_client_credentials, not to basic",
    ],
    ["a secret beside none", "method: none, env_variable: K", "not to none"],
  ])("%s is said to belong to another method", (_case, yaml, words) => {
    const { skill, diagnostics } = compiled(skillWith(yaml));
    expect(diagnostics).toMatchObject([{ code: "field-of-another-kind", line: 12 }]);
    expect(diagnostics[0]?.message).toContain(words);
    expect(skill).not.toBeNull();
  });
});
