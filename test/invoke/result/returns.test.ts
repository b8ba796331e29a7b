import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkReturns } from "../../../src/invoke/result/returns.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import {
  MAX_CHECKED_VALUES,
  MAX_QUOTED_CHARACTERS,
  MAX_RETURNS_FAULTS,
  RETURNS_CHECK_INTERVAL_MS,
} from "../../../src/limits.ts";
import { type Loopback, startLoopback } from "../loopback.ts";
import { cacheRule, chain, functionWith, get, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const PRICE: JsonObject = {
  type: "object",
  properties: { price: { type: "number" } },
  required: ["price"],
};

describe("a result held against `returns`", () => {
  test.each<[string, JsonObject, JsonValue, ReturnType<typeof checkReturns>]>([
    ["fits", PRICE, { price: 1, more: "一" }, { faults: [], unlisted: 0 }],
    [
      "lacks a member",
      PRICE,
      {},
      { faults: [{ path: "/price", rule: "required", expected: "a value", got: "nothing" }], unlisted: 0 },
    ],
    [
      "has another type",
      PRICE,
      { price: "1.5" },
      { faults: [expect.objectContaining({ path: "/price", rule: "type", got: '"1.5"' })], unlisted: 0 },
    ],
  ])("%s", (_what, returns, data, report) => {
    expect(checkReturns(returns, data)).toEqual(report);
  });

  test("lists the first faults and counts the others", () => {
    const returns = { type: "array", items: { type: "integer" } };
    const data = Array.from({ length: MAX_RETURNS_FAULTS + 5 }, () => "x");
    const report = checkReturns(returns, data);
    expect(report?.faults).toHaveLength(MAX_RETURNS_FAULTS);
    expect(report?.unlisted).toBe(5);
  });

  test("names no place at greater length than a message can have", () => {
    const returns = { type: "object", additionalProperties: { type: "integer" } };
    const [fault] = checkReturns(returns, { ["名".repeat(10_000)]: "x" })?.faults ?? [];
    expect([...(fault?.path ?? "")]).toHaveLength(MAX_QUOTED_CHARACTERS);
  });

  test.each<[string, (count: number) => JsonValue]>([
    ["side by side", (count) => Array.from({ length: count }, () => 1)],
    ["within each other", (count) => Array.from({ length: count / 100 }, () => Array(99).fill(1))],
  ])("is not looked at where it has too many values %s", (_how, make) => {
    expect(checkReturns({}, make(MAX_CHECKED_VALUES - 100))).not.toBeNull();
    expect(checkReturns({}, make(MAX_CHECKED_VALUES + 100))).toBeNull();
  });
});

describe("a call whose result is not as its function says", () => {
  let upstream: Loopback;
  beforeAll(async () => {
    upstream = await startLoopback();
  });
  afterAll(() => upstream.close());

  const change = {
    returns: PRICE,
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    cache: cacheRule(),
  };
  const skill = skillWith("demo", [
    functionWith("ask", get("/x"), change),
    functionWith("twice", chain([step("a", "ask"), step("b", "ask", { after: ["a"] })])),
  ]);

  test("gives it all the same, live and kept, and says what is wrong with it", async () => {
    upstream.answer = () => ({ body: { price: "1.5" } });
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    for (const cached of [false, true]) {
      expect(await place.call(skill, "ask", {})).toMatchObject({
        ok: true,
        value: { data: { price: "1.5" }, cached, returns: { faults: [{ path: "/price" }], unlisted: 0 } },
      });
    }
  });

  test("is counted where it is a step of a chain", async () => {
    upstream.answer = () => ({ body: {} });
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    expect(await place.call(skill, "twice", {})).toMatchObject({
      value: { returns: null, steps: [{ returnsFaults: 1 }, { returnsFaults: 1 }] },
    });
  });

  test("is looked at now and then, not each time", async () => {
    upstream.answer = () => ({ body: {} });
    const uncached = skillWith("demo", [functionWith("ask", get("/x"), { returns: PRICE })]);
    const place = new Surroundings(uncached, { baseUrl: upstream.origin });
    const seen = [];
    for (const pauseMs of [0, 1, RETURNS_CHECK_INTERVAL_MS, 0]) {
      place.advance(pauseMs);
      const result = await place.call(uncached, "ask", {});
      seen.push(result.ok && result.value.returns !== null);
    }
    expect(seen).toEqual([true, false, true, false]);
  });
});
