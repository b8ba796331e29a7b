/** What every limiter does, whatever it counts with. Each implementation's test runs this with its own. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision, Limit, Limiter } from "../../src/limiter/index.ts";
import { MIDNIGHT } from "./kv/place.ts";
import { VirtualTime } from "./virtual_time.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

export function minuteLimit(max: number, bucket = "upstream:tide-table"): Limit {
  return { bucket, group: "tides", label: bucket, max, window: "minute" };
}

export function dayLimit(max: number, bucket = "upstream:tide-table"): Limit {
  return { bucket, group: "tides", label: bucket, max, window: "day" };
}

class Subject {
  readonly time: VirtualTime;
  readonly limiter: Limiter;

  constructor(create: (time: VirtualTime) => Limiter, start: number) {
    this.time = new VirtualTime(start);
    this.limiter = create(this.time);
  }

  admit(limits: readonly Limit[], cost = 1): Promise<Decision> {
    return this.time.until(this.limiter.admit(limits, cost));
  }

  /** Makes calls of cost 1 one after the other; how many were admitted. */
  async admitted(limits: readonly Limit[], calls: number): Promise<number> {
    let count = 0;
    for (let call = 0; call < calls; call += 1) if ((await this.admit(limits)).admitted) count += 1;
    return count;
  }

  async used(...limits: Limit[]): Promise<number[]> {
    const states = await this.time.until(this.limiter.look(limits));
    return states.map(({ used }) => used);
  }
}

/** The wait that a decision asks for; a decision that asks for none fails the test. */
export function waitOf(decision: Decision): number {
  if (decision.admitted || decision.retryAfterMs === null) throw new Error("expected a refusal with a wait");
  return decision.retryAfterMs;
}

type Begin = (start?: number) => Subject;

/** Runs the contract on a limiter, made anew for every test. */
export function describeLimiter(name: string, create: (time: VirtualTime) => Limiter): void {
  const begin = (start = MIDNIGHT + 7_000) => new Subject(create, start);
  describe(name, () => {
    describeAdmission(begin);
    describeCosts(begin);
    describeCounters(begin);
    describeStates(begin);
    describeWindows(begin);
    describeLaw(begin);
  });
}

function describeAdmission(begin: Begin): void {
  test.each([minuteLimit(10), dayLimit(10)])("admits exactly max calls in a fresh $window", async (limit) => {
    const subject = begin();
    expect(await subject.admitted([limit], 10)).toBe(10);
    const wait = waitOf(await subject.admit([limit]));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(limit.window === "minute" ? 2 * MINUTE : DAY);
  });

  test("admits exactly 10 of 50 calls at once against a limit of 10", async () => {
    const { time, limiter } = begin();
    const calls = Array.from({ length: 50 }, () => limiter.admit([minuteLimit(10), dayLimit(1_000)], 1));
    const decisions = await time.until(Promise.all(calls));
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(10);
  });

  test("spends nothing on any limit where one of them refuses", async () => {
    const subject = begin();
    const [wide, narrow] = [minuteLimit(100, "wide"), dayLimit(2, "narrow")];
    expect(await subject.admitted([wide, narrow], 10)).toBe(2);
    expect(await subject.used(wide, narrow)).toEqual([2, 2]);
  });

  test.each([
    { spent: 10, pauseMs: 0, limit: minuteLimit(10), cost: 1 },
    { spent: 10, pauseMs: 0, limit: minuteLimit(10), cost: 10 },
    { spent: 7, pauseMs: MINUTE, limit: minuteLimit(10), cost: 9 },
    { spent: 3, pauseMs: 59_999, limit: minuteLimit(3), cost: 2 },
    { spent: 10, pauseMs: 0, limit: dayLimit(10), cost: 1 },
    { spent: 10, pauseMs: 5 * MINUTE, limit: dayLimit(10), cost: 10 },
  ])("admits cost $cost of $limit.max a $limit.window at the retry moment and no earlier", async (row) => {
    const subject = begin();
    await subject.admit([row.limit], row.spent);
    await subject.time.pass(row.pauseMs);
    const wait = waitOf(await subject.admit([row.limit], row.cost));
    await subject.time.pass(wait - 1);
    expect(waitOf(await subject.admit([row.limit], row.cost))).toBe(1);
    await subject.time.pass(1);
    expect((await subject.admit([row.limit], row.cost)).admitted).toBe(true);
  });

  test("names the limit that admits last, with its wait", async () => {
    const subject = begin();
    const limits = [minuteLimit(2), dayLimit(2), minuteLimit(2, "key:1")];
    await subject.admitted(limits, 2);
    const decision = await subject.admit(limits);
    const untilMidnight = MIDNIGHT + DAY - subject.time.now();
    expect(decision).toMatchObject({ refusedBy: limits[1], retryAfterMs: untilMidnight });
  });
}

function describeCosts(begin: Begin): void {
  test.each([minuteLimit(10), dayLimit(10), minuteLimit(0)])(
    "never admits a cost above $max a $window, and says so by a null wait",
    async (limit) => {
      const subject = begin();
      const decision = await subject.admit([minuteLimit(1_000, "other"), limit], limit.max + 1);
      expect(decision).toMatchObject({ admitted: false, refusedBy: limit, retryAfterMs: null });
      expect(await subject.used(limit)).toEqual([0]);
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("never admits a cost of %s", async (cost) => {
    const subject = begin();
    expect(await subject.admit([minuteLimit(10)], cost)).toMatchObject({
      admitted: false,
      retryAfterMs: null,
    });
    subject.limiter.release([minuteLimit(10)], cost);
    expect(await subject.admitted([minuteLimit(10)], 11)).toBe(10);
  });

  test("rounds a fraction of a cost up, one of a limit down, and gives nothing for a negative cost", async () => {
    const subject = begin();
    const { states } = await subject.admit([minuteLimit(2.9, "other")], 0.5);
    expect(states.map(({ used, left }) => [used, left])).toEqual([[1, 1]]);
    await subject.admit([minuteLimit(10)], 2.1);
    await subject.admit([minuteLimit(10)], -5);
    expect(await subject.used(minuteLimit(10))).toEqual([3]);
  });
}

function describeCounters(begin: Begin): void {
  test("counts a call once in a counter that two limits share, and holds it to the stricter one", async () => {
    const subject = begin();
    expect(await subject.admitted([minuteLimit(10), minuteLimit(4)], 10)).toBe(4);
    expect(await subject.used(minuteLimit(10), minuteLimit(4))).toEqual([4, 4]);
  });

  test("keeps the minute and the day of one bucket apart, also where both begin at midnight", async () => {
    const subject = begin(MIDNIGHT);
    await subject.admitted([minuteLimit(5)], 3);
    await subject.admitted([dayLimit(5)], 1);
    expect(await subject.used(minuteLimit(5), dayLimit(5))).toEqual([3, 1]);
  });

  test.each([
    ["function:a", "function:a:b"],
    ["a", `a:${MIDNIGHT}`],
    ["", ":"],
    ["__proto__", "constructor"],
    ["行情".repeat(150), `${"行情".repeat(149)}行"`],
    ["键".repeat(400), "键".repeat(401)],
  ])("keeps the buckets %j and %j apart", async (one, other) => {
    const subject = begin(MIDNIGHT);
    await subject.admitted([minuteLimit(5, one)], 3);
    await subject.admitted([minuteLimit(5, other)], 1);
    expect(await subject.used(minuteLimit(5, one), minuteLimit(5, other))).toEqual([3, 1]);
  });

  test("gives back what was released, once and never more than was spent", async () => {
    const subject = begin();
    await subject.admit([minuteLimit(10), dayLimit(10)], 10);
    subject.limiter.release([minuteLimit(10), dayLimit(10), minuteLimit(20)], 4);
    expect(await subject.used(minuteLimit(10), dayLimit(10))).toEqual([6, 6]);
    subject.limiter.release([minuteLimit(10)], 100);
    expect(await subject.used(minuteLimit(10))).toEqual([0]);
    expect(await subject.admitted([minuteLimit(10)], 11)).toBe(10);
  });

  test("gives back from the window before where the call was admitted in that", async () => {
    const subject = begin(MIDNIGHT + 59_990);
    await subject.admit([minuteLimit(10)], 10);
    await subject.time.pass(1_000);
    subject.limiter.release([minuteLimit(10)], 10);
    expect(await subject.used(minuteLimit(10))).toEqual([0]);
  });
}

function describeStates(begin: Begin): void {
  test("shows use, what is left and the time to reset, without spending", async () => {
    const subject = begin();
    await subject.admit([minuteLimit(10), dayLimit(8)], 3);
    const look = () => subject.time.until(subject.limiter.look([minuteLimit(10), dayLimit(8)]));
    await look();
    const now = subject.time.now();
    expect(await look()).toEqual([
      {
        limit: minuteLimit(10),
        used: 3,
        left: 7,
        moreMs: MIDNIGHT + MINUTE + 20_000 - now,
        resetMs: MIDNIGHT + 2 * MINUTE - now,
      },
      {
        limit: dayLimit(8),
        used: 3,
        left: 5,
        moreMs: MIDNIGHT + DAY - now,
        resetMs: MIDNIGHT + DAY - now,
      },
    ]);
  });

  test("tells how each limit stands after an admitted call and unchanged after a refused one", async () => {
    const subject = begin();
    const after = (await subject.admit([minuteLimit(3), dayLimit(9)], 2)).states;
    expect(after.map(({ used, left }) => [used, left])).toEqual([
      [2, 1],
      [2, 7],
    ]);
    const refused = await subject.admit([minuteLimit(3), dayLimit(9)], 2);
    expect(refused.admitted).toBe(false);
    expect(refused.states.map(({ used }) => used)).toEqual([2, 2]);
  });
}

function describeWindows(begin: Begin): void {
  test("lets the previous minute fade: half of it weighs half a minute later", async () => {
    const subject = begin(MIDNIGHT);
    await subject.admit([minuteLimit(10)], 10);
    await subject.time.pass(MIDNIGHT + 1.5 * MINUTE - subject.time.now());
    expect(await subject.admitted([minuteLimit(10)], 10)).toBe(5);
  });

  test("starts the day anew at midnight UTC, with nothing of the day before", async () => {
    const subject = begin(MIDNIGHT + DAY - 1_000);
    expect(await subject.admitted([dayLimit(5)], 6)).toBe(5);
    await subject.time.pass(MIDNIGHT + DAY - subject.time.now());
    expect(await subject.admitted([dayLimit(5)], 6)).toBe(5);
  });

  test.each([1, 6_999, 7_001, 30_000, MINUTE, 3 * 60 * MINUTE, DAY, 3 * DAY])(
    "neither grants nor loses anything when the clock is set back %d ms, and goes on by the new time",
    async (back) => {
      const subject = begin();
      await subject.admit([minuteLimit(10)], 4);
      await subject.time.pass(MINUTE / 2);
      await subject.admit([minuteLimit(10), dayLimit(6)], 6);
      subject.time.jump(-back);
      expect(await subject.admitted([minuteLimit(10)], 3)).toBe(0);
      expect(await subject.admitted([dayLimit(6)], 3)).toBe(0);
      expect(await subject.used(minuteLimit(10), dayLimit(6))).toEqual([10, 6]);
      await subject.time.pass(2 * MINUTE);
      expect(await subject.admitted([minuteLimit(10)], 11)).toBe(10);
    },
  );

  test("admits a call that no limit applies to", async () => {
    expect(await begin().admit([], 5)).toEqual({ admitted: true, states: [] });
  });
}

function describeLaw(begin: Begin): void {
  test("decides as the plain formula does, whatever the calls, costs and pauses", async () => {
    const step = fc.record({
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150_000 })),
      cost: fc.integer({ min: 0, max: 12 }),
    });
    const steps = fc.array(step, { maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), async (calls, max) => {
        const subject = begin(MIDNIGHT);
        const spent: { at: number; cost: number }[] = [];
        for (const { pauseMs, cost } of calls) {
          await subject.time.pass(pauseMs);
          const { admitted } = await subject.admit([minuteLimit(max)], cost);
          const at = subject.time.now();
          expect(admitted).toBe(usedByFormula(spent, at) + cost <= max);
          if (admitted) spent.push({ at, cost });
        }
      }),
      { numRuns: 40 },
    );
  });
}

/** previous × (1 − elapsed share) + current, from a list of all calls. */
function usedByFormula(spent: readonly { at: number; cost: number }[], now: number): number {
  const minute = Math.floor(now / MINUTE);
  const within = (number: number) =>
    spent.filter(({ at }) => Math.floor(at / MINUTE) === number).reduce((total, { cost }) => total + cost, 0);
  const remaining = MINUTE - (now % MINUTE);
  return within(minute) + Math.ceil((within(minute - 1) * remaining) / MINUTE);
}
