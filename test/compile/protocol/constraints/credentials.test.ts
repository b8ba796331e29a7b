import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_CREDENTIALS } from "../../../../src/limits.ts";
import { compiled, said, withBlock } from "../../compiled.ts";

/** A skill with this value of `authentication`, which begins on line 12 behind column 19. */
function skillWith(yaml: string): string {
  return withBlock(
    [
      "upstream: {base_url: https://x.example}",
      "functions:",
      "  - name: f",
      "    description: d",
      "    permission: p",
      "    request: {method: GET, path: /x}",
      `constraints: {authentication: ${yaml}}`,
    ].join("\n"),
  );
}

const BEARER = "{method: bearer, env_variable: TOKEN}";
const BASIC = "{method: basic, username: u, env_variable: PASSWORD}";
const HEADER = "{method: api_key, header: X-Key, env_variable: KEY}";
const QUERY = "{method: api_key, query: key, env_variable: KEY}";
const OAUTH =
  "{method: oauth2_client_credentials, token_url: https://id.example/token, client_id: c, env_variable: S}";

const bearer = { method: "bearer", variable: "TOKEN" };
const header = { method: "api_key", in: "header", name: "X-Key", variable: "KEY" };
const query = { method: "api_key", in: "query", name: "key", variable: "KEY" };

describe("the credentials of a skill", () => {
  test.each<[string, string, unknown[]]>([
    ["one", HEADER, [header]],
    ["a list of one", `[${HEADER}]`, [header]],
    ["two, of which both go", `[${HEADER}, ${BEARER}]`, [header, bearer]],
    ["one secret in two places", `[${HEADER}, ${QUERY}]`, [header, query]],
    ["none", "{method: none}", []],
    ["a list of none", "[{method: none}]", []],
  ])("are %s", (_what, yaml, credentials) => {
    const { skill, diagnostics } = compiled(skillWith(yaml));
    expect(diagnostics).toEqual([]);
    expect(skill?.constraints.authentication).toEqual(credentials);
  });

  test.each([
    ["of the credentials", `[${HEADER}, ${BEARER}, ${QUERY}]`, `[${QUERY}, ${BEARER}, ${HEADER}]`],
    ["of one that asks for a token", `[${OAUTH}, ${HEADER}]`, `[${HEADER}, ${OAUTH}]`],
    ["of the fields of one", HEADER, "{env_variable: KEY, header: X-Key, method: api_key}"],
    [
      "of scopes",
      OAUTH.replace("}", ", scopes: [b, a]}"),
      OAUTH.replace("}", ", scopes: a b}").replace("method", "secret_in: header, method"),
    ],
    ["of one alone and one in a list", BASIC, `[${BASIC}]`],
  ])("are the same to the byte in whatever order they are written: %s", (_what, left, right) => {
    const [one, other] = [left, right].map((yaml) => compiled(skillWith(yaml)).skill);
    expect(one).not.toBeNull();
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  test("are the same to the byte in any order of any of them", () => {
    const written = [BEARER, HEADER, QUERY, "{method: api_key, header: x-app, env_variable: APP}"];
    const bytesOf = (list: readonly string[]) =>
      JSON.stringify(compiled(skillWith(`[${list.join(", ")}]`)).skill?.constraints.authentication);
    fc.assert(
      fc.property(fc.shuffledSubarray(written, { minLength: 1 }), (some) => {
        expect(bytesOf(some)).toBe(bytesOf(written.filter((one) => some.includes(one))));
        expect(JSON.parse(bytesOf(some) ?? "")).toHaveLength(some.length);
      }),
    );
  });

  test("are the same to the byte, and so is a function, wherever its permission stands", () => {
    const text = skillWith(BEARER);
    const moved = text
      .replace("    permission: p\n", "")
      .replace("  - name: f", "  - permission: p\n    name: f");
    const skills = [text, moved].map((one) => JSON.stringify(compiled(one).skill));
    expect(moved).not.toBe(text);
    expect(skills[0]).toContain('"permission":"p"');
    expect(skills[1]).toBe(skills[0]);
  });

  test("may be three, of which one buys a token", () => {
    const path = join(import.meta.dirname, "../../../fixtures/skills/harbour-berths/SKILL.md");
    const { skill, diagnostics } = compiled(readFileSync(path, "utf8"), { folder: "harbour-berths" });
    expect(diagnostics).toEqual([]);
    expect(skill?.constraints.authentication.map(({ variable }) => variable)).toEqual([
      "BERTHS_APP_KEY",
      "BERTHS_QUERY_KEY",
      "BERTHS_CLIENT_SECRET",
    ]);
  });

  test("that ask for a token come after those that are at hand", () => {
    const { skill } = compiled(skillWith(`[${OAUTH}, ${HEADER}]`));
    expect(skill?.constraints.authentication.map(({ method }) => method)).toEqual([
      "api_key",
      "oauth2_client_credentials",
    ]);
  });
});

describe("credentials that cannot go together", () => {
  test.each<[string, string, string[]]>([
    ["two bearers", `[${BEARER}, ${BEARER}]`, ["credential-sent-twice 12:71"]],
    ["a bearer and a name with a password", `[${BEARER}, ${BASIC}]`, ["credential-sent-twice 12:71"]],
    ["a bearer and a token", `[${BEARER}, ${OAUTH}]`, ["credential-sent-twice 12:71"]],
    [
      "a bearer and a key in its header",
      `[${BEARER}, {method: api_key, header: AUTHORIZATION, env_variable: K}]`,
      ["credential-sent-twice 12:97"],
    ],
    [
      "two keys in one header, in other capitals",
      `[${HEADER}, {method: api_key, header: x-key, env_variable: K}]`,
      ["credential-sent-twice 12:111"],
    ],
    [
      "two keys in one query parameter",
      `[${QUERY}, {method: api_key, query: key, env_variable: K}]`,
      ["credential-sent-twice 12:107"],
    ],
    [
      "keys in query parameters of two capitals",
      `[${QUERY}, {method: api_key, query: Key, env_variable: K}]`,
      [],
    ],
    [
      "three bearers",
      `[${BEARER}, ${BEARER}, ${BEARER}]`,
      ["credential-sent-twice 12:71", "credential-sent-twice 12:110"],
    ],
    ["none among others", `[${BEARER}, {method: none}]`, ["credential-beside-none 12:71"]],
    [
      "none twice",
      "[{method: none}, {method: none}]",
      ["credential-beside-none 12:32", "credential-beside-none 12:48"],
    ],
    ["a list of nothing", "[]", ["credentials-empty 12:31"]],
    ["a text", "bearer", ["wrong-type 12:31"]],
    ["a text in a list", `[bearer, ${HEADER}]`, ["wrong-type 12:32"]],
    ["nothing in a list", `[${HEADER}, null]`, ["wrong-type 12:85"]],
    ["a list in a list", `[[${HEADER}]]`, ["wrong-type 12:32"]],
    ["one without its method", `[${HEADER}, {env_variable: K}]`, ["missing-field 12:85"]],
    [
      "keys that travel nowhere",
      "[{method: api_key, env_variable: K}, {method: api_key, env_variable: K}]",
      ["missing-field 12:32", "missing-field 12:68"],
    ],
  ])("are said: %s", (_what, yaml, diagnostics) => {
    expect(said(skillWith(yaml))).toEqual(diagnostics);
  });

  test("are so many and not one more", () => {
    const list = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `{method: api_key, query: k${index}, env_variable: K${index}}`,
      );
    expect(said(skillWith(`[${list(MAX_CREDENTIALS).join(", ")}]`))).toEqual([]);
    const overMany = said(skillWith(`[${list(MAX_CREDENTIALS + 100).join(", ")}]`));
    expect(overMany).toEqual([expect.stringMatching(/^too-many-credentials 12:/)]);
  });
});
