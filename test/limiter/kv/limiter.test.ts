import { describe, expect, test } from "vitest";
import { BACKGROUND_PATIENCE_MS, COUNTER_DEADLINE_MS } from "../../../src/limits.ts";
import { dayLimit, describeLimiter, minuteLimit, waitOf } from "../limiter.contract.ts";
import { MIDNIGHT, Place } from "./place.ts";

const MINUTE = 60_000;
const KEY = `rl:minute:upstream:tide-table:${MIDNIGHT}:isolate-1`;

const states: [string, (place: Place) => void][] = [
  ["works", () => undefined],
  ["is slow and a minute late", ({ kv }) => Object.assign(kv, { staleMs: MINUTE, putMs: 40, listMs: 40 })],
  ["answers after an hour", ({ kv }) => Object.assign(kv, { putMs: 3_600_000, listMs: 3_600_000 })],
  ["takes no writes", ({ kv }) => Object.assign(kv, { putError: new Error("429 Too Many Requests") })],
  ["fails at everything", ({ kv }) => Object.assign(kv, { putError: "down", listError: new Error("down") })],
  [
    "holds rubbish",
    ({ kv }) => {
      kv.plant(`rl:minute:upstream:tide-table:${MIDNIGHT}:other`, { count: "9" });
      kv.plant("rl:minute:upstream:tide-table:soon:other", { count: 9 });
      kv.plant("rl:minute:upstream:tide-table:", { count: 9 });
    },
  ],
];

for (const [state, bring] of states) {
  describeLimiter(`a limiter on a KV that ${state}`, (time) => {
    const place = new Place(time);
    bring(place);
    return place.isolate();
  });
}

describe("what an isolate writes", () => {
  test("is one key a window, with its count in the metadata, kept as long as the window has a say", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (const limit of [minuteLimit(10), dayLimit(10)]) await place.time.until(isolate.admit([limit], 3));
    await place.finish();
    expect(place.kv.puts).toEqual([
      { key: KEY, count: 3, ttlSeconds: 180, at: MIDNIGHT },
      { key: KEY.replace("minute", "day"), count: 3, ttlSeconds: 93_660, at: MIDNIGHT },
    ]);
  });

  test("includes the calls of a burst that ended in silence", async () => {
    const place = new Place();
    const isolate = place.isolate();
    await place.time.until(Promise.all(Array.from({ length: 9 }, () => isolate.admit([minuteLimit(10)], 1))));
    await place.finish();
    expect(place.kv.counts().get(KEY)).toEqual({ count: 9 });
  });

  test("includes what was given back", async () => {
    const place = new Place();
    const isolate = place.isolate();
    await place.admitted(isolate, minuteLimit(10), 8);
    await place.finish();
    isolate.release([minuteLimit(10)], 5);
    await place.finish();
    expect(place.kv.counts().get(KEY)).toEqual({ count: 3 });
  });

  test("waits for the write before it, so that no older count can win", async () => {
    const place = new Place();
    const isolate = place.isolate();
    place.kv.putMs = 4_500;
    await place.admitted(isolate, minuteLimit(10), 1);
    place.kv.putMs = 10;
    await place.admitted(isolate, minuteLimit(10), 1);
    await place.finish();
    const [first, second] = place.kv.puts;
    expect(first).toMatchObject({ at: MIDNIGHT, count: 1 });
    expect(second?.at).toBeGreaterThan(MIDNIGHT + 5_500);
    expect(place.kv.counts().get(KEY)).toEqual({ count: 2 });
  });

  test("is written by a later call where the request that was to write it ended early", async () => {
    const place = new Place();
    let alive = false;
    const isolate = place.isolate((milliseconds) =>
      alive ? place.time.sleep(milliseconds) : new Promise(() => undefined),
    );
    await place.admitted(isolate, minuteLimit(10), 5);
    alive = true;
    await place.time.pass(2_000 + BACKGROUND_PATIENCE_MS);
    await place.admitted(isolate, minuteLimit(10), 1);
    await place.time.pass(1_000);
    expect(place.kv.puts.at(-1)?.count).toBeGreaterThanOrEqual(6);
  });

  test("waits for no write that never ends", async () => {
    const place = new Place();
    const isolate = place.isolate();
    place.kv.putMs = 36_000_000;
    await place.admitted(isolate, minuteLimit(10), 1);
    place.kv.putMs = 0;
    await place.admitted(isolate, minuteLimit(10), 1);
    await place.time.pass(2_000 + BACKGROUND_PATIENCE_MS);
    expect(place.kv.counts().get(KEY)).toEqual({ count: 2 });
  });

  test("reaches the key of the window in which it was counted, also when that has just ended", async () => {
    const place = new Place();
    await place.time.pass(59_500);
    await place.admitted(place.isolate(), minuteLimit(10), 4);
    await place.finish();
    expect(place.time.now()).toBeGreaterThan(MIDNIGHT + MINUTE);
    expect(place.kv.counts().get(KEY)).toEqual({ count: 4 });
  });

  test("is nothing about yesterday, which has no say any more", async () => {
    const place = new Place();
    const isolate = place.isolate();
    place.kv.putError = new Error("gone");
    await place.admitted(isolate, dayLimit(10), 2);
    await place.time.pass(86_400_000);
    place.kv.putError = null;
    await place.admitted(isolate, dayLimit(10), 1);
    await place.finish();
    const tomorrow = `rl:day:upstream:tide-table:${MIDNIGHT + 86_400_000}:isolate-1`;
    expect([...place.kv.counts().keys()]).toEqual([tomorrow]);
  });
});

describe("how often an isolate writes", () => {
  test("is no more than once a second to a key under steady load near the limit", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (let call = 0; call < 300; call += 1) {
      await place.admitted(isolate, minuteLimit(200), 1);
      await place.time.pass(97);
    }
    const moments = place.kv.puts.filter(({ key }) => key === KEY).map(({ at }) => at);
    const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });

  test("is a few times a minute for regular calls, which are claimed in blocks", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (let call = 0; call < 300; call += 1) {
      expect((await place.time.until(isolate.admit([minuteLimit(600)], 1))).admitted).toBe(true);
      await place.time.pass(199);
    }
    expect(place.kv.puts.length).toBeLessThanOrEqual(5);
    expect(place.kv.lists.length).toBeLessThanOrEqual(5);
  });

  test("is once when it has a block that it no longer needs", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (let call = 0; call < 20; call += 1) {
      await place.admitted(isolate, minuteLimit(40), 1);
      await place.time.pass(400);
    }
    expect(place.kv.counts().get(KEY)).not.toEqual({ count: 20 });
    const before = place.kv.puts.length;
    await place.time.pass(30_000);
    expect(place.kv.counts().get(KEY)).toEqual({ count: 20 });
    expect(place.kv.puts.length).toBe(before + 1);
  });

  test("is next to never far from the limit", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (let call = 0; call < 1_000; call += 1) {
      await place.admitted(isolate, minuteLimit(1_000_000), 1);
      await place.time.pass(50);
    }
    expect(place.kv.puts.length + place.kv.lists.length).toBeLessThanOrEqual(2);
  });
});

describe("what isolates know of each other", () => {
  test("is the sum of all counts, each isolate's own counted once", async () => {
    const place = new Place();
    const [one, two, three] = [place.isolate(), place.isolate(), place.isolate()];
    await place.admitted(one, minuteLimit(20), 5);
    await place.admitted(two, minuteLimit(20), 4);
    await place.finish();
    await place.time.pass(12_000);
    expect(await place.used(one, minuteLimit(20))).toBe(9);
    expect(await place.used(three, minuteLimit(20))).toBe(9);
  });

  test("holds a new isolate to a small limit that others have used up, from its first call on", async () => {
    const place = new Place();
    expect(await place.admitted(place.isolate(), minuteLimit(10), 12)).toBe(10);
    await place.finish();
    expect(await place.admitted(place.isolate(), minuteLimit(10), 12)).toBe(0);
  });

  test("includes the previous minute, weighed as an isolate's own", async () => {
    const place = new Place();
    await place.admitted(place.isolate(), minuteLimit(10), 10);
    await place.finish();
    await place.time.pass(MIDNIGHT + 1.5 * MINUTE - place.time.now());
    expect(await place.used(place.isolate(), minuteLimit(10))).toBe(5);
  });

  test("is nothing as long as KV shows nothing: each admits the limit, and refuses once it knows", async () => {
    const place = new Place();
    place.kv.staleMs = 30_000;
    const isolates = [place.isolate(), place.isolate()];
    for (const isolate of isolates) expect(await place.admitted(isolate, dayLimit(10), 15)).toBe(10);
    await place.time.pass(40_000);
    for (const isolate of isolates) {
      expect(await place.used(isolate, dayLimit(10))).toBe(20);
      expect(await place.admitted(isolate, dayLimit(10), 5)).toBe(0);
    }
  });

  test("is read over several pages of a list", async () => {
    const place = new Place();
    place.kv.pageKeys = 2;
    for (const other of "abcde") place.kv.plant(KEY.replace("isolate-1", other), { count: 3 });
    expect(await place.used(place.isolate(), minuteLimit(20))).toBe(15);
    expect(place.faults).toEqual([]);
  });

  test("is known to be incomplete where a list has too many pages", async () => {
    const place = new Place();
    place.kv.pageKeys = 1;
    for (const other of "abcde") place.kv.plant(KEY.replace("isolate-1", other), { count: 3 });
    expect(await place.used(place.isolate(), minuteLimit(20))).toBe(9);
    expect(place.faults).toMatchObject([{ operation: "list", reason: "more than 3 counts" }]);
  });

  test("is what the later of two looks found, whichever ends first", async () => {
    const place = new Place();
    const isolate = place.isolate();
    place.kv.listMs = 5_000;
    await place.used(isolate, minuteLimit(50));
    place.kv.plant(KEY.replace("isolate-1", "other"), { count: 30 });
    place.kv.listMs = 10;
    await place.time.pass(4_000);
    await place.admitted(isolate, minuteLimit(50), 5);
    await place.time.pass(20);
    expect(await place.used(isolate, minuteLimit(50))).toBe(35);
    await place.time.pass(1_000);
    expect(place.time.now()).toBeGreaterThan(MIDNIGHT + 5_000);
    expect(await place.used(isolate, minuteLimit(50))).toBe(35);
  });

  test("is looked at once a second at most", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (let call = 0; call < 60; call += 1) {
      await place.admitted(isolate, minuteLimit(30), 1);
      await place.time.pass(301);
    }
    const gaps = place.kv.lists.slice(1).map(({ at }, index) => at - (place.kv.lists[index]?.at ?? 0));
    expect(gaps.length).toBeGreaterThan(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
  });

  test("is not looked at any sooner for calls that are refused", async () => {
    const place = new Place();
    const isolate = place.isolate();
    await place.admitted(isolate, dayLimit(10), 10);
    await place.time.pass(25_000);
    const before = place.kv.lists.length;
    for (let second = 0; second < 50; second += 1) {
      await place.time.pass(1_000);
      await place.admitted(isolate, dayLimit(10), 1);
    }
    expect(place.kv.lists.length).toBe(before + 1);
  });
});

describe("calls that several isolates make at once", () => {
  test.each([2, 3, 5, 8])("are no more than the limit in all of %d isolates in one place", async (count) => {
    const place = new Place();
    Object.assign(place.kv, { putMs: 30, listMs: 20 });
    const isolates = Array.from({ length: count }, () => place.isolate());
    const calls = isolates.flatMap((isolate) =>
      Array.from({ length: 50 }, () => isolate.admit([minuteLimit(10)], 1)),
    );
    const decisions = await place.time.until(Promise.all(calls));
    expect(decisions.filter(({ admitted }) => admitted).length).toBeLessThanOrEqual(10);
  });

  test("are refused with a wait of a second at most where nobody can tell whose the room is", async () => {
    const place = new Place();
    const [one, two] = [place.isolate(), place.isolate()];
    await place.admitted(one, minuteLimit(10), 1);
    await place.admitted(two, minuteLimit(10), 1);
    const next = () => place.time.until(two.admit([minuteLimit(10)], 1));
    let decision = await next();
    for (let call = 0; call < 8 && decision.admitted; call += 1) decision = await next();
    expect(decision).toMatchObject({ because: "used up", refusedBy: minuteLimit(10) });
    expect(waitOf(decision)).toBeLessThanOrEqual(1_001);
    await place.time.pass(waitOf(decision));
    expect((await place.time.until(two.admit([minuteLimit(10)], 1))).admitted).toBe(true);
  });
});

describe("an isolate that starts anew", () => {
  test.each([1_000, 3_000, 200_000, 10_000_000])(
    "knows by its first call what was spent of the day, %d ms later",
    async (pauseMs) => {
      const place = new Place();
      expect(await place.admitted(place.isolate(), dayLimit(1_000), 1_000)).toBe(1_000);
      await place.finish();
      await place.time.pass(pauseMs);
      expect(await place.admitted(place.isolate(), dayLimit(1_000), 3)).toBe(0);
    },
  );

  test("does so too after it was quiet for long, while others went on", async () => {
    const place = new Place();
    const [quiet, busy] = [place.isolate(), place.isolate()];
    await place.admitted(quiet, dayLimit(100), 1);
    await place.time.pass(3_600_000);
    for (let call = 0; call < 99; call += 1) {
      await place.admitted(busy, dayLimit(100), 1);
      await place.time.pass(1_500);
    }
    await place.finish();
    await place.time.pass(600_000);
    expect(await place.admitted(quiet, dayLimit(100), 3)).toBe(0);
  });

  test("leaves no block behind in a day's count when it has been quiet for a while", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (let call = 0; call < 30; call += 1) {
      await place.admitted(isolate, dayLimit(100), 1);
      await place.time.pass(500);
    }
    await place.finish();
    expect([...place.kv.counts().values()]).toEqual([{ count: 30 }]);
  });
});

describe("the operations before a reply", () => {
  test("are one write and one list at most, the list after the write", async () => {
    const place = new Place();
    Object.assign(place.kv, { putMs: 30, listMs: 20 });
    const [isolate, other] = [place.isolate(), place.isolate()];
    for (let call = 0; call < 80; call += 1) {
      const began = place.time.now();
      await place.time.until(isolate.admit([minuteLimit(60)], 1));
      expect(place.time.now() - began).toBeLessThanOrEqual(50);
      await place.time.until(other.admit([minuteLimit(60)], 1));
      await place.time.pass(700);
    }
    expect(place.kv.puts.length).toBeGreaterThan(5);
  });

  test("are those of one counter, however many a call is held against", async () => {
    const place = new Place();
    Object.assign(place.kv, { putMs: 30, listMs: 20 });
    const limits = [minuteLimit(60), minuteLimit(40, "function:tides"), dayLimit(90), dayLimit(80, "key:1")];
    const isolates = [place.isolate(), place.isolate()];
    let admitted = 0;
    for (let call = 0; call < 60; call += 1) {
      const began = place.time.now();
      const decisions = isolates.map((isolate) => isolate.admit(limits, 1));
      for (const decision of decisions) if ((await place.time.until(decision)).admitted) admitted += 1;
      expect(place.time.now() - began).toBeLessThanOrEqual(50);
      await place.time.pass(700);
    }
    expect(admitted).toBeGreaterThan(36);
    expect(admitted).toBeLessThanOrEqual(44);
    expect(new Set(place.kv.lists.map(({ prefix }) => prefix)).size).toBeGreaterThanOrEqual(limits.length);
  });

  test("are none for a call that may not wait", async () => {
    const place = new Place();
    Object.assign(place.kv, { putMs: 30, listMs: 20 });
    const isolate = place.isolate();
    const began = place.time.now();
    expect((await place.time.until(isolate.admit([minuteLimit(10)], 1, false))).admitted).toBe(true);
    expect(place.time.now()).toBe(began);
    await place.finish();
    expect([...place.kv.counts().values()]).toEqual([{ count: 1 }]);
  });

  test("are those of a day's counter first, which may have been used up before this isolate began", async () => {
    const place = new Place();
    const before = place.isolate();
    expect(await place.admitted(before, dayLimit(5), 5)).toBe(5);
    await place.finish();
    const limits = [minuteLimit(2, "function:tides"), dayLimit(5)];
    expect((await place.time.until(place.isolate().admit(limits, 1))).admitted).toBe(false);
  });
});

describe("a store that fails", () => {
  test.each([{ listMs: 60_000 }, { putMs: 60_000 }])(
    "holds up a reply no longer than the deadline of a claim, and only once while it is slow: %j",
    async (slowness) => {
      const place = new Place();
      Object.assign(place.kv, slowness);
      const isolate = place.isolate();
      expect(await place.admitted(isolate, minuteLimit(10), 1)).toBe(1);
      expect(place.time.now()).toBe(MIDNIGHT + COUNTER_DEADLINE_MS);
      await place.time.pass(10_000);
      const before = place.time.now();
      expect(await place.admitted(isolate, minuteLimit(10), 12)).toBe(9);
      expect(place.time.now()).toBe(before);
      expect(place.faults).toMatchObject([
        { operation: "list", reason: "no answer within 500 ms", inARow: 1 },
      ]);
    },
  );

  test("is reported with bucket, window, reason and number of failures, and not asked ever again at once", async () => {
    const place = new Place();
    Object.assign(place.kv, { putError: new Error("429 Too Many Requests"), listError: new Error("gone") });
    const isolate = place.isolate();
    for (let second = 0; second < 50; second += 1) {
      await place.admitted(isolate, dayLimit(10), 1);
      await place.time.pass(1_000);
    }
    const puts = place.faults.filter(({ operation }) => operation === "put");
    const about = { bucket: "upstream:tide-table", window: "day" };
    expect(puts[2]).toEqual({ ...about, operation: "put", reason: "429 Too Many Requests", inARow: 3 });
    expect(place.faults).toContainEqual({ ...about, operation: "list", reason: "gone", inARow: 1 });
    expect(place.faults.length).toBeLessThanOrEqual(12);
  });

  test.each([
    [undefined],
    [null],
    [7],
    [{}],
    [{ count: "7" }],
    [{ count: -7 }],
    [{ count: 0.5 }],
    [{ count: Number.NaN }],
    [{ count: 1e300 }],
  ])("has %j for a count: that one is passed over and reported, the others hold", async (metadata) => {
    const place = new Place();
    place.kv.plant(KEY.replace("isolate-1", "broken"), metadata);
    place.kv.plant(KEY.replace("isolate-1", "sound"), { count: 3 });
    expect(await place.used(place.isolate(), minuteLimit(10))).toBe(3);
    expect(place.faults).toMatchObject([
      { operation: "list", reason: "counts that could not be read: 1", inARow: 0 },
    ]);
  });
});

describe("a store that is back", () => {
  test("gets the whole count once it is back, and be it by a call that is refused", async () => {
    const place = new Place();
    const isolate = place.isolate();
    place.kv.putError = new Error("gone");
    await place.admitted(isolate, dayLimit(10), 10);
    await place.finish();
    expect(place.kv.counts().size).toBe(0);
    place.kv.putError = null;
    await place.time.pass(60_000);
    expect(await place.admitted(isolate, dayLimit(10), 1)).toBe(0);
    await place.finish();
    expect(place.kv.counts().get(KEY.replace("minute", "day"))).toEqual({ count: 10 });
  });

  test.each([0, 1_000])(
    "gets the count of the minute before, its write failed after %d ms",
    async (putMs) => {
      const place = new Place();
      const isolate = place.isolate();
      await place.time.pass(59_000);
      Object.assign(place.kv, { putMs, putError: new Error("gone") });
      await place.admitted(isolate, minuteLimit(10), 1);
      await place.time.pass(1_200);
      await place.admitted(isolate, minuteLimit(10), 1);
      await place.time.pass(5_000);
      place.kv.putError = null;
      await place.admitted(isolate, minuteLimit(10), 1);
      await place.finish();
      const counts = place.kv.counts();
      expect(counts.get(KEY)).toEqual({ count: 1 });
      expect(counts.get(KEY.replace(`${MIDNIGHT}`, `${MIDNIGHT + MINUTE}`))).toEqual({ count: 2 });
    },
  );

  test("counts as sound again after one success", async () => {
    const place = new Place();
    const isolate = place.isolate();
    for (const error of [new Error("gone"), null, new Error("gone again")]) {
      place.faults.length = 0;
      Object.assign(place.kv, { putError: error, listError: error });
      await place.admitted(isolate, dayLimit(10), 1);
      await place.time.pass(150_000);
    }
    const first = (operation: string) => place.faults.find((fault) => fault.operation === operation);
    expect(first("list")).toMatchObject({ reason: "gone again", inARow: 1 });
    expect(first("put")).toMatchObject({ reason: "gone again", inARow: 1 });
  });

  test("is asked again soon about calls that a failed look was made for", async () => {
    const place = new Place();
    const isolate = place.isolate();
    place.kv.listError = new Error("gone");
    await place.admitted(isolate, minuteLimit(1_000), 1);
    await place.time.pass(5_000);
    while (place.kv.lists.length < 2) await place.admitted(isolate, minuteLimit(1_000), 1);
    await place.time.pass(8_000);
    await place.admitted(isolate, minuteLimit(1_000), 1);
    expect(place.kv.lists).toHaveLength(3);
  });
});
