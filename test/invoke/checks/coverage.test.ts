import { describe, expect, test } from "vitest";
import { checkCoverage } from "../../../src/invoke/checks/coverage.ts";
import { callValues, PreparedFunction } from "../../../src/invoke/prepared.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../../src/json.ts";
import { prepared } from "../compiled.ts";
import { functionWith, parameters, skillWith } from "../skills.ts";

function verdict(exclusions: JsonValue[], args: JsonObject) {
  const ready = prepared({
    parameters: { symbol: { type: "string" }, depth: { type: "integer" } },
    constraints: { data_coverage: { exclusions } },
  });
  const call = { id: "request-1", time: 0, skill: "demo", function: "ask" };
  return checkCoverage(ready, callValues(args, { call, vars: jsonObject() }));
}

const NO_CURRENCIES = {
  when: 'symbol != null && symbol.endsWith(".FX")',
  message: "There is none for currencies. 货币没有。",
};

describe("the coverage of a skill", () => {
  test("lets pass what no exclusion is about", () => {
    expect(verdict([NO_CURRENCIES], { symbol: "700.HK" })).toEqual({ ok: true, value: null });
    expect(verdict([NO_CURRENCIES], {})).toEqual({ ok: true, value: null });
    expect(verdict([], {})).toEqual({ ok: true, value: null });
  });

  test("refuses what an exclusion is about, in the skill's own words", () => {
    expect(verdict([NO_CURRENCIES], { symbol: "EURUSD.FX" })).toEqual({
      ok: false,
      failure: { code: "NOT_COVERED", function: "ask", message: "There is none for currencies. 货币没有。" },
    });
  });

  test("is stated by the first exclusion that holds, and sentences for models refuse nothing", () => {
    const exclusions = [
      "No futures before 2020.",
      { when: 'call.function != "ask"', message: "not this function" },
      { when: "depth != null && depth > 10", message: "ten levels" },
      { when: "true", message: "nothing at all" },
    ];
    expect(verdict(exclusions, { depth: 11 })).toMatchObject({ failure: { message: "ten levels" } });
    expect(verdict(exclusions, { depth: 10 })).toMatchObject({ failure: { message: "nothing at all" } });
  });

  test("fails closed where an exclusion cannot be computed", () => {
    const when = 'symbol.endsWith(".FX")';
    expect(verdict([{ when, message: "never mind" }], { symbol: 5 })).toMatchObject({
      failure: { code: "EXPRESSION_FAILED", where: when },
    });
  });

  test("is not about a call without the parameter that it cannot do without", () => {
    const exclusions = [{ when: 'symbol.endsWith(".FX")', message: "none" }];
    expect(verdict(exclusions, {})).toEqual({ ok: true, value: null });
    expect(verdict(exclusions, { symbol: null })).toEqual({ ok: true, value: null });
  });
});

describe("an exclusion over functions that give one name different types", () => {
  const dated = functionWith(
    "dated",
    { kind: "compute", expression: "1" },
    { parameters: { ...parameters({ date: { type: "string" } }), required: ["date"] } },
  );
  const undated = functionWith(
    "undated",
    { kind: "compute", expression: "1" },
    { parameters: parameters({ date: { type: "string" }, symbols: { type: "array" } }) },
  );

  test.each([
    ["dated", 'date != null && date < "1999-01-04"'],
    ["dated", 'args.date < "1999-01-04"'],
    ["dated", "symbols == null || size(symbols) > 5"],
    ["undated", 'date != null && date < "1999-01-04" && symbols != null'],
  ])("holds in %s as it was checked: %s", (name, when) => {
    const skill = skillWith("demo", [dated, undated], [], {
      coverage: { markets: null, exclusions: [{ when, message: "before the first" }] },
    });
    const args: JsonObject = name === "dated" ? { date: "1990-01-01" } : { date: "1990-01-01", symbols: [] };
    const call = { id: "request-1", time: 0, skill: "demo", function: name };
    const ready = new PreparedFunction(skill, name === "dated" ? dated : undated);
    expect(checkCoverage(ready, callValues(args, { call, vars: jsonObject() }))).toMatchObject({
      failure: { code: "NOT_COVERED" },
    });
  });
});

describe("an exclusion that names a parameter of another function", () => {
  const ask = functionWith(
    "ask",
    { kind: "compute", expression: "1" },
    { parameters: parameters({ symbol: {} }) },
  );
  const other = functionWith(
    "other",
    { kind: "compute", expression: "1" },
    { parameters: parameters({ depth: {} }) },
  );

  function verdictOf(when: string, args: JsonObject, name = "other") {
    const coverage = { markets: null, exclusions: [{ when, message: "none" }] };
    const skill = skillWith("demo", [ask, other], [], { coverage });
    const definition = name === "ask" ? ask : other;
    const call = { id: "request-1", time: 0, skill: "demo", function: name };
    return checkCoverage(
      new PreparedFunction(skill, definition),
      callValues(args, { call, vars: jsonObject() }),
    );
  }

  test.each([
    'symbol.endsWith(".FX")',
    'symbol.matches("FX$")',
    'symbol == "EURUSD.FX"',
    'args.symbol == "EURUSD.FX"',
    'args["symbol"].endsWith(".FX")',
    'call.function == "ask" && symbol.endsWith(".FX")',
    'depth == 5 && symbol.endsWith(".FX")',
  ])("is not about a function that lacks it: %s", (when) => {
    expect(verdictOf(when, { depth: 5 })).toEqual({ ok: true, value: null });
  });

  test.each(["symbol == null", "args.symbol == null", "depth > 4 && symbol == null"])(
    "sees null there: %s",
    (when) => {
      expect(verdictOf(when, { depth: 5 })).toMatchObject({ failure: { code: "NOT_COVERED" } });
    },
  );

  test("is about a function that takes it although it does not declare it", () => {
    expect(verdictOf('args.symbol == "X.FX"', { symbol: "X.FX" })).toMatchObject({
      failure: { code: "NOT_COVERED" },
    });
  });

  test("still fails closed where the fault lies elsewhere", () => {
    const failure = { code: "EXPRESSION_FAILED" };
    expect(verdictOf('depth.matches("5")', { depth: 5 })).toMatchObject({ failure });
    expect(verdictOf('symbol.endsWith(".FX")', { symbol: 5 }, "ask")).toMatchObject({ failure });
  });
});
