import { describe, expect, test } from "vitest";
import { bundle } from "#catalog";
import { dialectNames } from "../../src/vocabulary.ts";
import { ask, listOf, objectOf } from "./ask.ts";

const BUNDLED = "tickdb-market-data";

function namesOf(json: unknown): unknown[] {
  return listOf(objectOf(json as never).skills).map((skill) => objectOf(skill).name);
}

describe("GET /v1/skills/:name", () => {
  test("gives an outline of a document that is too large, and each section that it names", async () => {
    const opened = objectOf((await ask(`/v1/skills/${BUNDLED}?max_chars=1000`)).json);
    expect(opened).toMatchObject({ mode: "outline", complete: false });
    for (const line of listOf(opened.outline)) {
      const { section, chars } = objectOf(line);
      const path = `/v1/skills/${BUNDLED}?section=${encodeURIComponent(String(section))}`;
      expect((await ask(path)).json).toMatchObject({ mode: "section", total_chars: chars, complete: true });
    }
  });

  test("gives a document page by page, none larger than asked for", async () => {
    const whole = objectOf((await ask(`/v1/skills/${BUNDLED}?max_chars=100000`)).json);
    expect(whole).toMatchObject({ mode: "document", complete: true });
    let content = "";
    for (let offset: unknown = 0; offset !== null; ) {
      const { text, json } = await ask(`/v1/skills/${BUNDLED}?max_chars=1000&offset=${offset}`);
      expect([...text].length).toBeLessThanOrEqual(1_000);
      const page = objectOf(json);
      content += String(page.content);
      offset = page.next_offset;
    }
    expect(content).toBe(whole.content);
  });

  test("finds sections of a skill that was put a moment ago, and refuses what several are named", async () => {
    const source =
      "---\nname: tides\ndescription: Times and heights of the tides at a harbour.\n---\n# A\n## Use\n一\n# B\n## Use\n二\n";
    await ask("/v1/skills/tides", { method: "PUT", body: source });
    const found = await ask(`/v1/skills/tides?section=${encodeURIComponent("B > Use")}`);
    expect(found.json).toMatchObject({ source: "user", section: "Use", content: "## Use\n二" });
    const several = await ask("/v1/skills/tides?section=Use");
    expect([several.status, objectOf(several.json).error_code]).toEqual([409, "AMBIGUOUS_SECTION"]);
    expect(objectOf(several.json).details).toEqual(["A > Use", "B > Use"]);
    const none = await ask("/v1/skills/tides?section=C");
    expect([none.status, objectOf(none.json).error_code]).toEqual([404, "UNKNOWN_SECTION"]);
    await ask("/v1/skills/tides", { method: "DELETE" });
  });

  test.each([
    ["an offset past the end", "offset=100000", "/offset"],
    ["less than there is room for", "max_chars=999", "/max_chars"],
    ["a section of the whole source", "protocol=1&section=Symbols", "/section"],
    ["an empty section", "section=", "/section"],
  ])("refuses %s", async (_what, query, path) => {
    const { status, json } = await ask(`/v1/skills/${BUNDLED}?${query}`);
    expect(status).toBe(400);
    expect(objectOf(json)).toMatchObject({ error_code: "INVALID_REQUEST", details: [{ path }] });
  });
});

describe("GET /v1/skills with a question", () => {
  test.each([
    ["the stock price of Tesla, and who is buying", "tickdb-market-data"],
    ["convert euros to dollars", "exchange-rates"],
    ["will it rain tomorrow", "weather"],
    ["汇率换算", "exchange-rates"],
    ["股友圈的热帖", "stock-circles"],
    ["明天的天气", "weather"],
  ])("finds for %j first %s", async (question, name) => {
    const { json } = await ask(`/v1/skills?limit=3&q=${encodeURIComponent(question)}`);
    expect(namesOf(json)[0]).toBe(name);
  });

  test("finds a skill of one's own from the moment it is put, and no longer when it is removed", async () => {
    const source =
      "---\nname: tides\ndescription: Times and heights of the tides at a harbour.\ntags: [moonpull]\n---\n";
    await ask("/v1/skills/tides", { method: "PUT", body: source });
    expect(namesOf((await ask("/v1/skills?q=moonpull")).json)).toEqual(["tides"]);
    await ask("/v1/skills/tides", { method: "DELETE" });
    expect(namesOf((await ask("/v1/skills?q=moonpull")).json)).toEqual([]);
  });

  test("gives pages by a cursor, and says where a cursor is of another index", async () => {
    const first = objectOf((await ask("/v1/skills?limit=2")).json);
    expect(first).toMatchObject({ total: bundle.index.length, next_cursor: expect.any(String) });
    const next = await ask(`/v1/skills?limit=2&cursor=${first.next_cursor}`);
    expect(namesOf(next.json)).toEqual(bundle.index.slice(2, 4).map(({ name }) => name));
    const stale = await ask("/v1/skills?cursor=2-0000000000000000");
    expect(stale.json).toMatchObject({ error_code: "INVALID_REQUEST", details: [{ path: "/cursor" }] });
  });

  test("keeps every name within a budget", async () => {
    const { text } = await ask("/v1/skills?format=text&max_chars=1000");
    expect([...text].length).toBeLessThanOrEqual(1_000);
    for (const { name } of bundle.index) expect(text).toMatch(new RegExp(`^- ${name}: .+…$`, "m"));
    const { text: json } = await ask("/v1/skills?max_chars=3000");
    expect([...json].length).toBeLessThanOrEqual(3_000);
  });
});

describe("GET /v1/prompt", () => {
  test("gives the same bytes each time, under a strong tag", async () => {
    const { text, headers } = await ask("/v1/prompt");
    const tag = headers.get("etag") ?? "";
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await ask("/v1/prompt")).text).toBe(text);
    expect((await ask("/v1/prompt", { headers: { "If-None-Match": tag } })).status).toBe(304);
    for (const { name } of bundle.index) expect(text).toContain(`- ${name}: `);
    expect(text).toContain("There is no order book for currencies, metals and indices.");
    expect(text).toMatch(/^- `find_circle_holdings` calls /m);
  });

  test("has the documents of the skills that are chosen, and no others", async () => {
    const { text } = await ask("/v1/prompt?lang=zh&skills=weather");
    expect(text.match(/^<skill name=".*">$/gm)).toEqual(['<skill name="weather">']);
    expect(text).toMatch(/^# 工具/);
    expect(text).not.toContain("tickdb");
    const { status, json } = await ask("/v1/prompt?skills=wether");
    expect([status, objectOf(json).error_code]).toEqual([404, "UNKNOWN_SKILL"]);
    expect(listOf(objectOf(json).details)[0]).toBe("weather");
  });

  test.each(dialectNames)("names tools as they are named in %s", async (format) => {
    const { text } = await ask(`/v1/prompt?format=${format}`);
    const { text: tools } = await ask(`/v1/tools?format=${format}`);
    const known = new Set([...tools.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name));
    const lines = text.match(/^- .*Tools: .*$/gm) ?? [];
    const names = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test("changes with a skill of one's own", async () => {
    const before = (await ask("/v1/prompt")).headers.get("etag");
    const source = "---\nname: tides\ndescription: Times and heights of the tides at a harbour.\n---\n";
    await ask("/v1/skills/tides", { method: "PUT", body: source });
    const during = await ask("/v1/prompt");
    expect(during.text).toContain("- tides: Times and heights");
    expect(during.headers.get("etag")).not.toBe(before);
    await ask("/v1/skills/tides", { method: "DELETE" });
    expect((await ask("/v1/prompt")).headers.get("etag")).toBe(before);
  });

  test("is refused where it does not fit, with the least that it takes", async () => {
    const { json } = await ask("/v1/prompt?max_chars=1000");
    expect(json).toMatchObject({ error_code: "INVALID_REQUEST", details: [{ path: "/max_chars" }] });
  });
});
