import { describe, expect, test } from "vitest";
import { compileSkill } from "../../../src/compile/index.ts";

const DOCUMENT = `---
name: tides
description: Times and heights of the tides at a harbour.
---

\`\`\`yaml
functions:
  - name: now
    description: The height of the tide now.
    compute: "1"
  - name: later
    description: The height of the tide at some time.
    parameters:
      type: object
      properties:
        港口: {type: object, properties: {名: {type: string}}, additionalProperties: false}
        "a/b": &shared
          type: integer
          minimum: 0
        again: *shared
        either:
          oneOf:
            - {type: string, format: uri}
            - type: number
      required: [港口]
    compute: "2"
\`\`\`
`;

describe("a keyword of a function's parameters", () => {
  const { locateKeyword, diagnostics } = compileSkill(DOCUMENT, {
    file: "SKILL.md",
    folder: "tides",
    mayNameBaseUrlVariable: () => true,
  });
  const lines = DOCUMENT.split("\n");

  test.each<[string, string, string, string | null]>([
    ["later", "", "required", "required: [港口]"],
    ["later", "", "additionalProperties", null],
    ["later", "/properties/港口", "additionalProperties", "additionalProperties: false}"],
    ["later", "/properties/港口", "properties", "港口: {type: object"],
    ["later", "/properties/港口/properties/名", "type", "type: string}}"],
    ["later", "/properties/港口/properties/名", "properties", "名: {type: string}"],
    ["later", "/properties/a~1b", "minimum", "minimum: 0"],
    ["later", "/properties/a~1b", "format", '"a/b": &shared'],
    ["later", "/properties/again", "minimum", "minimum: 0"],
    ["later", "/properties/again", "format", "again: *shared"],
    ["later", "/properties/either", "oneOf", "oneOf:"],
    ["later", "/properties/either/oneOf/0", "format", "format: uri}"],
    ["later", "/properties/either/oneOf/1", "type", "type: number"],
    ["later", "/properties/either/anyOf/0", "oneOf", "oneOf:"],
    ["now", "", "additionalProperties", null],
    ["never", "/properties/a", "type", null],
  ])("of %s at %j, %s, is written at %j", (name, path, keyword, expected) => {
    expect(diagnostics).toEqual([]);
    const place = locateKeyword?.(name, path, keyword) ?? null;
    const rest = place === null ? null : [...(lines[place.line - 1] ?? "")].slice(place.column - 1).join("");
    expect(rest?.slice(0, expected?.length) ?? null).toBe(expected);
  });

  test("is nowhere in a document with errors", () => {
    const broken = DOCUMENT.replace('compute: "2"', "compute: 2 +");
    const options = { file: "SKILL.md", folder: "tides", mayNameBaseUrlVariable: () => true };
    expect(compileSkill(broken, options).locateKeyword).toBeNull();
  });
});
