import { describe, expect, test } from "vitest";
import { Budget, Slots } from "../../src/invoke/run.ts";
import { MAX_CALL_REQUESTS, MAX_CALL_RESPONSE_BYTES, MAX_CHAIN_CALLS } from "../../src/limits.ts";

describe("the budget of a call", () => {
  test("has so many requests, and says what forbids another one", () => {
    const budget = new Budget();
    for (let index = 0; index < MAX_CALL_REQUESTS; index++) expect(budget.takeRequest()).toBeNull();
    expect(budget.takeRequest()).toMatch(/at most 40 requests/);
  });

  test("counts requests that nothing forbids, also beyond its end", () => {
    const budget = new Budget();
    for (let index = 0; index < MAX_CALL_REQUESTS + 1; index++) budget.countRequest();
    expect(budget.takeRequest()).toMatch(/at most 40 requests/);
  });

  test("has no request left once the replies have so many bytes", () => {
    const budget = new Budget();
    budget.takeBytes(MAX_CALL_RESPONSE_BYTES - 1);
    expect(budget.takeRequest()).toBeNull();
    budget.takeBytes(1);
    expect(budget.takeRequest()).toMatch(/bytes of replies/);
  });

  test("has so many calls of steps, taken together or not at all", () => {
    const budget = new Budget();
    expect(budget.takeCalls(MAX_CHAIN_CALLS - 1)).toBe(true);
    expect(budget.takeCalls(2)).toBe(false);
    expect([budget.takeCalls(0), budget.takeCalls(1), budget.takeCalls(1)]).toEqual([true, true, false]);
  });
});

describe("slots", () => {
  test("let so many through at once, the others in their order, also after one that throws", async () => {
    const slots = new Slots(2);
    const log: string[] = [];
    const work = (name: string) =>
      slots.run(async () => {
        log.push(`${name} in`);
        await Promise.resolve();
        log.push(`${name} out`);
        if (name === "b") throw new Error(name);
      });
    const results = await Promise.allSettled(["a", "b", "c", "d"].map(work));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(log.slice(0, 2)).toEqual(["a in", "b in"]);
    expect(log.filter((line) => line.endsWith("in"))).toEqual(["a in", "b in", "c in", "d in"]);
    let underWay = 0;
    for (const line of log) {
      underWay += line.endsWith("in") ? 1 : -1;
      expect(underWay).toBeLessThanOrEqual(2);
    }
  });
});
