import { describe, expect, test } from "vitest";
import {
  callableFunctions,
  type ListedRecord,
  makeRecord,
  type Selection,
  selectFunctions,
  selectsAll,
} from "../../src/catalog/index.ts";
import { compileSkill } from "../../src/compile/index.ts";
import { dialects } from "../../src/dialect/index.ts";

const ALL: Selection = { skills: null, functions: null, category: null, unbound: false };

/** A skill with functions that compute something, and others that are only declared. */
async function listed(
  name: string,
  category: string,
  computed: string[],
  declared: string[],
): Promise<ListedRecord> {
  const functions = [
    ...declared.map((other) => `  - {name: ${other}, description: Is only declared here.}`),
    ...computed.map((other) => `  - {name: ${other}, description: Computes one., compute: "1"}`),
  ];
  const front = `---\nname: ${name}\ndescription: A skill of a test.\ncategory: ${category}\n---\n`;
  const { skill } = compileSkill(`${front}\n\`\`\`yaml\nfunctions:\n${functions.join("\n")}\n\`\`\`\n`, {
    file: "SKILL.md",
    folder: name,
    mayNameBaseUrlVariable: () => true,
  });
  if (skill === null) throw new Error("the skill does not compile");
  const record = await makeRecord("", skill, (dialect, definition) =>
    dialects[dialect].encodeTool(definition),
  );
  const own = callableFunctions(skill).map((definition) => definition.name);
  return { record, source: "bundled", own: null, stale: false, functions: new Set(own), hidden: new Set() };
}

const records = [
  await listed("tides", "tool", ["high_water", "low_water"], ["moon_phase", "wave_height"]),
  await listed("moon", "analysis", ["moon_phase"], ["wave_height", "eclipse"]),
  await listed("still", "other", [], ["wave_height"]),
];

function names(selection: Partial<Selection>): string[] | string {
  const selected = selectFunctions(records, { ...ALL, ...selection });
  if (!selected.ok) return selected.failure.code;
  return selected.value.map(({ record, definition }) => `${record.skill.name}.${definition.name}`);
}

describe("the selection of functions", () => {
  test.each<[Partial<Selection>, string[] | string]>([
    [{}, ["tides.high_water", "tides.low_water", "moon.moon_phase"]],
    [{ skills: new Set(["moon"]) }, ["moon.moon_phase"]],
    [{ skills: new Set() }, []],
    [{ functions: new Set(["low_water", "moon_phase"]) }, ["tides.low_water", "moon.moon_phase"]],
    [{ skills: new Set(["moon", "tides"]), functions: new Set(["low_water"]) }, ["tides.low_water"]],
    [{ skills: new Set(["moon"]), functions: new Set(["low_water"]) }, "INVALID_REQUEST"],
    [{ skills: new Set(["moon"]), category: "tool" }, "INVALID_REQUEST"],
    [{ functions: new Set(["moon_phase"]), category: "flow" }, "INVALID_REQUEST"],
    [{ skills: new Set(["still"]), functions: new Set(["low_water"]) }, "INVALID_REQUEST"],
    [{ skills: new Set(["still"]) }, []],
    [{ skills: new Set(["still"]), category: "other" }, []],
    [{ category: "analysis" }, ["moon.moon_phase"]],
    [{ category: "flow" }, []],
    [{ category: "toool" }, "INVALID_REQUEST"],
    [{ skills: new Set(["tide"]) }, "UNKNOWN_SKILL"],
    [{ functions: new Set(["eclipse"]) }, "UNKNOWN_FUNCTION"],
    [{ functions: new Set(["eclipse"]), unbound: true }, ["moon.eclipse"]],
  ])("%j gives %j", (selection, expected) => {
    expect(names(selection)).toEqual(expected);
  });

  test("says of things that nothing is all of where their functions belong", () => {
    const selected = selectFunctions(records, {
      ...ALL,
      skills: new Set(["moon"]),
      functions: new Set(["low_water", "high_water"]),
    });
    expect(selected).toEqual({
      ok: false,
      failure: {
        code: "INVALID_REQUEST",
        message:
          "No function fits functions=low_water,high_water and skills=moon together: high_water is of the skill tides " +
          "in the category tool; low_water is of the skill tides in the category tool.",
        faults: [
          {
            path: "/functions",
            rule: "selection",
            expected: "what fits the rest of the selection",
            got: '"low_water,high_water"',
          },
          {
            path: "/skills",
            rule: "selection",
            expected: "what fits the rest of the selection",
            got: '"moon"',
          },
        ],
      },
    });
  });

  test("gives each name once where declarations are wanted: what can be called stands before what is declared", () => {
    expect(names({ unbound: true })).toEqual([
      "tides.wave_height",
      "tides.high_water",
      "tides.low_water",
      "moon.eclipse",
      "moon.moon_phase",
    ]);
  });

  test("finds the tool that was made for each function, and none for what is declared", () => {
    const selected = selectFunctions(records, { ...ALL, unbound: true });
    if (!selected.ok) throw new Error(selected.failure.code);
    for (const { definition, prepared } of selected.value) {
      const tool = prepared("openai");
      if (definition.binding.kind === "declaration") expect(tool).toBeNull();
      else expect(tool?.json).toContain(`"name":"${definition.name}"`);
    }
  });

  test("is of everything only where nothing is asked for", () => {
    expect(selectsAll(ALL)).toBe(true);
    expect(selectsAll({ ...ALL, skills: new Set() })).toBe(false);
    expect(selectsAll({ ...ALL, category: "tool" })).toBe(false);
    expect(selectsAll({ ...ALL, unbound: true })).toBe(false);
  });
});
