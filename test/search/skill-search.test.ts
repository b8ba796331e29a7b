import { describe, expect, test } from "vitest";
import type { SearchableEntry } from "../../src/ir.ts";
import { SkillSearch } from "../../src/search/index.ts";

function entry(name: string, fields: Partial<SearchableEntry> = {}): SearchableEntry {
  const description = "Something that has nothing to do with it.";
  const about = {
    title: name,
    description,
    category: "tool",
    version: null,
    digest: "",
    permission: null,
    overridable: "all" as const,
    base: null,
    functions: [],
    keywords: "",
  };
  return { name, ...about, ...fields };
}

const entries = [
  entry("order-book", { description: "Reads an order book." }),
  entry("weather", {
    functions: [{ name: "get_forecast", description: "Rain and wind for 16 days.", permission: null }],
  }),
  entry("rates", { title: "汇率换算", keywords: "换汇\nbase_currency\n人民币对美元" }),
  entry("depth", { keywords: "Order flow\nBook of orders" }),
  entry("flow", { category: "capital", description: "Where capital goes." }),
];

describe("a search", () => {
  const search = SkillSearch.empty().add(entries);

  test.each<[string, string, string[]]>([
    ["by name before all else", "order book", ["order-book", "depth"]],
    ["by what a function does", "will it rain", ["weather"]],
    ["by a function's name", "get_forecast", ["weather"]],
    ["by a title", "汇率", ["rates"]],
    ["by a trigger", "我想换汇", ["rates"]],
    ["by a parameter", "base currency", ["rates"]],
    ["by one character of a word", "币", ["rates"]],
    ["by the beginning of a word", "foreca", ["weather"]],
    ["with a letter wrong", "forcast", ["weather"]],
    ["in other letters", "ＷＥＡＴＨＥＲ", ["weather"]],
    ["in a category", "capital", ["flow"]],
    ["in vain", "quantum chromodynamics", []],
    ["with signs alone", "?!", []],
    ["by names that objects have", "__proto__ constructor toString", []],
  ])("finds %s", (_how, question, names) => {
    expect(search.find(question)).toEqual(names);
  });

  test("is the same when it was written and read again", () => {
    const again = SkillSearch.load(search.text());
    for (const question of ["order book", "汇率", "rain"])
      expect(again.find(question)).toEqual(search.find(question));
  });

  test("knows a skill as it was added last, and no longer as it was before", () => {
    const changed = SkillSearch.load(search.text()).add([
      entry("weather", { description: "Tides." }),
      entry("new"),
    ]);
    expect(changed.find("rain")).toEqual([]);
    expect(changed.find("tides")).toEqual(["weather"]);
    expect(changed.find("new")).toEqual(["new"]);
    expect(search.find("rain")).toEqual(["weather"]);
  });

  test("gives skills that answer equally well by name", () => {
    expect(
      SkillSearch.empty()
        .add([entry("b"), entry("a")])
        .find("something"),
    ).toEqual(["a", "b"]);
  });
});
