import { beforeEach, describe, expect, test } from "vitest";
import { type CallLimit, LimitReport } from "../../../src/invoke/index.ts";
import type { FunctionDefinition, Skill, Step } from "../../../src/ir.ts";
import { loopbackForTests } from "../loopback.ts";
import { cacheRule, chain, functionWith, get, NO_RETRIES, skillWith, step } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = () => ({ body: "well" });
});

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };

const budget: readonly CallLimit[] = [
  { bucket: "key:k", group: "key:k", label: "this key", max: 3, window: "minute" },
];

function skillOf(change: Partial<FunctionDefinition> = {}, max = 100): Skill {
  const limits = { globalLimits: [{ max, window: "minute" as const }] };
  return skillWith("demo", [functionWith("ask", get("/x"), change)], [], limits);
}

function placeFor(skill: Skill): Surroundings {
  const place = new Surroundings(skill, { baseUrl: upstream.origin });
  place.budget = budget;
  return place;
}

async function used(place: Surroundings): Promise<number | undefined> {
  return (await place.dependencies.limiter.look(budget))[0]?.used;
}

describe("what a caller may spend", () => {
  test("is asked for together with the other limits, and then refuses the call, which costs none of them", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    for (let count = 0; count < 3; count += 1)
      expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
    const sent = upstream.arrivals.length;
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { code: "RATE_LIMIT_EXCEEDED", bucket: "this key", max: 3 },
    });
    expect(upstream.arrivals).toHaveLength(sent);
    expect(place.admissions.map(({ limits }) => limits.map(({ label }) => label))).toEqual(
      Array.from({ length: 4 }, () => ["this key", "the upstream of demo"]),
    );
    const limits = place.admissions[0]?.limits ?? [];
    const states = await place.dependencies.limiter.look(limits);
    expect(states.map((state) => state.used)).toEqual([3, 3]);
  });

  test("is spent by a result that was kept, which costs the upstream nothing", async () => {
    const skill = skillOf({ cache: cacheRule({ scope: "tenant" }), annotations: READ_ONLY });
    const place = placeFor(skill);
    for (let count = 0; count < 3; count += 1) await place.call(skill, "ask", {});
    expect(await used(place)).toBe(3);
    expect(upstream.arrivals).toHaveLength(1);
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code: "RATE_LIMIT_EXCEEDED" } });
  });

  test("is spent by a failure that was kept, as by a result", async () => {
    upstream.answer = () => ({ status: 400, body: { code: "2002" } });
    const cache = cacheRule({ failures: [{ kind: "not_found", ttlMs: 60_000 }] });
    const skill = skillOf({ cache, annotations: READ_ONLY });
    skill.constraints.errorHandling = { ...NO_RETRIES, codes: [{ code: "2002", kind: "not_found" }] };
    const place = placeFor(skill);
    for (let count = 0; count < 3; count += 1)
      expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code: "UPSTREAM_REJECTED" } });
    expect([await used(place), upstream.arrivals.length]).toEqual([3, 1]);
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code: "RATE_LIMIT_EXCEEDED" } });
  });

  test("is spent once by a call that has its result made anew, of whose limits nobody is told", async () => {
    const skill = skillOf({ cache: cacheRule({ staleWhileRevalidateMs: 60_000 }), annotations: READ_ONLY });
    const place = placeFor(skill);
    await place.call(skill, "ask", {});
    place.advance(60_000);
    const before = (await used(place)) ?? 0;
    place.limits = new LimitReport();
    expect(await place.call(skill, "ask", {})).toMatchObject({ value: { stale: true } });
    await place.settled();
    expect([await used(place), upstream.arrivals.length]).toEqual([before + 1, 2]);
    expect(place.limits.states.map(({ limit }) => limit.label)).toEqual(["this key"]);
  });

  test("is spent once by a call of several requests", async () => {
    upstream.answer = () => ({ status: 503 });
    const skill = skillOf();
    skill.constraints.errorHandling = { ...skill.constraints.errorHandling, maxRetries: 2 };
    const place = placeFor(skill);
    await place.call(skill, "ask", {});
    expect([await used(place), upstream.arrivals.length]).toEqual([1, 3]);
  });

  test("is spent by a call that says that it costs nothing, since it is one all the same", async () => {
    const skill = skillOf({ cost: 0 });
    const place = placeFor(skill);
    await place.call(skill, "ask", {});
    expect(await used(place)).toBe(1);
  });

  test.each<[string, Skill]>([
    ["another limit refuses", skillOf({ cost: 2 }, 1)],
    ["its arguments are wrong", skillOf({ parameters: { type: "object", required: ["missing"] } })],
    [
      "it may not be sent",
      skillWith("demo", [functionWith("ask", get("/x"))], [{ method: "bearer", variable: "NOT_SET" }]),
    ],
  ])("is not spent by a call of which nothing is sent, because %s", async (_why, skill) => {
    const place = placeFor(skill);
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: false });
    expect(await used(place)).toBe(0);
    expect(upstream.arrivals).toEqual([]);
  });
});

describe("a request that a redirect asks for", () => {
  const redirecting = (times: number) => {
    upstream.answer = ({ path }) => {
      const hop = Number(new URL(path, upstream.origin).searchParams.get("hop") ?? "0");
      return hop === times
        ? { body: "well" }
        : { status: 302, headers: { location: `${upstream.origin}/x?hop=${hop + 1}` } };
    };
  };

  test("counts as one, at the upstream and among the attempts, and once for the caller", async () => {
    redirecting(3);
    const skill = skillOf();
    const place = placeFor(skill);
    expect(await place.call(skill, "ask", {})).toMatchObject({ value: { attempts: 4 } });
    expect([upstream.arrivals.length, place.admissions.length, await used(place)]).toEqual([4, 4, 1]);
  });

  test("is not sent where the limit has no room for it, which is the failure", async () => {
    redirecting(3);
    const skill = skillOf({}, 2);
    const place = placeFor(skill);
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { code: "RATE_LIMIT_EXCEEDED", bucket: "the upstream of demo", max: 2 },
    });
    expect(upstream.arrivals).toHaveLength(2);
  });
});

describe("a reply waits for what isolates share", () => {
  test("once, however many attempts a call takes", async () => {
    const skill = skillWith("demo", [functionWith("ask", get("/x"))], [], {
      globalLimits: [{ max: 100, window: "minute" }],
      errorHandling: { ...NO_RETRIES, maxRetries: 2 },
    });
    const place = placeFor(skill);
    upstream.answer = () => ({ status: 503 });
    await place.call(skill, "ask", {});
    expect(place.waits).toEqual([true, false, false]);
  });

  test("not for a result that may be there already, but for the request where it is not", async () => {
    const skill = skillOf({ cache: cacheRule({ scope: "tenant" }), annotations: READ_ONLY });
    const place = placeFor(skill);
    await place.call(skill, "ask", {});
    await place.call(skill, "ask", {});
    expect(place.waits).toEqual([false, true, false]);
  });
});

describe("calls of several callers for the same thing", () => {
  test("are refused each for its own caller's sake alone, although one request answers them all", async () => {
    const skill = skillOf({ cache: cacheRule(), annotations: READ_ONLY });
    const place = placeFor(skill);
    await place.dependencies.limiter.admit(budget, 3, true);
    let answer = (_reply: { body: string }): void => {};
    upstream.answer = () => new Promise((resolve) => (answer = resolve));
    const refused = place.call(skill, "ask", {});
    place.budget = [];
    const [first, second] = [place.call(skill, "ask", {}), place.call(skill, "ask", {})];
    expect(await refused).toMatchObject({ ok: false, failure: { bucket: "this key" } });
    await expect.poll(() => upstream.arrivals.length).toBe(1);
    answer({ body: "well" });
    for (const call of [first, second]) expect(await call).toMatchObject({ ok: true });
    expect(upstream.arrivals).toHaveLength(1);
  });
});

describe("a chain", () => {
  const each: Partial<Step> = { forEach: "lists.range(4)" };

  /** Some functions, and a chain of these steps. */
  function placeOf(steps: readonly Step[], change: Partial<FunctionDefinition> = {}, max = 100) {
    const skill = skillOf();
    skill.functions.push(
      functionWith("three", get("/x"), { cost: 3 }),
      functionWith("dear", get("/x"), { cost: 101 }),
      functionWith("kept", get("/kept"), { cost: 2, cache: cacheRule(), annotations: READ_ONLY }),
      functionWith("all", chain(steps), change),
      functionWith("outer", chain([step("inner", "all")])),
    );
    const place = placeFor(skill);
    place.budget = budget.map((limit) => ({ ...limit, max }));
    return { place, skill };
  }

  test.each<[string, Step[], Partial<FunctionDefinition>, number]>([
    ["itself one, and each of its calls one", [step("a", "ask"), step("b", "ask")], {}, 3],
    ["itself what it says", [step("a", "ask")], { cost: 7 }, 8],
    ["each of its calls at its own cost", [step("a", "three"), step("b", "three")], {}, 7],
    ["each call for an element of a list", [step("a", "three", each)], {}, 13],
    ["a kept result what a direct call of it costs", [step("a", "kept", each)], {}, 9],
    ["nothing for a step that is skipped", [step("a", "three", { when: "false" })], {}, 1],
  ])("costs its caller %s", async (_what, steps, change, cost) => {
    const { place, skill } = placeOf(steps, change);
    expect(await place.call(skill, "all", {})).toMatchObject({ ok: true });
    expect(await used(place)).toBe(cost);
  });

  test("of a chain costs what both cost, and all that they call", async () => {
    const { place, skill } = placeOf([step("a", "three")]);
    expect(await place.call(skill, "outer", {})).toMatchObject({ ok: true });
    expect(await used(place)).toBe(5);
  });

  test("is no way around the cost of what it calls", async () => {
    const { place, skill } = placeOf([step("a", "dear")]);
    const refusal = { code: "RATE_LIMIT_EXCEEDED", bucket: "this key", retryAfterMs: null };
    expect(await place.call(skill, "dear", {})).toMatchObject({ failure: refusal });
    expect(await place.call(skill, "all", {})).toMatchObject({ failure: { ...refusal, step: "a" } });
    expect([await used(place), upstream.arrivals.length]).toEqual([0, 0]);
  });

  test("is ended by what its caller may spend, after the calls that were within it", async () => {
    const { place, skill } = placeOf([step("a", "three"), step("b", "three", { after: ["a"] })], {}, 6);
    const failure = { code: "RATE_LIMIT_EXCEEDED", bucket: "this key", step: "b" };
    expect(await place.call(skill, "all", {})).toMatchObject({ failure });
    expect([await used(place), upstream.arrivals.length]).toEqual([4, 1]);
  });

  test("costs nothing for a step that sends nothing, whatever the steps beside it send", async () => {
    const closed = skillWith(
      "closed",
      [functionWith("unsent", get("/x"), { cost: 5, cache: cacheRule(), annotations: READ_ONLY })],
      [{ method: "bearer", variable: "NOT_SET" }],
    );
    const steps = [step("a", "ask"), step("b", "unsent", { after: ["a"] })];
    const skill = skillWith("demo", [functionWith("ask", get("/x")), functionWith("all", chain(steps))]);
    const place = new Surroundings(skill, { baseUrl: upstream.origin, others: [closed] });
    place.budget = budget.map((limit) => ({ ...limit, max: 100 }));
    expect(await place.call(skill, "all", {})).toMatchObject({
      failure: { code: "SECRET_NOT_SET", step: "b" },
    });
    expect([await used(place), upstream.arrivals.length]).toEqual([2, 1]);
  });

  test("costs nothing where nothing was sent", async () => {
    const both = functionWith("both", chain([step("a", "ask"), step("b", "ask")]));
    const closed = skillWith(
      "demo",
      [functionWith("ask", get("/x")), both],
      [{ method: "bearer", variable: "NOT_SET" }],
    );
    const other = placeFor(closed);
    expect(await other.call(closed, "both", {})).toMatchObject({ failure: { code: "SECRET_NOT_SET" } });
    expect(await used(other)).toBe(0);
  });
});

describe("a bucket that others have closed", () => {
  test("is the upstream's word, not a limit of the caller's", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    const [refusedBy] = budget;
    if (refusedBy === undefined) throw new Error("there is no budget");
    const closed = {
      admitted: false,
      because: "closed",
      refusedBy,
      retryAfterMs: 5_000,
      states: [],
    } as const;
    Object.assign(place.dependencies, {
      limiter: { ...place.dependencies.limiter, admit: async () => closed },
    });
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { code: "UPSTREAM_RATE_LIMITED", retryAfterMs: 5_000, upstream: { status: null } },
    });
    expect(upstream.arrivals).toEqual([]);
  });
});
