/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, reset, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { createKvLimiter, type Limit, type Limiter, type StoreFault } from "../../../src/limiter/index.ts";
import { COUNTER_DEADLINE_MS } from "../../../src/limits.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      STORE: KVNamespace;
    }
  }
}

/** Noon, so that no window turns however long the test takes; the clock stands still but for what is skipped. */
const NOON = Date.UTC(2026, 1, 28, 12);

const limit: Limit = {
  bucket: `行情:${"潮".repeat(300)}`,
  group: "quotes",
  label: "quotes",
  max: 10,
  window: "minute",
};

class Isolate {
  readonly limiter: Limiter;
  readonly faults: StoreFault[] = [];
  readonly #context = createExecutionContext();

  constructor(isolateId: string, start: number) {
    let now = start;
    this.limiter = createKvLimiter({
      store: env.STORE,
      isolateId,
      now: () => now,
      // Long waits are skipped. What a reply waits for is not: KV has to answer in that time.
      sleep: async (milliseconds) => {
        await new Promise((wake) => setTimeout(wake, Math.min(milliseconds, COUNTER_DEADLINE_MS)));
        if (milliseconds > COUNTER_DEADLINE_MS) now += milliseconds;
      },
      waitUntil: (work) => this.#context.waitUntil(work),
      report: (fault) => this.faults.push(fault),
    });
  }

  async admitted(calls: number): Promise<number> {
    const all = Array.from({ length: calls }, () => this.limiter.admit([limit], 1));
    return (await Promise.all(all)).filter(({ admitted }) => admitted).length;
  }

  finish(): Promise<void> {
    return waitOnExecutionContext(this.#context);
  }
}

afterEach(() => reset());

describe("a limiter on the KV of workerd", () => {
  test("admits exactly the limit of many calls at once, and publishes its count with an expiry", async () => {
    const isolate = new Isolate("one", NOON);
    expect(await isolate.admitted(50)).toBe(10);
    await isolate.finish();
    const { keys } = await env.STORE.list({ prefix: "rl:minute:" });
    expect(keys).toMatchObject([{ metadata: { count: 10 }, expiration: expect.any(Number) }]);
    expect(keys[0]?.name).toMatch(/^rl:minute:sha256-[0-9a-f]{64}:1772280000000:one$/);
    expect(isolate.faults).toEqual([]);
  });

  test("leaves the first of two limits uncounted where the second refuses", async () => {
    const isolate = new Isolate("one", NOON);
    const [wide, day] = [
      { ...limit, max: 100, bucket: "wide" },
      { ...limit, max: 3, bucket: "day", window: "day" },
    ] as const;
    const calls = Array.from({ length: 10 }, () => isolate.limiter.admit([wide, day], 1));
    const decisions = await Promise.all(calls);
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(3);
    expect((await isolate.limiter.look([wide, day])).map(({ used }) => used)).toEqual([3, 3]);
  });

  test("holds an isolate that starts anew to what is left of the day", async () => {
    const day = { ...limit, max: 5, window: "day" } as const;
    const first = new Isolate("one", NOON);
    for (let call = 0; call < 4; call += 1) await first.limiter.admit([day], 1);
    await first.finish();
    const second = new Isolate("two", NOON + 3_600_000);
    const decisions = await Promise.all(Array.from({ length: 5 }, () => second.limiter.admit([day], 1)));
    expect(decisions.filter(({ admitted }) => admitted)).toHaveLength(1);
  });

  test("lets another isolate know of it, in this minute and in the next", async () => {
    const first = new Isolate("one", NOON);
    expect(await first.admitted(10)).toBe(10);
    await first.finish();
    const second = new Isolate("two", NOON);
    expect(await second.admitted(1)).toBe(0);
    await second.finish();
    const [state] = await new Isolate("three", NOON + 90_000).limiter.look([limit]);
    expect(state).toMatchObject({ used: 5, left: 5 });
  });
});
