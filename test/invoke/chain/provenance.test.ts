import { beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/invoke/index.ts";
import type { CacheRule, Constraints, FunctionDefinition, Pagination } from "../../../src/ir.ts";
import { loopbackForTests } from "../loopback.ts";
import { cacheRule, chain, functionWith, get, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };
const SECOND = 1_000;

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = () => ({ body: upstream.arrivals.length });
});

function kept(name: string, binding: FunctionDefinition["binding"], rule: Partial<CacheRule>) {
  return functionWith(name, binding, { annotations: READ_ONLY, cache: cacheRule(rule) });
}

/** Calls `overview` of a skill with these functions, again and again. */
function placeWith(functions: FunctionDefinition[], constraints: Partial<Constraints> = {}) {
  const skill = skillWith("demo", functions, [], constraints);
  const place = new Surroundings(skill, { baseUrl: upstream.origin });
  const ask = async (name = "overview"): Promise<Outcome> => {
    const result = await place.call(skill, name, {});
    if (!result.ok) throw new Error(JSON.stringify(result.failure));
    return result.value;
  };
  return { place, ask };
}

function told({ data, stale, ageMs, cached }: Outcome) {
  return { data, stale, seconds: ageMs / SECOND, cached };
}

const minute = 60 * SECOND;
const look = kept("look", get("/look"), { staleWhileRevalidateMs: 10 * minute });
const fetched = functionWith("fetched", get("/fetched"));
const both = chain([step("old", "look"), step("new", "fetched")], "steps.old");

describe("what a chain is made of", () => {
  test("is as old as the oldest of its data, and stale where a step's is", async () => {
    const { place, ask } = placeWith([functionWith("overview", both), look, fetched]);
    expect(await ask("look")).toMatchObject({ data: 1, ageMs: 0 });
    place.advance(30 * SECOND);
    const fresh = await ask();
    expect(told(fresh)).toEqual({ data: 1, stale: false, seconds: 30, cached: false });
    expect(fresh.steps).toMatchObject([
      { id: "old", stale: false, ageMs: 30 * SECOND },
      { id: "new", stale: false, ageMs: 0 },
    ]);
    place.advance(60 * SECOND);
    const stale = await ask();
    expect(told(stale)).toEqual({ data: 1, stale: true, seconds: 90, cached: false });
    expect(stale.steps).toMatchObject([
      { stale: true, ageMs: 90 * SECOND },
      { stale: false, ageMs: 0 },
    ]);
    await place.settled();
  });

  test("is told of through a chain within it, and of the worst of many elements", async () => {
    const inner = functionWith("inner", both);
    const overview = functionWith("overview", chain([step("all", "inner", { forEach: "[1, 2]" })]));
    const { place, ask } = placeWith([overview, inner, look, fetched]);
    await ask("look");
    place.advance(90 * SECOND);
    const outcome = await ask();
    expect(outcome).toMatchObject({ stale: true, ageMs: 90 * SECOND });
    expect(outcome.steps).toMatchObject([{ id: "all", calls: 2, stale: true, ageMs: 90 * SECOND }]);
    await place.settled();
  });

  test("counts towards the time for which the chain is kept", async () => {
    const { place, ask } = placeWith([kept("overview", both, { ttlMs: minute }), look, fetched]);
    await ask("look");
    place.advance(50 * SECOND);
    await ask();
    place.advance(9 * SECOND);
    expect(told(await ask())).toEqual({ data: 1, stale: false, seconds: 59, cached: true });
    place.advance(SECOND);
    expect(await ask()).toMatchObject({ cached: false, ageMs: 60 * SECOND });
  });

  test("is not kept with it where it is stale, and the chain is made anew from what is new", async () => {
    const { place, ask } = placeWith([kept("overview", both, { ttlMs: 60 * minute }), look, fetched]);
    await ask("look");
    place.advance(90 * SECOND);
    expect(told(await ask())).toEqual({ data: 1, stale: true, seconds: 90, cached: false });
    await place.settled();
    const renewed = told(await ask());
    expect(renewed).toMatchObject({ stale: false, seconds: 0, cached: false });
    expect(renewed.data).not.toBe(1);
    expect(await ask()).toMatchObject({ cached: true, stale: false });
  });

  test("is better than an older result of the chain itself", async () => {
    const rule = { ttlMs: minute, staleIfErrorMs: 60 * minute };
    const { place, ask } = placeWith([kept("overview", both, rule), look, fetched]);
    await ask();
    place.advance(90 * SECOND);
    expect(await ask()).toMatchObject({ cached: false, stale: true });
    await place.settled();
    expect(await ask()).toMatchObject({ cached: false });
  });
});

/** Pages of one item each, three in all. */
const pages: Pagination = { kind: "page", parameter: "p", first: 1, more: "body.p < 3", maxPages: 3 };

function listOf(maxPages: number) {
  return functionWith("list", get("/list", [], { data: "body.items", paginate: { ...pages, maxPages } }));
}

describe("a list that a chain is made of", () => {
  beforeEach(() => {
    upstream.answer = ({ path }) => {
      const p = Number(new URL(path, upstream.origin).searchParams.get("p"));
      return { body: { p, items: [p] } };
    };
  });

  const overview = kept("overview", chain([step("all", "list"), step("more", "fetched")], "steps.all"), {});
  const other = functionWith("fetched", { kind: "compute", expression: "1" });

  test.each<[number, object]>([
    [3, { count: 3, complete: true, stoppedBy: null }],
    [2, { count: 2, complete: false, stoppedBy: "max_pages" }],
  ])("of at most %d pages is told of as it is, also when the chain is given again", async (max, report) => {
    const { ask } = placeWith([overview, listOf(max), other]);
    const made = await ask();
    expect(made).toMatchObject({ cached: false, pages: { ...report, next: null } });
    expect(made.steps).toMatchObject([
      { id: "all", pages: report },
      { id: "more", pages: null },
    ]);
    expect(await ask()).toMatchObject({ cached: true, data: made.data, pages: report });
  });

  test("is not kept with the chain where a limit has cut it short", async () => {
    const limits: Partial<Constraints> = { globalLimits: [{ max: 5, window: "minute" }] };
    const { place, ask } = placeWith([overview, listOf(3), other, functionWith("use", get("/x"))], limits);
    for (let time = 0; time < 3; time += 1) await ask("use");
    const short = { count: 2, complete: false, stoppedBy: "limits" };
    const made = await ask();
    expect(made).toMatchObject({ data: [1, 2], pages: short });
    expect(made.steps).toMatchObject([{ pages: short }, {}]);
    place.advance(2 * minute);
    expect(await ask()).toMatchObject({ cached: false, data: [1, 2, 3], pages: { complete: true } });
  });
});
