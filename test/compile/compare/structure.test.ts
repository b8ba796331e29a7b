import { describe, expect, test } from "vitest";
import { structuralDifference } from "../../../src/compile/compare/structure.ts";
import type { Skill } from "../../../src/ir.ts";
import { compiled, withBlock } from "../compiled.ts";

/** A skill of one function that calls an API. */
function skill(
  changes: { host?: string; maximum?: number; limit?: number; secret?: string; readOnly?: boolean } = {},
): Skill {
  const { host = "api.example.com", maximum = 10, limit = 60, secret = "KEY", readOnly = true } = changes;
  const { skill: made, diagnostics } = compiled(
    withBlock(`
upstream: {base_url: "https://${host}/v1"}
functions:
  - name: get_tides
    description: The tides of a harbour.
    parameters:
      type: object
      properties:
        days: {type: integer, maximum: ${maximum}, description: How many}
    request: {method: GET, path: /tides}
    annotations: {read_only: ${readOnly}}
constraints:
  authentication: {method: bearer, env_variable: ${secret}}
  rate_limit: {per_endpoint: {get_tides: {max_requests_per_minute: ${limit}}}}
`),
  );
  if (made === null) throw new Error(JSON.stringify(diagnostics));
  return made;
}

describe("the structural difference", () => {
  test("of the same skill is none", () => {
    expect(structuralDifference(skill(), skill())).toEqual({ skill: [], functions: [] });
  });

  test.each([
    [
      "a parameter",
      skill({ maximum: 99 }),
      { path: "/parameters/properties/days/maximum", before: 10, after: 99 },
    ],
    [
      "a limit",
      skill({ limit: 5 }),
      { path: "/limits", before: [{ max: 60, window: "minute" }], after: [{ max: 5, window: "minute" }] },
    ],
    [
      "an annotation",
      skill({ readOnly: false }),
      { path: "/annotations/readOnly", before: true, after: false },
    ],
  ])("says what changed of a function: %s", (_what, after, expected) => {
    const { functions } = structuralDifference(skill(), after);
    expect(functions).toMatchObject([{ name: "get_tides", change: "changed" }]);
    expect(functions[0]?.differences).toContainEqual(expected);
  });

  test.each([
    [
      "a host",
      skill({ host: "evil.test" }),
      { path: "/hosts/default", before: "api.example.com", after: "evil.test" },
    ],
    ["a secret", skill({ secret: "OTHER" }), { path: "/secrets", before: ["KEY"], after: ["OTHER"] }],
  ])("says what changed of the skill: %s", (_what, after, expected) => {
    expect(structuralDifference(skill(), after).skill).toContainEqual(expected);
  });

  test("says which functions came and went", () => {
    const names = (before: Skill | null, after: Skill | null) =>
      structuralDifference(before, after).functions.map(({ name, change }) => [name, change]);
    expect(names(null, skill())).toEqual([["get_tides", "added"]]);
    expect(names(skill(), null)).toEqual([["get_tides", "removed"]]);
  });
});
