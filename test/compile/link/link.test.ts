import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LinkInput, linkSkills, linkUpload, wholeDocument } from "../../../src/compile/index.ts";
import { compiled, DESCRIPTION } from "../compiled.ts";

/** A skill of its own file, with the functions that these lines of YAML make. */
function skillOf(name: string, functions: readonly string[] = [], file = `${name}/SKILL.md`): LinkInput {
  const block = functions.length === 0 ? "" : `\`\`\`yaml\nfunctions:\n${functions.join("\n")}\n\`\`\`\n`;
  const text = `---\nname: ${name}\ndescription: ${DESCRIPTION}\n---\n${block}`;
  const { skill, places, diagnostics } = compiled(text, { file });
  if (skill === null || places === null)
    throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return { file, skill, places };
}

function computing(name: string): string {
  return `  - {name: ${name}, description: d, compute: 1 + 1}`;
}

function calling(name: string, ...calls: string[]): string {
  const steps = calls.map((call, index) => `{id: s${index}, call: ${call}}`);
  const result = calls.map((_, index) => `steps.s${index}`);
  return `  - {name: ${name}, description: d, steps: [${steps.join(", ")}], result: "[${result.join(", ")}]"}`;
}

/** Each diagnostic in one line. */
function linked(...inputs: LinkInput[]): string[] {
  return linkSkills(inputs).map(
    ({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`,
  );
}

describe("skills that stand side by side", () => {
  test("are right where no name is claimed twice", () => {
    expect(linked(skillOf("a", [computing("one")]), skillOf("b", [computing("two")]))).toEqual([]);
  });

  test("may not have a function of the same name; both places are named", () => {
    const inputs = [skillOf("a", [computing("one")]), skillOf("b", [computing("two"), computing("one")])];
    expect(linkSkills(inputs)).toEqual([
      {
        code: "function-in-two-skills",
        severity: "error",
        file: "b/SKILL.md",
        line: 8,
        column: 12,
        endColumn: 15,
        message: "the function one is defined in a/SKILL.md:7 already",
        fix: null,
        edits: [],
        excerpt: computing("one"),
      },
    ]);
  });

  test.each([
    ["composed in one and written apart in the other", "각", "\u1100\u1161\u11A8"],
    ["in full width in one", "a1", "Ａ１"],
    ["with other signs between its words", "tide-tables", "Tide Tables"],
    ["with a name space of slashes", "openakita/skills@tides", "openakita-skills-tides"],
  ])("may not have the same name: %s", (_case, one, other) => {
    const inputs = [skillOf(one, [], "1/SKILL.md"), skillOf(other, [], "2/SKILL.md")];
    expect(linkSkills(inputs)).toMatchObject([
      { code: "skill-duplicate", file: "2/SKILL.md", line: 2, column: 7 },
    ]);
    expect(linked(...inputs)[0]).toContain("is defined in 1/SKILL.md:2 already");
  });

  test("in Chinese are as many as their names", () => {
    expect(linked(skillOf("天气预报"), skillOf("汇率换算"), skillOf("天气"))).toEqual([]);
  });

  test("are warned of where their names are told apart by machines alone", () => {
    const inputs = [
      skillOf("a", [computing("get_tides"), computing("Get-Tides")]),
      skillOf("b", [computing("get-tides")]),
    ];
    expect(linked(...inputs)).toEqual([
      "name-confusable a/SKILL.md:8:12 models take the function Get-Tides for get_tides, which is defined in a/SKILL.md:7",
      "name-confusable b/SKILL.md:7:12 models take the function get-tides for get_tides, which is defined in a/SKILL.md:7",
    ]);
  });

  test("may call each other's functions, but none that nobody has", () => {
    const inputs = [
      skillOf("a", [calling("both", "get_tides", "get_tide")]),
      skillOf("b", [computing("get_tides")]),
    ];
    expect(linkSkills(inputs)).toMatchObject([
      {
        code: "function-unknown",
        severity: "error",
        file: "a/SKILL.md",
        line: 7,
        message: "a step of both calls get_tide, which no skill has",
        fix: "call: get_tides",
      },
    ]);
  });

  test("may not call each other in a circle, and the whole circle is named where it begins", () => {
    const inputs = [
      skillOf("c", [calling("three", "one"), calling("outside", "one")]),
      skillOf("a", [calling("one", "two")]),
      skillOf("b", [computing("leaf"), calling("two", "leaf", "three")]),
    ];
    const column = calling("one", "two").indexOf("call: ") + "call: ".length + 1;
    expect(linked(...inputs)).toEqual([
      `call-cycle a/SKILL.md:7:${column} these functions call each other without an end: one, two (called in a/SKILL.md:7), three (called in b/SKILL.md:8), one (called in c/SKILL.md:7)`,
    ]);
  });

  test("may not have a function that calls itself", () => {
    expect(linkSkills([skillOf("a", [calling("one", "one")])])).toMatchObject([
      { code: "call-cycle", line: 7 },
    ]);
  });

  test("are told of a circle of thousands in few words", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `f${index}`);
    const inputs = names.map((name, index) =>
      skillOf(name, [calling(name, names[(index + 1) % names.length] ?? "")]),
    );
    const [diagnostic, another] = linkSkills(inputs);
    expect(another).toBeUndefined();
    expect(diagnostic?.message.length).toBe(1_000);
  });

  test("may call the same function on two ways, for that is no circle", () => {
    const functions = [calling("top", "left", "right"), calling("left", "leaf"), calling("right", "leaf")];
    expect(linked(skillOf("a", [...functions, computing("leaf")]))).toEqual([]);
  });

  test("have the same faults in whatever order they come", () => {
    const inputs = [
      skillOf("a", [calling("one", "two"), computing("leaf")]),
      skillOf("b", [calling("two", "one"), computing("Leaf")]),
      skillOf("c", [calling("three", "nothing"), computing("leaf")]),
      skillOf("a", [computing("LEAF")], "d/SKILL.md"),
    ];
    const expected = linked(...inputs);
    expect(expected.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(fc.shuffledSubarray(inputs, { minLength: inputs.length }), (shuffled) => {
        expect(linked(...shuffled)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});

describe("an upload", () => {
  const owners = new Map([
    ["two", "a"],
    ["three", "a"],
  ]);

  test("may not define what somebody has already, whose place nobody knows", () => {
    const input = skillOf("b", [computing("one"), computing("two")]);
    expect(linkUpload(input, owners)).toMatchObject([
      {
        code: "function-in-two-skills",
        file: "b/SKILL.md",
        line: 8,
        message: "the function two is defined in a already",
      },
    ]);
  });

  test("is warned of names that are like those of others", () => {
    expect(linkUpload(skillOf("b", [computing("TWO")]), owners)).toMatchObject([
      { code: "name-confusable", severity: "warning" },
    ]);
  });

  test("may call functions of others and its own, but none that nobody has, and itself in no circle", () => {
    expect(linkUpload(skillOf("b", [calling("one", "two", "own"), computing("own")]), owners)).toEqual([]);
    expect(linkUpload(skillOf("b", [calling("one", "tree")]), owners)).toMatchObject([
      { code: "function-unknown", fix: "call: three" },
    ]);
    expect(linkUpload(skillOf("b", [calling("one", "one")]), owners)).toMatchObject([{ code: "call-cycle" }]);
  });
});

test("what is said of a whole document stands at its beginning", () => {
  expect(wholeDocument("secret-not-bound", "SKILL.md", "m")).toMatchObject({
    severity: "error",
    line: 1,
    column: 1,
    message: "m",
  });
});
