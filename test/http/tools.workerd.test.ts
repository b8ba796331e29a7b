import { afterEach, describe, expect, test } from "vitest";
import { bundle } from "#catalog";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { dialectNames } from "../../src/vocabulary.ts";
import { ask, listOf, objectOf } from "./ask.ts";

const ALL_FUNCTIONS = bundle.index.flatMap(({ functions }) => functions.map(({ name }) => name));

const stored = new Set<string>();

/** Puts a skill of these functions into the gateway until the test is over. */
async function put(name: string, functions: JsonObject[], category = "tool"): Promise<void> {
  const front = `---\nname: ${name}\ndescription: A small skill that a test put here.\ncategory: ${category}\n---\n`;
  const body = `${front}\n\`\`\`json\n${JSON.stringify({ functions })}\n\`\`\`\n`;
  const reply = await ask(`/v1/skills/${name}`, { method: "PUT", body });
  expect(reply.status).toBe(201);
  stored.add(name);
}

afterEach(async () => {
  for (const name of stored) await ask(`/v1/skills/${name}`, { method: "DELETE" });
  stored.clear();
});

async function tools(query: string): Promise<JsonValue[]> {
  return listOf(objectOf((await ask(`/v1/tools?${query}`)).json).tools);
}

async function names(query: string): Promise<JsonValue[]> {
  return (await tools(`format=anthropic&${query}`)).map((tool) => objectOf(tool).name ?? null);
}

/** Every way to ask for tools that is not the plain one. */
const OPTIONS = ["strict=1", "examples=1", "defer=1", "strict=1&examples=1&defer=1", "unbound=1"];

describe("the options of GET /v1/tools", () => {
  test.each(dialectNames.flatMap((format) => OPTIONS.map((options) => [format, options] as const)))(
    "as %s with %s, give tools under a strong tag, and 304 to one who has them",
    async (format, options) => {
      const path = `/v1/tools?format=${format}&${options}`;
      const first = await ask(path);
      expect(first.status).toBe(200);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
      const again = await ask(path, { headers: { "If-None-Match": tag } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
    },
  );

  test.each(dialectNames)("that are off change nothing, as %s", async (format) => {
    const plain = (await ask(`/v1/tools?format=${format}`)).text;
    expect((await ask(`/v1/tools?format=${format}&strict=0&examples=0&defer=0&unbound=0`)).text).toBe(plain);
    expect((await ask(`/v1/tools?format=${format}&unbound=1`)).text).toBe(plain);
  });

  test("reach the tools", async () => {
    const chat = await tools("format=openai&strict=1&functions=get_current_time");
    expect(objectOf(objectOf(chat[0]).function).strict).toBe(true);
    const deferred = await tools("format=anthropic&defer=1&functions=get_current_time");
    expect(deferred).toContainEqual(
      expect.objectContaining({ name: "get_current_time", defer_loading: true }),
    );
  });

  test("say what they did not do", async () => {
    const { json } = await ask("/v1/tools?format=gemini&defer=1");
    expect(objectOf(json).notes).toContainEqual({
      option: "defer",
      function: null,
      note: expect.any(String),
    });
  });

  test("apply to one's own skills too", async () => {
    const parameters = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    await put("own", [{ name: "own_echo", description: "Gives it back.", parameters, compute: "a" }]);
    const [tool] = await tools("format=openai&strict=1&functions=own_echo");
    expect(objectOf(objectOf(tool).function).strict).toBe(true);
  });

  test.each(["strict=yes", "defer=", "examples=true", "unbound=2"])("have two values: %s", async (option) => {
    const { status, json } = await ask(`/v1/tools?format=openai&${option}`);
    expect([status, objectOf(json).details]).toEqual([
      400,
      [expect.objectContaining({ expected: "one of 0, 1" })],
    ]);
  });
});

describe("the selection of tools", () => {
  test("holds all that is asked for together", async () => {
    expect(
      await names("skills=world-tools,weather&functions=calculate_math,geocode_place&category=tool"),
    ).toEqual(["calculate_math"]);
  });

  test("knows no category that is none, and names the nearest", async () => {
    const { status, json } = await ask("/v1/tools?format=openai&category=tols");
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error_code: "INVALID_REQUEST",
      error: expect.stringContaining('There is no category "tols"; it is one of tool, '),
      details: [{ path: "/category", got: '"tols"' }],
    });
  });

  test.each(["skills=", "functions=", "functions=,", "skills=%20,%20", "category="])(
    "is of something: %s",
    async (query) => {
      const { status, json } = await ask(`/v1/tools?format=openai&${query}`);
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error_code: "INVALID_REQUEST",
        details: [{ path: expect.any(String), expected: expect.any(String) }],
      });
    },
  );

  test.each(["/v1/tools", "/v1/tools/losses"])(
    "refuses what excludes one another, and says what is so: %s",
    async (path) => {
      const { status, json } = await ask(`${path}?format=openai&skills=weather&functions=calculate_math`);
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error_code: "INVALID_REQUEST",
        error:
          "No function fits functions=calculate_math and skills=weather together: calculate_math is of the skill " +
          "world-tools in the category tool.",
        details: [{ path: "/functions" }, { path: "/skills" }],
      });
    },
  );

  test.each(["", "&strict=1"])("says that it is empty where a skill has no functions%s", async (options) => {
    await put("silent", [{ name: "only_said", description: "Is nothing but a name." }]);
    const { json } = await ask(`/v1/tools?format=openai&skills=silent${options}`);
    expect(json).toMatchObject({
      tools: [],
      notes: [
        { option: "tools", function: null, note: expect.stringContaining("Nothing that was asked for") },
      ],
    });
  });

  test("knows a category of one's own skills", async () => {
    await put("gardening", [{ name: "water_it", description: "Waters.", compute: "1" }], "garden");
    expect(await names("category=garden")).toEqual(["water_it"]);
  });

  test("serves what is only declared where that is asked for, and nobody can call it", async () => {
    const declared = [
      { name: "only_said", description: "Is nothing but a name." },
      { name: "done_here", description: "Gives one.", compute: "1" },
    ];
    await put("declared", declared);
    expect(await names("skills=declared")).toEqual(["done_here"]);
    expect(await names("skills=declared&unbound=1")).toEqual(["only_said", "done_here"]);
    expect(await names("functions=only_said&unbound=1")).toEqual(["only_said"]);
    expect((await ask("/v1/tools?format=openai&functions=only_said")).json).toMatchObject({
      error_code: "UNKNOWN_FUNCTION",
    });
    const called = await ask("/v1/invoke/only_said", { method: "POST", body: "{}" });
    expect(called.json).toMatchObject({ error_code: "UNKNOWN_FUNCTION" });
  });
});

describe("GET /v1/tools/losses", () => {
  async function losses(query: string): Promise<JsonObject[]> {
    const { status, json } = await ask(`/v1/tools/losses?${query}`);
    expect(status).toBe(200);
    return listOf(objectOf(json).losses).map(objectOf);
  }

  test.each(dialectNames)("says what became of what %s cannot express", async (format) => {
    for (const loss of await losses(`format=${format}`)) {
      expect(ALL_FUNCTIONS).toContain(loss.function);
      expect(loss).toEqual({
        skill: expect.any(String),
        tool: expect.any(String),
        function: expect.any(String),
        path: expect.stringMatching(/^(\/|$)/),
        keyword: expect.any(String),
        outcome: expect.stringMatching(/^(described|widened|dropped|renamed)$/),
        note: expect.stringMatching(/\S/),
      });
    }
  });

  test("says it of the same selection", async () => {
    const of = await losses("format=gemini&functions=get_kline");
    expect(of.length).toBeGreaterThan(0);
    expect(new Set(of.map((loss) => loss.function))).toEqual(new Set(["get_kline"]));
    const all = await losses("format=gemini");
    expect(all.filter((loss) => loss.function === "get_kline")).toEqual(of);
  });

  test("names the tool as the provider knows it", async () => {
    const name = `_${"x".repeat(60)}`;
    const parameters = { type: "object", properties: { 城市: { type: "string" } } };
    await put("renaming", [{ name, description: "Has odd names.", parameters, compute: "1" }]);
    const [tool] = await tools(`format=anthropic&functions=${name}`);
    const renamed = (await losses(`format=anthropic&functions=${name}`)).filter(
      ({ outcome }) => outcome === "renamed",
    );
    expect(renamed).toMatchObject([
      { function: name, tool: objectOf(tool).name, path: expect.stringContaining("城市") },
    ]);
  });

  test("has a strong tag, and refuses what the tools refuse", async () => {
    const first = await ask("/v1/tools/losses?format=gemini");
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    const again = await ask("/v1/tools/losses?format=gemini", { headers: { "If-None-Match": tag } });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await ask("/v1/tools/losses")).status).toBe(400);
    expect((await ask("/v1/tools/losses?format=gemini&functions=nothing")).status).toBe(404);
  });
});
