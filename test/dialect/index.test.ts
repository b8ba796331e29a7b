import { describe, expect, test } from "vitest";
import { dialects } from "../../src/dialect/index.ts";
import { dialectNames } from "../../src/vocabulary.ts";
import { functionWith } from "./definition.ts";

const all = Object.values(dialects);

test("there is a dialect for every name, under that name", () => {
  expect(all.map(({ name }) => name)).toEqual([...dialectNames]);
  for (const [name, dialect] of Object.entries(dialects)) expect(dialect.name).toBe(name);
});

describe.each(all)("$name", (dialect) => {
  test("wraps tools into what the provider's tools parameter takes", () => {
    const tools = ["first", "second"].map((name) =>
      dialect.encodeTool(functionWith({ type: "object" }, { name })),
    );
    const wrapped: unknown = JSON.parse(dialect.wrapTools(tools.map(({ json }) => json)));
    const list = tools.map(({ json }): unknown => JSON.parse(json));
    expect(wrapped).toEqual(dialect.name === "gemini" ? [{ functionDeclarations: list }] : list);
    expect(JSON.parse(dialect.wrapTools([]))).toEqual([]);
  });

  test("finds the function again that a tool stands for", () => {
    const known = new Set([
      "get_kline",
      "2fa_reset",
      "_2fa_reset",
      "__2fa_reset",
      "天气预报",
      "汇率换算",
      "a".repeat(200),
    ]);
    for (const name of known) {
      const toolName = dialect.toolName(name);
      expect(dialect.functionName(toolName, known)).toBe(name);
      const { json } = dialect.encodeTool(functionWith({ type: "object" }, { name }));
      expect(dialect.problemsOf(json)).toEqual([]);
      expect(json).toContain(JSON.stringify(toolName));
    }
    expect(new Set([...known].map(dialect.toolName)).size).toBe(known.size);
    expect(dialect.functionName("nobody", known)).toBeNull();
  });

  test("keeps a name that the provider accepts, and reports one that it changes", () => {
    const plain = dialect.encodeTool(functionWith({ type: "object" }, { name: "get_kline" }));
    expect(dialect.toolName("get_kline")).toBe("get_kline");
    expect(plain.losses).toEqual([]);
    const { losses } = dialect.encodeTool(functionWith({ type: "object" }, { name: "天气预报" }));
    expect(losses).toEqual([
      {
        function: "天气预报",
        path: "",
        keyword: "name",
        outcome: "renamed",
        note: `The tool is called ${JSON.stringify(dialect.toolName("天气预报"))}; calls find the function again.`,
      },
    ]);
  });

  test("says in the description that a function is deprecated", () => {
    const { json } = dialect.encodeTool(functionWith({ type: "object" }, { deprecated: true }));
    expect(json).toContain(JSON.stringify("Looks something up.\nDeprecated."));
  });

  test("keeps interfaces' own keywords from models, at every level, without counting them as losses", () => {
    const hidden = { "x-widget": "slider", "x-in": "query" };
    const definition = functionWith({
      type: "object",
      ...hidden,
      properties: {
        value: { type: "string", ...hidden },
        list: { type: "array", items: { type: "string", ...hidden } },
        "x-label": { type: "string" },
      },
      $defs: { Unused: { type: "string", ...hidden } },
    });
    const { json, losses } = dialect.encodeTool(definition);
    expect(json).not.toContain("x-widget");
    expect(json).not.toContain("x-in");
    // A property is not a keyword, whatever its name.
    expect(json).toContain("x-label");
    expect(losses.filter(({ keyword }) => keyword.startsWith("x-"))).toEqual([]);
  });

  test("sends an open object and the schema as text where the schema is beyond repair", () => {
    const parameters = { type: "object", properties: { value: { type: "int", "x-widget": "slider" } } };
    const definition = functionWith(parameters);
    const { json, losses } = dialect.encodeTool(definition);
    expect(dialect.problemsOf(json)).toEqual([]);
    expect(json).toContain("Arguments: ");
    expect(json).toContain('\\"int\\"');
    expect(json).not.toContain("slider");
    expect(losses).toMatchObject([{ path: "", keyword: "properties", outcome: "described" }]);
    expect(dialect.restoreArguments(definition, { value: 1 })).toEqual({ value: 1 });
  });
});
