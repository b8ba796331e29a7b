import { describe, expect, test } from "vitest";
import { credentialField, isCredentialField } from "../src/credential-field.ts";
import type { Authentication } from "../src/ir.ts";

const HEADER: Authentication = { method: "api_key", in: "header", name: "X-Key", variable: "K" };
const QUERY: Authentication = { method: "api_key", in: "query", name: "Key", variable: "K" };
const BEARER: Authentication = { method: "bearer", variable: "K" };
const BASIC: Authentication = { method: "basic", username: null, variable: "K" };

describe("a credential travels", () => {
  test.each([
    ["a key in a header", HEADER, { in: "header", name: "x-key" }],
    ["a key in the query", QUERY, { in: "query", name: "Key" }],
    ["a bearer", BEARER, { in: "header", name: "authorization" }],
    ["a name and a password", BASIC, { in: "header", name: "authorization" }],
  ])("in a field of its own: %s", (_what, rule, field) => {
    expect(credentialField(rule)).toEqual(field);
  });

  test.each<[string, Authentication[], "header" | "query", string, boolean]>([
    ["a header in other capitals", [QUERY, HEADER], "header", "X-KEY", true],
    ["a query parameter", [HEADER, QUERY], "query", "Key", true],
    ["a query parameter in other capitals", [HEADER, QUERY], "query", "key", false],
    ["a header of a query parameter's name", [QUERY], "header", "Key", false],
    ["a query parameter of a header's name", [HEADER], "query", "x-key", false],
    ["the header of a bearer", [BEARER], "header", "Authorization", true],
    ["anything, where there is no credential", [], "header", "Authorization", false],
  ])("under a name that is looked for in all of them: %s", (_what, rules, place, name, is) => {
    expect(isCredentialField(rules, place, name)).toBe(is);
  });
});
