import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordOf } from "../../scripts/catalog/record.ts";
import { readSkills } from "../../src/cli/skills/read.ts";
import { createApp } from "../../src/http/index.ts";
import { isCorpusThere, unpackCorpus } from "../corpus.ts";
import { Place, putSkill } from "../store/place.ts";
import { gatewayOver } from "./gateway.ts";

let root = "";
let ask: (path: string) => Promise<string>;

beforeAll(async () => {
  if (!isCorpusThere) return;
  root = unpackCorpus();
  const { compiled } = await readSkills(join(root, "vibe-trading"));
  const place = new Place();
  const writer = place.isolate();
  for (const record of await Promise.all(compiled.map(recordOf)))
    await place.time.until(putSkill(writer, record));
  const app = createApp(await gatewayOver(place.isolate()));
  ask = async (path) => (await app.request(path)).text();
}, 120_000);

afterAll(() => {
  if (isCorpusThere) rmSync(root, { recursive: true });
});

describe.skipIf(!isCorpusThere)(
  "a tenant with 90 real skills (skipped where there is no ../shared/corpus)",
  () => {
    test("has all of them in its index, the declared categories first", async () => {
      const { total, categories, skills } = JSON.parse(await ask("/v1/skills"));
      expect([total, skills.length]).toEqual([91, 91]);
      const names = categories.map(({ category }: { category: string }) => category);
      expect(names.slice(0, 7)).toEqual([
        "data-source",
        "strategy",
        "analysis",
        "asset-class",
        "crypto",
        "flow",
        "tool",
      ]);
      expect(names.slice(7)).toEqual(["research", "risk-analysis"]);
    });

    test.each([6_000, 12_000, 40_000])(
      "has every name in an index of %d characters for a prompt",
      async (most) => {
        const text = await ask(`/v1/skills?format=text&max_chars=${most}`);
        expect([...text].length).toBeLessThanOrEqual(most);
        expect(text.match(/^- /gm)).toHaveLength(91);
        expect(text).toMatch(/^- tushare/m);
      },
    );

    test.each<[string, string]>([
      ["How do I price an option and get its Greeks?", "options-strategy"],
      ["which strategy trades the spread between two cointegrated stocks", "pair-trading"],
      ["read a PDF that I was sent", "doc-reader"],
      ["insider trades in Form 4 filings", "edgar-sec-filings"],
      ["how much could I lose in a crash: VaR and stress tests", "risk-analysis"],
      ["龙虎榜和融资融券数据在哪里查？", "eastmoney"],
      ["可转债的双低策略怎么做", "convertible-bond"],
      ["怎么看出财报造假？", "financial-statement"],
      ["哪些行业现在景气度高，怎么轮动", "sector-rotation"],
      ["从我的交割单里提炼盈利模式", "shadow-account"],
    ])("finds what answers %j among the first three: %s", async (question, name) => {
      const { skills } = JSON.parse(await ask(`/v1/skills?limit=3&q=${encodeURIComponent(question)}`));
      expect(skills.map((skill: { name: string }) => skill.name)).toContain(name);
    });

    test("reads the one of 127 KB by section in two calls", async () => {
      const opened = JSON.parse(await ask("/v1/skills/tushare"));
      expect(opened).toMatchObject({ mode: "outline", total_chars: 102_858, complete: false });
      const { section } = opened.outline[3];
      const read = JSON.parse(await ask(`/v1/skills/tushare?section=${encodeURIComponent(section)}`));
      expect(read).toMatchObject({
        mode: "section",
        section: "参数格式说明",
        complete: true,
        document_chars: 102_858,
      });
      expect(read.content).toMatch(/^## 参数格式说明/);
    });

    test("is listed page by page without a gap", async () => {
      const names: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = JSON.parse(await ask(`/v1/skills?limit=40${cursor === "" ? "" : `&cursor=${cursor}`}`));
        names.push(...page.skills.map(({ name }: { name: string }) => name));
        cursor = page.next_cursor;
      }
      const { skills } = JSON.parse(await ask("/v1/skills"));
      expect(names).toEqual(skills.map(({ name }: { name: string }) => name));
    });
  },
);
