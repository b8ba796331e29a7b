import { exports } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { bundle } from "#catalog";
import type { JsonValue } from "../../src/json.ts";
import { VERSION } from "../../src/version.ts";
import { dialectNames } from "../../src/vocabulary.ts";
import { ask, listOf, objectOf } from "./ask.ts";

const BUNDLED = "tickdb-market-data";
const FUNCTIONS = [
  "get_realtime_price",
  "get_order_book",
  "get_kline",
  "get_recent_trades",
  "calculate_pressure_ratio",
];

/** All that is bundled, in the order of the index. */
const ALL_SKILLS = bundle.index.map(({ name }) => name);
const ALL_FUNCTIONS = bundle.index.flatMap(({ functions }) => functions.map(({ name }) => name));

/** Names that mean something to JavaScript, and some that mean something to file systems. */
const ODD_NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "..%2F..",
  "a%2Fb",
  "%zz",
  "%00",
];

/** What a failure lists; those most like what was asked for come first. */
function sortedDetails(json: JsonValue): JsonValue[] {
  return [...listOf(objectOf(json).details)].sort();
}

describe("GET /health", () => {
  test("says that it runs, what of, and what is bound", async () => {
    const { status, json } = await ask("/health");
    expect(status).toBe(200);
    expect(json).toEqual({
      status: "ok",
      version: VERSION,
      catalog: expect.stringMatching(/^[0-9a-f]{64}$/),
      stores: { skills: true, limits: "auto" },
      faults: [],
      open: true,
      setup: null,
    });
  });
});

describe("GET /v1/skills", () => {
  test("lists what there is, a line a skill", async () => {
    const { status, json } = await ask("/v1/skills");
    expect(status).toBe(200);
    expect(objectOf(json).skills).toContainEqual({
      name: BUNDLED,
      title: BUNDLED,
      description: expect.stringMatching(/^Real-time quotes/),
      category: "data-source",
      version: "1.0.0",
      source: "bundled",
      overrides: false,
      stale: false,
      functions: FUNCTIONS,
    });
  });

  test("gives the lines for a system prompt as text", async () => {
    const { headers, text } = await ask("/v1/skills?format=text");
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    expect(text).toMatch(/^## data-source\n- /);
    expect(text).toMatch(/^- tickdb-market-data: Real-time quotes/m);
  });

  test("gives one category", async () => {
    const expected = bundle.index.filter(({ category }) => category === "data-source");
    const { json } = await ask("/v1/skills?category=data-source");
    expect(listOf(objectOf(json).skills).map((skill) => objectOf(skill).name)).toEqual(
      expected.map(({ name }) => name),
    );
    expect(objectOf((await ask("/v1/skills?category=flow")).json).skills).toEqual([]);
    expect((await ask("/v1/skills?category=flow&format=text")).text).toBe("");
  });
});

describe("GET /v1/skills/:name", () => {
  test("gives the prose, and the whole source when it is asked for", async () => {
    const prose = objectOf((await ask(`/v1/skills/${BUNDLED}`)).json);
    expect(prose).toMatchObject({
      status: "ok",
      mode: "document",
      name: BUNDLED,
      source: "bundled",
      complete: true,
    });
    expect(prose.content).toMatch(/^# Market data from TickDB\n/);
    expect(prose.content).not.toContain("base_url");
    const whole = objectOf((await ask(`/v1/skills/${BUNDLED}?protocol=1&max_chars=100000`)).json);
    expect(whole.content).toMatch(/^---\nname: tickdb-market-data\n[\s\S]*base_url/);
    expect(whole.total_chars).toBe([...String(whole.content)].length);
  });

  test.each([...ODD_NAMES, "tickdb", "天气"])(
    "knows no skill named %s and says what there is",
    async (name) => {
      const { status, json } = await ask(`/v1/skills/${name}`);
      expect(status).toBe(404);
      expect(json).toMatchObject({ error_code: "UNKNOWN_SKILL" });
      expect(sortedDetails(json)).toEqual([...ALL_SKILLS].sort());
    },
  );

  test.each(["..", "%2e%2e", "../../etc/passwd"])("cannot be left by a path like %s", async (name) => {
    const { status, json } = await ask(`/v1/skills/${name}`);
    expect([status, objectOf(json).error_code]).toEqual([404, "UNKNOWN_ROUTE"]);
  });
});

describe("GET /v1/tools", () => {
  /** Where a provider's format has a tool's name. */
  const namesIn: Record<string, (tools: JsonValue[]) => JsonValue[]> = {
    openai: (tools) => tools.map((tool) => objectOf(objectOf(tool).function).name ?? null),
    deepseek: (tools) => tools.map((tool) => objectOf(objectOf(tool).function).name ?? null),
    "openai-responses": (tools) => tools.map((tool) => objectOf(tool).name ?? null),
    anthropic: (tools) => tools.map((tool) => objectOf(tool).name ?? null),
    gemini: (tools) =>
      listOf(objectOf(tools[0]).functionDeclarations).map((tool) => objectOf(tool).name ?? null),
    mcp: (tools) => tools.map((tool) => objectOf(tool).name ?? null),
  };

  async function names(format: string, query = ""): Promise<JsonValue[]> {
    const { json } = await ask(`/v1/tools?format=${format}${query}`);
    return namesIn[format]?.(listOf(objectOf(json).tools)) ?? [];
  }

  test.each(dialectNames)("gives every function in the format %s", async (format) => {
    expect(objectOf((await ask(`/v1/tools?format=${format}`)).json)).toMatchObject({ format });
    expect(await names(format)).toEqual(ALL_FUNCTIONS);
    expect(await names(format, `&skills=${BUNDLED}`)).toEqual(FUNCTIONS);
  });

  test.each(dialectNames)("gives the same tools by any selection of all of them, as %s", async (format) => {
    const all = (await ask(`/v1/tools?format=${format}`)).text;
    expect((await ask(`/v1/tools?format=${format}&skills=${ALL_SKILLS.join(",")}`)).text).toBe(all);
    expect((await ask(`/v1/tools?format=${format}&functions=${ALL_FUNCTIONS.join(",")}`)).text).toBe(all);
  });

  test.each<[string, string[]]>([
    ["&functions=get_kline", ["get_kline"]],
    ["&functions=get_kline,%20get_realtime_price,", ["get_realtime_price", "get_kline"]],
    [`&skills=${BUNDLED}&functions=get_kline`, ["get_kline"]],
    ["&category=tool", ["get_current_time", "calculate_math", "search_web"]],
    ["&category=flow", []],
  ])("selects: %s", async (query, expected) => {
    const { status } = await ask(`/v1/tools?format=anthropic${query}`);
    expect(status).toBe(200);
    if (expected.length > 0) expect(await names("anthropic", query)).toEqual(expected);
    else expect(objectOf((await ask(`/v1/tools?format=anthropic${query}`)).json).tools).toEqual([]);
  });

  test("refuses conditions that no function can meet together", async () => {
    const { status, json } = await ask("/v1/tools?format=anthropic&category=tool&functions=get_kline");
    expect(status).toBe(400);
    expect(objectOf(json)).toMatchObject({ error_code: "INVALID_REQUEST" });
    expect(objectOf(json).error).toContain("get_kline");
  });

  test.each(["__proto__", "constructor", "toString", "nothing", `${BUNDLED},nothing`])(
    "knows no skill or function named %s, which is not an empty list",
    async (name) => {
      const skills = await ask(`/v1/tools?format=openai&skills=${name}`);
      expect(skills.status).toBe(404);
      expect(skills.json).toMatchObject({ error_code: "UNKNOWN_SKILL" });
      expect(sortedDetails(skills.json)).toEqual([...ALL_SKILLS].sort());
      const functions = await ask(`/v1/tools?format=openai&functions=${name.split(",").at(-1)}`);
      expect(functions.json).toMatchObject({ error_code: "UNKNOWN_FUNCTION" });
      expect(sortedDetails(functions.json)).toEqual([...ALL_FUNCTIONS].sort());
    },
  );

  test.each([
    "/v1/tools?format=openai",
    "/v1/tools?format=mcp&functions=get_kline",
    "/v1/skills?format=text",
    "/v1/skills?q=price",
    "/v1/prompt?lang=zh",
    "/openapi.json",
  ])("%s has a strong tag, and nothing is sent to one who has it", async (path) => {
    const first = await ask(path);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await ask(path)).headers.get("etag")).toBe(tag);
    for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const again = await ask(path, { headers: { "If-None-Match": condition } });
      expect([condition, again.status, again.text, again.headers.get("etag")]).toEqual([
        condition,
        304,
        "",
        tag,
      ]);
    }
    for (const condition of ['"x"', tag.replaceAll('"', ""), "W/*"]) {
      const again = await ask(path, { headers: { "If-None-Match": condition } });
      expect([condition, again.status, again.text]).toEqual([condition, 200, first.text]);
    }
  });

  test("has another tag for other tools", async () => {
    const paths = ["openai", "anthropic", "openai&functions=get_kline", "openai&functions=get_order_book"];
    const tags = await Promise.all(
      paths.map(async (query) => (await ask(`/v1/tools?format=${query}`)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(paths.length);
  });
});

const FORMATS = `one of ${dialectNames.join(", ")}`;

describe("a request that does not fit", () => {
  test.each<[string, string, string, string, string]>([
    ["no format", "/v1/tools", "/format", FORMATS, "nothing"],
    ["an unknown format", "/v1/tools?format=xml", "/format", FORMATS, '"xml"'],
    ["a format that JavaScript knows", "/v1/tools?format=__proto__", "/format", FORMATS, '"__proto__"'],
    [
      "one thing twice",
      "/v1/tools?format=mcp&skills=a&skills=b",
      "/skills",
      "given once, as text",
      '["a","b"]',
    ],
    [
      "too many names",
      `/v1/tools?format=mcp&functions=${"x".repeat(4_001)}`,
      "/functions",
      "at most 4000 characters long",
      `"${"x".repeat(199)}… (string, 4003 characters)`,
    ],
    ["an unknown form", "/v1/skills?format=yaml", "/format", "one of json, text", '"yaml"'],
    ["a flag that is none", `/v1/skills/${BUNDLED}?protocol=yes`, "/protocol", "one of 0, 1", '"yes"'],
    [
      "a name that no skill can have",
      `/v1/skills/${"n".repeat(129)}`,
      "/name",
      "at most 128 characters long",
      `"${"n".repeat(129)}"`,
    ],
  ])("is refused for %s, and what was expected is said", async (_what, path, pointer, expected, got) => {
    const { status, json } = await ask(path);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error: expect.stringContaining(`${pointer.slice(1)} is ${expected}`),
      error_code: "INVALID_REQUEST",
      details: [{ path: pointer, expected, got }],
    });
  });

  test("is the same with a slash behind it", async () => {
    expect((await ask("/v1/skills/")).json).toEqual((await ask("/v1/skills")).json);
  });

  test.each([
    ["GET", "/"],
    ["GET", "/v1"],
    ["GET", "/v1/skills//"],
    ["GET", "/V1/skills"],
    ["POST", "/v1/skills"],
    ["DELETE", "/health"],
    ["GET", "/v1/invoke/get_kline"],
    ["GET", "/v1/__proto__"],
    ["PUT", "/openapi.json"],
  ])("is for no route: %s %s", async (method, path) => {
    const { status, json } = await ask(path, { method });
    expect(status).toBe(404);
    expect(json).toMatchObject({ error: `There is no ${method} ${path}.`, error_code: "UNKNOWN_ROUTE" });
  });
});

describe("the id of a request", () => {
  test.each(["a-caller-s-own.id:7", "12345678", "x".repeat(128)])("is the caller's: %s", async (id) => {
    for (const path of ["/health", "/v1/nothing"]) {
      const { headers, json } = await ask(path, { headers: { "X-Request-ID": id } });
      expect(headers.get("x-request-id")).toBe(id);
      if (path !== "/health") expect(json).toMatchObject({ request_id: id });
    }
  });

  test.each(["short", "x".repeat(129), "has blanks in it", "<script>alert(1)</script>", "a,b,c,d,e,f"])(
    "is a new one where the caller's is not a sane one: %s",
    async (id) => {
      const replies = await Promise.all(
        [1, 2].map(() => ask("/v1/nothing", { headers: { "X-Request-ID": id } })),
      );
      const ids = replies.map(({ headers }) => headers.get("x-request-id"));
      expect(new Set([id, ...ids]).size).toBe(3);
      expect(replies.map(({ json }) => objectOf(json).request_id)).toEqual(ids);
    },
  );
});

describe("an open gateway", () => {
  const send = (url: string, headers: Record<string, string> = {}) =>
    exports.default.fetch(new Request(url, { headers }));

  test.each(["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787", "http://10.1.2.3"])(
    "answers by address: %s",
    async (origin) => {
      expect((await send(`${origin}/v1/skills`)).status).toBe(200);
    },
  );

  test.each(["http://rebound.example:8787", "http://localhost.example", "http://gateway"])(
    "answers to no other name, which a web page could point at this machine: %s",
    async (origin) => {
      expect((await send(`${origin}/v1/skills`)).status).toBe(403);
    },
  );

  test.each(["https://evil.example", "http://127.0.0.1:9999", "null"])(
    "answers no web page of another origin: %s",
    async (Origin) => {
      expect((await send("http://127.0.0.1:8787/v1/skills", { Origin })).status).toBe(403);
    },
  );

  test("answers a page of its own", async () => {
    const Origin = "http://127.0.0.1:8787";
    expect((await send(`${Origin}/v1/skills`, { Origin })).status).toBe(200);
  });
});

test("a query parameter that means nothing is refused by name", async () => {
  const { status, json } = await ask("/v1/tools?format=openai&strcit=1");
  expect(status).toBe(400);
  expect(json).toMatchObject({
    details: [{ path: "/strcit", rule: "unrecognized_keys", expected: "no parameter of this operation" }],
  });
});
