import { describe, expect, test } from "vitest";
import { MapExactStorage } from "../../../src/limiter/exact/map-storage.ts";
import type { Decision, ExactLimiter, Limit, Limiter } from "../../../src/limiter/index.ts";
import { EXACT_DEADLINE_MS, EXACT_MAX_PAUSE_MS, HOLD_MS, MAX_SETTLE_TRIES } from "../../../src/limits.ts";
import { MIDNIGHT } from "../kv/place.ts";
import { dayLimit, describeLimiter, minuteLimit } from "../limiter.contract.ts";
import { VirtualTime } from "../virtual_time.ts";
import { Objects, type Weather } from "./objects.ts";

describeLimiter("an exact limiter whose objects keep SQL", (time) => new Objects(time, 0).isolate());
describeLimiter("an exact limiter whose objects keep maps", (time) =>
  new Objects(time, 0, () => new MapExactStorage()).isolate(),
);

const START = MIDNIGHT + 7_000;
const limit = minuteLimit(10);

function begin(): { objects: Objects; limiter: ExactLimiter } {
  const objects = new Objects(new VirtualTime(START), 20);
  return { objects, limiter: objects.isolate() };
}

function inGroup(group: string, max: number): Limit {
  return { ...minuteLimit(max, `bucket of ${group}`), group };
}

async function admitted(
  objects: Objects,
  limiters: readonly Limiter[],
  limits: readonly Limit[],
  calls: number,
) {
  const made: Promise<Decision>[] = [];
  for (let call = 0; call < calls; call += 1) {
    const limiter = limiters[call % limiters.length];
    if (limiter !== undefined) made.push(limiter.admit(limits, 1));
  }
  const decisions = await objects.time.until(Promise.all(made));
  return decisions.filter((decision) => decision.admitted).length;
}

async function used(objects: Objects, limits: readonly Limit[]): Promise<number[]> {
  const states = await objects.time.until(objects.isolate().look(limits));
  return states.map((state) => state.used);
}

describe("isolates that share an object", () => {
  test("admit exactly the limit between them, of whatever number of calls at once", async () => {
    const { objects } = begin();
    const isolates = Array.from({ length: 20 }, () => objects.isolate());
    expect(await admitted(objects, isolates, [limit], 200)).toBe(10);
  });

  test("ask once a call, for all limits of a group", async () => {
    const { objects, limiter } = begin();
    await admitted(objects, [limiter], [limit, dayLimit(50), minuteLimit(5, "function:x")], 3);
    expect(objects.object("tides").asked).toBe(3);
  });
});

describe("limits in several objects", () => {
  test("admit together or not at all: what one has counted is given back where another refuses", async () => {
    const { objects, limiter } = begin();
    const limits = [inGroup("a", 10), inGroup("b", 3), inGroup("c", 7)];
    expect(await admitted(objects, [limiter], limits, 12)).toBe(3);
    await objects.finish();
    expect(await used(objects, limits)).toEqual([3, 3, 3]);
  });

  test("are told with how they stood, where one of them refuses", async () => {
    const { objects, limiter } = begin();
    const limits = [inGroup("a", 10), inGroup("b", 0)];
    const decision = await objects.time.until(limiter.admit(limits, 1));
    expect(decision).toMatchObject({ admitted: false, refusedBy: limits[1], retryAfterMs: null });
    expect(decision.states.map(({ used: spent, limit: { bucket } }) => [bucket, spent])).toEqual([
      ["bucket of a", 0],
      ["bucket of b", 0],
    ]);
  });

  test("lose nothing where the isolate ends before it says that another has refused", async () => {
    const { objects, limiter } = begin();
    const [wide, narrow] = [inGroup("a", 10), inGroup("b", 0)];
    await objects.time.until(limiter.admit([wide, narrow], 4));
    // Whatever it says now never arrives.
    objects.object("a").weather = "unreachable";
    await objects.finish();
    objects.object("a").weather = "fair";
    await objects.time.pass(HOLD_MS);
    expect(await used(objects, [wide])).toEqual([0]);
  });

  test("keep what a made call has spent, also after the time for saying so", async () => {
    const { objects, limiter } = begin();
    const limits = [inGroup("a", 10), inGroup("b", 10)];
    await objects.time.until(limiter.admit(limits, 4));
    await objects.finish();
    await objects.time.pass(HOLD_MS);
    expect(await used(objects, limits)).toEqual([4, 4]);
  });

  test("say so again where an object does not hear it, and report each try", async () => {
    const { objects, limiter } = begin();
    const limits = [inGroup("a", 10), inGroup("b", 0)];
    await objects.time.until(limiter.admit(limits, 4));
    objects.object("a").weather = "unreachable";
    await objects.finish();
    const told = objects.faults.filter(({ operation }) => operation === "tell");
    expect(told).toHaveLength(MAX_SETTLE_TRIES);
    expect(told[0]).toEqual({ group: "a", operation: "tell", reason: "Network connection lost.", inARow: 0 });
  });

  test("count a call by what the isolate knows where one object is not there", async () => {
    const { objects, limiter } = begin();
    objects.object("b").weather = "unreachable";
    const limits = [inGroup("a", 10), inGroup("b", 3)];
    expect(await admitted(objects, [limiter], limits, 5)).toBe(3);
    await objects.finish();
    expect(await used(objects, [inGroup("a", 10)])).toEqual([3]);
  });
});

describe("an object that fails", () => {
  test.each<Weather>(["unreachable", "slow", "overloaded", "lost reply"])(
    "refuses no call that is within the limit and lets none through that is not: %s",
    async (weather) => {
      const { objects, limiter } = begin();
      expect(await admitted(objects, [limiter], [limit], 4)).toBe(4);
      objects.object("tides").weather = weather;
      expect(await admitted(objects, [limiter], [limit], 10)).toBe(6);
      expect(objects.faults[0]).toMatchObject({ group: "tides", operation: "ask", inARow: 1 });
    },
  );

  test("keeps a call waiting no longer than it may, and the next one not at all", async () => {
    const { objects, limiter } = begin();
    objects.object("tides").weather = "slow";
    const began = objects.time.now();
    await objects.time.until(limiter.admit([limit], 1));
    expect(objects.time.now() - began).toBe(EXACT_DEADLINE_MS);
    await objects.time.until(limiter.admit([limit], 1));
    expect(objects.time.now() - began).toBe(EXACT_DEADLINE_MS);
    expect(objects.faults).toMatchObject([{ reason: `no answer within ${EXACT_DEADLINE_MS} ms` }]);
  });

  test("is asked again after a pause that grows, and then decides alone", async () => {
    const { objects, limiter } = begin();
    const object = objects.object("tides");
    object.weather = "unreachable";
    for (let minute = 0; minute < 60; minute += 1) {
      await objects.time.until(limiter.admit([dayLimit(1_000)], 1));
      await objects.time.pass(1_000);
    }
    expect(object.asked).toBeLessThan(10);
    object.weather = "fair";
    await objects.time.pass(EXACT_MAX_PAUSE_MS);
    const asked = object.asked;
    await admitted(objects, [limiter], [dayLimit(1_000)], 3);
    expect(object.asked).toBe(asked + 3);
    expect(await used(objects, [dayLimit(1_000)])).toEqual([3]);
  });

  test("is asked again at once where it was only replaced, and decides alone again", async () => {
    const { objects, limiter } = begin();
    const object = objects.object("tides");
    object.weather = "lost reply";
    await objects.time.until(limiter.admit([limit], 1));
    object.weather = "fair";
    await admitted(objects, [limiter], [limit], 2);
    expect(object.asked).toBe(3);
  });

  test("is left alone at once where it is overloaded", async () => {
    const { objects, limiter } = begin();
    objects.object("tides").weather = "overloaded";
    await admitted(objects, [limiter], [limit], 1);
    await admitted(objects, [limiter], [limit], 5);
    expect(objects.object("tides").asked).toBe(1);
  });

  test("is asked again at once where the clock was set back to before it failed", async () => {
    const { objects, limiter } = begin();
    objects.object("tides").weather = "overloaded";
    await objects.time.until(limiter.admit([limit], 1));
    objects.time.jump(-3_600_000);
    await objects.time.until(limiter.admit([limit], 1));
    expect(objects.object("tides").asked).toBe(2);
  });

  test("gets back what it counted for a call that was refused without it", async () => {
    const { objects, limiter } = begin();
    const [one, other] = [limiter, objects.isolate()];
    await objects.time.until(one.admit([dayLimit(10)], 10));
    // There is room again, and the isolate that took it all does not know.
    other.release([dayLimit(10)], 10);
    await objects.finish();
    objects.object("tides").weather = "slow";
    expect((await objects.time.until(one.admit([dayLimit(10)], 4))).admitted).toBe(false);
    await objects.finish();
    objects.object("tides").weather = "fair";
    expect(await used(objects, [dayLimit(10)])).toEqual([0]);
  });
});

describe("a bucket that is closed", () => {
  test("admits nothing for any isolate until then, names the time, and costs nothing", async () => {
    const { objects, limiter } = begin();
    const other = objects.isolate();
    limiter.close(limit, 30_000);
    await objects.finish();
    const refused = await objects.time.until(other.admit([dayLimit(5, "another"), limit], 1));
    if (refused.admitted) throw new Error("it was to be refused");
    expect(refused).toMatchObject({ because: "closed", refusedBy: limit });
    expect(objects.time.now() + (refused.retryAfterMs ?? 0)).toBeLessThanOrEqual(START + 30_000 + 20);
    expect(await used(objects, [limit, dayLimit(5, "another")])).toEqual([0, 0]);
  });

  test("is open to the one who closed it and has waited, however far the object is", async () => {
    const { objects, limiter } = begin();
    limiter.close(limit, 30_000);
    await objects.time.pass(30_000);
    expect((await objects.time.until(limiter.admit([limit], 1))).admitted).toBe(true);
  });

  test("is never opened earlier by a shorter closure", async () => {
    const objects = new Objects(new VirtualTime(START), 20);
    const limiter = objects.isolate();
    limiter.close(limit, 30_000);
    limiter.close(limit, 1_000);
    await objects.finish();
    await objects.time.pass(20_000);
    expect((await objects.time.until(limiter.admit([limit], 1))).admitted).toBe(false);
  });
});
