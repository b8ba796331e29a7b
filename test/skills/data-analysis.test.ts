import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Skill } from "../../src/ir.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { compiled } from "../compile/compiled.ts";
import { Surroundings } from "../invoke/surroundings.ts";

const file = join(import.meta.dirname, "../../skills/data-analysis/SKILL.md");
const skill = bundledSkill();
const surroundings = new Surroundings(skill, { baseUrl: "https://unused.test" });

function bundledSkill(): Skill {
  const { skill } = compiled(readFileSync(file, "utf8"), { folder: "data-analysis" });
  if (skill === null) throw new Error("the skill does not compile");
  return skill;
}

async function rendered(name: string, args: JsonObject): Promise<string> {
  const result = await surroundings.call(skill, name, args);
  if (!result.ok || typeof result.value.data !== "string") throw new Error(`${name} gave no text`);
  return result.value.data;
}

/** The least that each function can be called with, and how its text begins then. */
const least: [name: string, args: JsonObject, begins: string][] = [
  [
    "data_health_check",
    { dataset: "订单表" },
    "Find out whether this data can be trusted. Do not analyse the business yet.\n\nData: 订单表\n\nCompute",
  ],
  [
    "data_overview",
    { dataset: "sales.csv" },
    "Give somebody who has never seen this data a true picture of it in two minutes of reading.\n\nData: sales.csv\n\n",
  ],
  [
    "compare_dimensions",
    { dimension: "班级", metric: "平均分" },
    "Compare 平均分 by 班级: how large the differences are, whether they are real, and what\nthey rest on.\n\nCompute",
  ],
  [
    "find_anomalies",
    { target: "哪个部门表现异常" },
    "Find what departs from normal here, and find out why: 哪个部门表现异常\n\nCompute",
  ],
];
const leastOf = new Map(least.map(([name, args]) => [name, args]));

/** An optional parameter's value and the clause that it adds, each at its one place. */
const clauses: [name: string, parameter: string, value: string, clause: string][] = [
  ["data_health_check", "key", "订单号", "\nOne row is identified by: 订单号."],
  [
    "data_health_check",
    "rules",
    "退款不大于实付",
    "\nRules that must hold, each to be counted on its own: 退款不大于实付.",
  ],
  [
    "data_health_check",
    "purpose",
    "the yearly audit",
    "\nIt will be used for: the yearly audit. Judge each fault by the harm it does there.",
  ],
  ["data_health_check", "language", "中文", ", in this case 中文"],
  ["data_overview", "period", "2026年Q1", " (period: 2026年Q1)"],
  [
    "data_overview",
    "question",
    "where sales come from",
    "\nThe reader wants to know: where sales come from. Begin with what the data says about that, or that it says nothing.",
  ],
  ["data_overview", "audience", "老板", "\nReaders: 老板. Choose words and detail for them."],
  ["data_overview", "language", "English", ", in this case English"],
  ["compare_dimensions", "dataset", "期中成绩.xlsx", "\nData: 期中成绩.xlsx"],
  ["compare_dimensions", "period", "2026年Q1", " (period: 2026年Q1)"],
  ["compare_dimensions", "filter", "只看线上渠道", "\nOnly rows where: 只看线上渠道"],
  [
    "compare_dimensions",
    "reference",
    "去年同期",
    "\nMeasured against: 去年同期. If that value is not in the data, say so instead of assuming one.",
  ],
  ["compare_dimensions", "language", "日本語", ", in this case 日本語"],
  ["find_anomalies", "dataset", "refunds", "\nData: refunds"],
  [
    "find_anomalies",
    "period",
    "2026年3月",
    "\nSearch within: 2026年3月. Use what lies before it as the baseline.",
  ],
  [
    "find_anomalies",
    "reference",
    "at most 2 %",
    "\nNormal is, as the user sees it: at most 2 %. Judge by that first, by the data's own history second.",
  ],
  [
    "find_anomalies",
    "known",
    "3 月 8 日大促",
    "\nKnown events: 3 月 8 日大促. Check whether each one fits in time and size; do not force it to.",
  ],
  ["find_anomalies", "language", "中文", ", in this case 中文"],
];

function propertiesOf(name: string): [string, JsonObject][] {
  const properties = skill.functions.find((candidate) => candidate.name === name)?.parameters.properties;
  const entries: [string, JsonValue][] = isJsonObject(properties) ? Object.entries(properties) : [];
  return entries.flatMap(([parameter, schema]) => (isJsonObject(schema) ? [[parameter, schema]] : []));
}

describe("the prompts of data-analysis", () => {
  test("the functions are those of the table", () => {
    expect(skill.functions.map(({ name }) => name)).toEqual(least.map(([name]) => name));
  });

  test.each(least)("%s leaves no gap where nothing optional is given", async (name, args, begins) => {
    const text = await rendered(name, args);
    expect(text.startsWith(begins)).toBe(true);
    expect(text).not.toMatch(/[{}]|\(\)|undefined|null/);
    expect(text).toContain("Write in the language that the user writes in. ");
  });

  test.each(clauses)("%s: %s %s adds its clause and nothing else", async (name, parameter, value, clause) => {
    const args = leastOf.get(name) ?? {};
    const without = await rendered(name, args);
    const given = await rendered(name, { ...args, [parameter]: value });
    expect(without).not.toContain(clause);
    expect(given.split(clause).join("")).toBe(without);
    expect(given.split(clause)).toHaveLength(2);
    expect(await rendered(name, { ...args, [parameter]: "" })).toBe(without);
  });

  test.each(least)("every clause of %s is in the table", (name) => {
    const withClause = propertiesOf(name).filter(([, schema]) => schema["x-clause-key"] !== undefined);
    const listed = clauses.filter(([owner]) => owner === name).map(([, parameter]) => parameter);
    expect(withClause.map(([parameter]) => parameter).sort()).toEqual(listed.sort());
  });

  test.each([
    ["data_overview", "findings", "at most 5 findings", "at most 2 findings"],
    ["find_anomalies", "limit", "report at most 5.", "report at most 2."],
  ])("%s: %s has a default that a number replaces", async (name, parameter, normal, changed) => {
    const args = leastOf.get(name) ?? {};
    expect(await rendered(name, args)).toContain(normal);
    expect(await rendered(name, { ...args, [parameter]: 2 })).toContain(changed);
  });

  test("clauses stand together in the order of the text", async () => {
    const args = { target: "退款率", dataset: "refunds", period: "3 月", known: "大促" };
    expect(await rendered("find_anomalies", args)).toMatch(
      /^.*: 退款率\nData: refunds\nSearch within: 3 月\..*\nKnown events: 大促\./,
    );
  });

  test("braces in an argument are text", async () => {
    const text = await rendered("find_anomalies", { target: "{limit} and {value}" });
    expect(text).toContain("find out why: {limit} and {value}\n");
  });

  test.each(least)("every parameter of %s has a label and an example for a form", (name) => {
    for (const [, schema] of propertiesOf(name)) {
      expect(schema["x-label"]).toMatch(/\p{Script=Han}/u);
      expect(schema["x-placeholder"]).toMatch(/./);
    }
  });
});
