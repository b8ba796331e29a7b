import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSlug, slugOf } from "../../src/compile/slug.ts";

describe("a name", () => {
  test.each([
    ["tide-tables", true],
    ["天气预报", true],
    ["각-tides", true],
    ["เวลา", true],
    ["a1", true],
    ["Tide", false],
    ["tide--tables", false],
    ["-tide", false],
    ["tide-", false],
    ["tide tables", false],
    ["tide_tables", false],
    ["../x", false],
    ["Ａ", false],
    ["\u1100\u1161\u11A8", false],
    ["", false],
  ])("%j is one as agentskills.io wants it: %s", (name, is) => {
    expect(isSlug(name)).toBe(is);
  });

  test.each([
    ["Tide Tables", "tide-tables"],
    ["openakita/skills@algorithmic-art", "openakita-skills-algorithmic-art"],
    ["天气预报", "天气预报"],
    ["汇率换算！", "汇率换算"],
    ["\u1100\u1161\u11A8", "각"],
    ["Ａ１", "a1"],
    ["İstanbul", "i̇stanbul"],
    ["../x", "x"],
    ["--", ""],
    ["🌊", ""],
  ])("%j becomes %j", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  test("in Chinese is never mistaken for another one", () => {
    expect(new Set(["天气预报", "汇率换算", "潮汐", "行情"].map(slugOf)).size).toBe(4);
  });

  test("becomes a good one or nothing, the same whether composed or not, and stays", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const slug = slugOf(name);
        expect(slug === "" || isSlug(slug)).toBe(true);
        expect(slugOf(slug)).toBe(slug);
        expect(slugOf(name.normalize("NFD"))).toBe(slug);
      }),
      { numRuns: 1000 },
    );
  });
});
