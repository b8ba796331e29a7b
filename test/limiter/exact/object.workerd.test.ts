/// <reference types="@cloudflare/vitest-plugin/types" />
import {
  createExecutionContext,
  evictDurableObject,
  reset,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ExactLimits } from "../../../src/limiter/exact/object.ts";
import type { ObjectFault } from "../../../src/limiter/exact/places.ts";
import { createExactLimiter, type ExactLimiter, type Limit } from "../../../src/limiter/index.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      LIMITS: DurableObjectNamespace<ExactLimits>;
    }
  }
}

const limit: Limit = { bucket: "行情", group: "quotes", label: "quotes", max: 10, window: "minute" };
const quota: Limit = { ...limit, max: 25, window: "day@Asia/Shanghai" };

/** Noon in Shanghai, so that no window turns however long a test takes. */
const NOON = Date.UTC(2026, 1, 28, 4);

class Isolate {
  readonly limiter: ExactLimiter;
  readonly faults: ObjectFault[] = [];
  readonly #context = createExecutionContext();

  constructor() {
    this.limiter = createExactLimiter({
      place: (group) => env.LIMITS.getByName(group),
      newId: () => crypto.randomUUID(),
      now: () => Date.now(),
      sleep: (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds)),
      waitUntil: (work) => this.#context.waitUntil(work),
      report: (fault) => this.faults.push(fault),
    });
  }

  async admitted(limits: readonly Limit[], calls: number): Promise<number> {
    const all = Array.from({ length: calls }, () => this.limiter.admit(limits, 1));
    return (await Promise.all(all)).filter(({ admitted }) => admitted).length;
  }

  async used(...limits: Limit[]): Promise<number[]> {
    return (await this.limiter.look(limits)).map(({ used }) => used);
  }

  finish(): Promise<void> {
    return waitOnExecutionContext(this.#context);
  }
}

function standAt(moment: number): void {
  vi.spyOn(Date, "now").mockReturnValue(moment);
}

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

describe("an object of workerd", () => {
  test("admits exactly 10 of 50 calls at once against a limit of 10, from however many isolates", async () => {
    standAt(NOON);
    const isolates = Array.from({ length: 5 }, () => new Isolate());
    const counts = await Promise.all(isolates.map((isolate) => isolate.admitted([limit], 10)));
    expect(counts.reduce((total, count) => total + count, 0)).toBe(10);
    expect(isolates.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("counts a call in none of its limits where the second one refuses", async () => {
    standAt(NOON);
    const isolate = new Isolate();
    const narrow = { ...limit, bucket: "narrow", max: 2 };
    expect(await isolate.admitted([limit, narrow], 5)).toBe(2);
    expect(await isolate.used(limit, narrow)).toEqual([2, 2]);
  });

  test("counts a call in no object where another one refuses", async () => {
    standAt(NOON);
    const isolate = new Isolate();
    const elsewhere = { ...limit, bucket: "elsewhere", group: "others", max: 2 };
    expect(await isolate.admitted([limit, elsewhere], 5)).toBe(2);
    await isolate.finish();
    expect(await isolate.used(limit, elsewhere)).toEqual([2, 2]);
  });

  test("goes on counting where it was after it was evicted", async () => {
    standAt(NOON);
    expect(await new Isolate().admitted([quota], 20)).toBe(20);
    await evictDurableObject(env.LIMITS.getByName("quotes"));
    expect(await new Isolate().admitted([quota], 20)).toBe(5);
  });

  test("tells a closed bucket to whoever asks", async () => {
    standAt(NOON);
    const isolate = new Isolate();
    isolate.limiter.close(limit, 30_000);
    await isolate.finish();
    expect(await new Isolate().limiter.admit([quota, limit], 1)).toMatchObject({
      admitted: false,
      because: "closed",
      retryAfterMs: 30_000,
    });
    standAt(NOON + 30_000);
    expect(await new Isolate().admitted([quota, limit], 1)).toBe(1);
  });
});

describe("the alarm of an object", () => {
  test("clears what is past and keeps what counts", async () => {
    standAt(NOON);
    const stub = env.LIMITS.getByName("quotes");
    await new Isolate().admitted([limit, quota], 3);
    standAt(NOON + 10 * 60_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await rows()).toEqual([{ window: "day@Asia/Shanghai" }]);
    expect(await new Isolate().used(limit, quota)).toEqual([0, 3]);
  });

  test("removes an object that keeps nothing any more, which then begins anew", async () => {
    standAt(NOON);
    const stub = env.LIMITS.getByName("quotes");
    await new Isolate().admitted([limit, quota], 3);
    standAt(NOON + 3 * 86_400_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await rows()).toEqual([]);
    expect(await runDurableObjectAlarm(stub)).toBe(false);
    expect(await new Isolate().admitted([limit, quota], 50)).toBe(10);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
  });
});

function rows(): Promise<unknown[]> {
  return runInDurableObject(env.LIMITS.getByName("quotes"), (_object: ExactLimits, { storage }) =>
    storage.sql.exec("SELECT window FROM counters ORDER BY window").toArray(),
  );
}
