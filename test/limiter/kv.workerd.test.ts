/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, reset, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { createKvLimiter, type Limit, type Limiter, type StoreFault } from "../../src/limiter/index.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      STORE: KVNamespace;
    }
  }
}

/** Noon, so that no window turns however long the test takes; the clock stands still. */
const NOON = Date.UTC(2026, 1, 28, 12);

const limit: Limit = { bucket: `行情:${"潮".repeat(300)}`, label: "quotes", max: 10, window: "minute" };

class Isolate {
  readonly limiter: Limiter;
  readonly faults: StoreFault[] = [];
  readonly #context = createExecutionContext();

  constructor(isolateId: string, now: number) {
    this.limiter = createKvLimiter({
      store: env.STORE,
      isolateId,
      now: () => now,
      sleep: () => new Promise((wake) => setTimeout(wake, 1)),
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

  test("lets another isolate know of it, in this minute and in the next", async () => {
    const first = new Isolate("one", NOON);
    expect(await first.admitted(10)).toBe(10);
    await first.finish();
    expect((await new Isolate("two", NOON).limiter.admit([limit], 1)).admitted).toBe(false);
    const [state] = await new Isolate("three", NOON + 90_000).limiter.look([limit]);
    expect(state).toMatchObject({ used: 5, left: 5 });
  });
});
