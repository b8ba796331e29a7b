import { describe, expect, test } from "vitest";
import { type ClosureFault, type ClosureStore, Closures } from "../../src/limiter/closures.ts";
import {
  CLOSURE_LOOK_INTERVAL_MS,
  KV_MIN_TTL_SECONDS,
  MAX_CLOSURE_MS,
  MAX_CLOSURES,
} from "../../src/limits.ts";
import { MIDNIGHT } from "./kv/place.ts";

interface Put {
  key: string;
  ttlSeconds: number;
  until: number;
}

/** A store that several isolates share, and their clock. */
class Shared {
  now = MIDNIGHT;
  readonly puts: Put[] = [];
  readonly faults: ClosureFault[] = [];
  reads = 0;
  isBroken = false;
  readonly #metadata = new Map<string, unknown>();
  readonly #work: Promise<void>[] = [];

  isolate(hasStore = true): Closures {
    return new Closures({
      store: hasStore ? this.#store() : null,
      now: () => this.now,
      waitUntil: (work) => this.#work.push(work),
      report: (fault) => this.faults.push(fault),
    });
  }

  set(key: string, metadata: unknown): void {
    this.#metadata.set(key, metadata);
  }

  /** Ends all background work; rejects if any of it does. */
  async finish(): Promise<void> {
    await Promise.all(this.#work);
  }

  #store(): ClosureStore {
    const check = (): void => {
      if (this.isBroken) throw new Error("KV PUT failed: 429 Too Many Requests");
    };
    return {
      getWithMetadata: async (key) => {
        this.reads += 1;
        check();
        return { metadata: this.#metadata.get(key) ?? null };
      },
      put: async (key, _value, { expirationTtl, metadata }) => {
        check();
        this.puts.push({ key, ttlSeconds: expirationTtl, until: metadata.until });
        this.#metadata.set(key, metadata);
      },
    };
  }
}

const BUCKET = "upstream:api.example:KEY";

describe("a closed bucket", () => {
  test("is closed at once in its isolate, until then and no longer, and no other bucket is", () => {
    const shared = new Shared();
    const closures = shared.isolate();
    expect(closures.close(BUCKET, 30_000)).toBe(true);
    expect([closures.closedFor(BUCKET), closures.closedFor("another")]).toEqual([30_000, 0]);
    shared.now += 29_999;
    expect(closures.closedFor(BUCKET)).toBe(1);
    shared.now += 1;
    expect(closures.closedFor(BUCKET)).toBe(0);
  });

  test("is never opened earlier by a shorter closure, which is no news", () => {
    const closures = new Shared().isolate();
    closures.close(BUCKET, 30_000);
    expect(closures.close(BUCKET, 1_000)).toBe(false);
    expect(closures.closedFor(BUCKET)).toBe(30_000);
  });

  test.each([86_400_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
    "stays closed for an hour at most, whatever was asked: %d ms",
    (asked) => {
      const closures = new Shared().isolate();
      closures.close(BUCKET, asked);
      expect(closures.closedFor(BUCKET)).toBe(MAX_CLOSURE_MS);
    },
  );

  test("is open where the clock was set back to before it was closed, and can be closed again", () => {
    const shared = new Shared();
    const closures = shared.isolate();
    closures.close(BUCKET, MAX_CLOSURE_MS);
    shared.now -= 60_000;
    expect(closures.closedFor(BUCKET)).toBe(0);
    expect(closures.close(BUCKET, 5_000)).toBe(true);
    expect(closures.closedFor(BUCKET)).toBe(5_000);
  });

  test("is known to other isolates when they next look, and kept no shorter than KV can", async () => {
    const shared = new Shared();
    const [one, other] = [shared.isolate(), shared.isolate()];
    expect(other.closedFor(BUCKET)).toBe(0);
    one.close(BUCKET, 50_000);
    await shared.finish();
    expect(shared.puts).toEqual([
      { key: `rl:closed:${BUCKET}`, ttlSeconds: KV_MIN_TTL_SECONDS, until: MIDNIGHT + 50_000 },
    ]);
    shared.now += CLOSURE_LOOK_INTERVAL_MS;
    expect(other.closedFor(BUCKET)).toBe(0);
    await shared.finish();
    expect(other.closedFor(BUCKET)).toBe(50_000 - CLOSURE_LOOK_INTERVAL_MS);
  });

  test("is looked up at most every so often, and never without a store", async () => {
    const shared = new Shared();
    const [closures, alone] = [shared.isolate(), shared.isolate(false)];
    for (let call = 0; call < 100; call += 1) {
      closures.closedFor(BUCKET);
      alone.closedFor(BUCKET);
    }
    await shared.finish();
    expect(shared.reads).toBe(1);
  });

  test("is written at most once a second", async () => {
    const shared = new Shared();
    const closures = shared.isolate();
    for (let call = 1; call <= 20; call += 1) {
      closures.close(BUCKET, call * 10_000);
      shared.now += 100;
    }
    await shared.finish();
    expect(shared.puts).toHaveLength(2);
  });

  test.each([null, "text", 5, {}, { until: "soon" }, { until: Number.MAX_VALUE }, { until: null }])(
    "is none where the store holds %j",
    async (metadata) => {
      const shared = new Shared();
      const closures = shared.isolate();
      shared.set(`rl:closed:${BUCKET}`, metadata);
      closures.closedFor(BUCKET);
      await shared.finish();
      expect(closures.closedFor(BUCKET)).toBe(0);
    },
  );

  test("holds here although the store fails, which is reported", async () => {
    const shared = new Shared();
    const closures = shared.isolate();
    shared.isBroken = true;
    closures.close(BUCKET, 30_000);
    expect(closures.closedFor(BUCKET)).toBe(30_000);
    await shared.finish();
    expect(shared.faults.map(({ operation, bucket }) => [operation, bucket]).sort()).toEqual([
      ["get", BUCKET],
      ["put", BUCKET],
    ]);
  });

  test("is forgotten before memory is short", () => {
    const closures = new Shared().isolate(false);
    closures.close("first", 30_000);
    for (let count = 0; count < MAX_CLOSURES; count += 1) closures.close(`bucket ${count}`, 30_000);
    expect(closures.closedFor("first")).toBe(0);
  });
});
