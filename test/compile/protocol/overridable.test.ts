import { describe, expect, test } from "vitest";
import { compiled, DESCRIPTION, said } from "../compiled.ts";

/** A document whose layers say this of those who would override it. */
function document(front: string | null, meta: string | null = null): string {
  return [
    "---",
    "name: tides",
    `description: ${DESCRIPTION}`,
    ...(front === null ? [] : [`overridable: ${front}`]),
    "---",
    ...(meta === null ? [] : ["```yaml", "meta:", "  name: tides", `  overridable: ${meta}`, "```"]),
    "",
  ].join("\n");
}

describe("overridable", () => {
  test.each([
    ["is all where nothing is said", null, null, "all"],
    ["is all where that is said", "true", null, "all"],
    ["is none by the front matter", "false", null, "none"],
    ["is none as a text", '"false"', null, "none"],
    ["is prose by the front matter", "prose", null, "prose"],
    ["is none by meta", null, "false", "none"],
    ["is prose by meta", null, "prose", "prose"],
    ["is what both say", "prose", "prose", "prose"],
  ])("%s", (_what, front, meta, expected) => {
    const { skill, diagnostics } = compiled(document(front, meta));
    expect(diagnostics).toEqual([]);
    expect(skill?.overridable).toBe(expected);
  });

  test.each([
    ["another word", "never", null, ["not-one-of 4:14"]],
    ["a slip", "pros", null, ["not-one-of 4:14"]],
    ["nothing", "", null, ["empty-field 4:1"]],
    ["a list", "[prose]", null, ["wrong-type 4:14"]],
    ["another word in meta", null, "no", ["not-one-of 8:16"]],
    ["something else in each layer", "true", "false", ["values-contradict 9:16"]],
  ])("is refused where it is %s, so that no restriction is lost", (_what, front, meta, expected) => {
    const text = document(front, meta);
    expect(said(text)).toEqual(expected);
    expect(compiled(text).skill).toBeNull();
  });
});
