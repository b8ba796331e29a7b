import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSkills } from "../../src/cli/skills/read.ts";
import type { Skill } from "../../src/ir.ts";
import { loadSkill } from "../../src/reading/index.ts";
import { isCorpusThere, unpackCorpus } from "../corpus.ts";
import { breaches, readable } from "./laws.ts";

let root = "";
let skills: Skill[] = [];

beforeAll(async () => {
  if (!isCorpusThere) return;
  root = unpackCorpus();
  skills = (await readSkills(root)).compiled.map(({ skill }) => skill);
}, 120_000);

afterAll(() => {
  if (isCorpusThere) rmSync(root, { recursive: true });
});

describe.skipIf(!isCorpusThere)("real skills (skipped where there is no ../shared/corpus)", () => {
  test.each([1_000, 10_000])(
    "are read whole, and each section by its label, in pieces of %d characters",
    (maxCharacters) => {
      expect(skills.length).toBeGreaterThan(600);
      expect(skills.flatMap((skill) => breaches(readable(skill), maxCharacters))).toEqual([]);
    },
    120_000,
  );

  test("of 127 KB are read in two calls: the outline with the opening, and a section that it names", () => {
    const found = skills.find(({ name }) => name === "tushare");
    if (found === undefined) throw new Error("tushare is not there");
    const skill = readable(found);
    const opened = loadSkill(skill, { section: null, offset: null, maxCharacters: 10_000 });
    if (!opened.ok || opened.value.mode !== "outline") throw new Error("it is not outlined");
    expect(opened.value).toMatchObject({ total_chars: 102_858, complete: false, sections_omitted: 0 });
    const names = opened.value.outline.map(({ section }) => section);
    expect(names).toEqual(["Tushare", "概述", "快速上手", "参数格式说明", "python脚本示例", "数据接口列表"]);
    const section = loadSkill(skill, { section: "快速上手", offset: null, maxCharacters: 10_000 });
    if (!section.ok) throw new Error(section.failure.code);
    expect(section.value).toMatchObject({ mode: "section", document_chars: 102_858, complete: true });
    expect(section.value.content).toMatch(/^## 快速上手\n[\s\S]*pip install tushare/);
  });
});
