import { describe, expect, test } from "vitest";
import { checkCoverage } from "../../src/invoke/coverage.ts";
import { callValues } from "../../src/invoke/prepared.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../src/json.ts";
import { prepared } from "./compiled.ts";

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
      { when: 'call.function == "other"', message: "not this function" },
      { when: "depth != null && depth > 10", message: "ten levels" },
      { when: "true", message: "nothing at all" },
    ];
    expect(verdict(exclusions, { depth: 11 })).toMatchObject({ failure: { message: "ten levels" } });
    expect(verdict(exclusions, { depth: 10 })).toMatchObject({ failure: { message: "nothing at all" } });
  });

  test("fails closed where an exclusion cannot be computed", () => {
    const when = 'symbol.endsWith(".FX")';
    expect(verdict([{ when, message: "never mind" }], {})).toMatchObject({
      failure: { code: "EXPRESSION_FAILED", where: when },
    });
  });
});
