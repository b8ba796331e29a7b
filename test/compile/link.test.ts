import { describe, expect, test } from "vitest";
import { functionClashes, linkSkills, wholeDocument } from "../../src/compile/index.ts";
import type { Skill } from "../../src/ir.ts";
import { compiled, DESCRIPTION } from "./compiled.ts";

function skillOf(name: string, ...functions: string[]): Skill {
  const list = functions.map((one) => `  - {name: ${one}, description: d, compute: 1 + 1}`).join("\n");
  const block = functions.length === 0 ? "" : `\`\`\`yaml\nfunctions:\n${list}\n\`\`\`\n`;
  const { skill } = compiled(`---\nname: ${name}\ndescription: ${DESCRIPTION}\n---\n${block}`);
  if (skill === null) throw new Error(`${name} is no skill`);
  return skill;
}

describe("skills that stand side by side", () => {
  test("are right where no name is claimed twice", () => {
    const inputs = [
      { file: "a/SKILL.md", skill: skillOf("a", "one") },
      { file: "b/SKILL.md", skill: skillOf("b", "two") },
    ];
    expect(linkSkills(inputs)).toEqual([]);
  });

  test("may not have a function of the same name; both files are named", () => {
    const inputs = [
      { file: "a/SKILL.md", skill: skillOf("a", "one") },
      { file: "b/SKILL.md", skill: skillOf("b", "two", "one") },
    ];
    expect(linkSkills(inputs)).toEqual([
      {
        code: "function-in-two-skills",
        severity: "error",
        file: "b/SKILL.md",
        line: 1,
        column: 1,
        endColumn: 2,
        message: "the function one is defined in a/SKILL.md already",
        fix: null,
        excerpt: "",
      },
    ]);
  });

  test("may not have the same name, also when it is written apart in one and composed in the other", () => {
    const inputs = [
      { file: "composed/SKILL.md", skill: skillOf("각") },
      { file: "decomposed/SKILL.md", skill: skillOf("\u1100\u1161\u11A8") },
    ];
    expect(linkSkills(inputs)).toMatchObject([{ code: "skill-duplicate", file: "decomposed/SKILL.md" }]);
  });

  test("may be held against names that are known by their owners alone", () => {
    const input = { file: "SKILL.md", skill: skillOf("b", "one", "two") };
    const owners = new Map([
      ["two", "a"],
      ["three", "a"],
    ]);
    expect(functionClashes(input, owners)).toEqual([
      wholeDocument("function-in-two-skills", "SKILL.md", "the function two is defined in a already"),
    ]);
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
