import { describe, expect, test } from "vitest";
import { KV_MIN_TTL_SECONDS } from "../../src/limits.ts";
import { HeldResultStore, type ResultStorage } from "../../src/store/index.ts";

const OWNER = { tenant: "t", function: "ask" };

function place(change: Partial<ResultStorage> = {}) {
  const written = new Map<string, { value: string; seconds: number }>();
  const work: Promise<void>[] = [];
  const reported: string[] = [];
  const store = new HeldResultStore({
    storage: {
      get: async (key) => written.get(key)?.value ?? null,
      put: async (key, value, { expirationTtl: seconds }) => {
        written.set(key, { value, seconds });
      },
      ...change,
    },
    waitUntil: (promise) => work.push(promise),
    report: (operation) => reported.push(operation),
  });
  return { store, written, work, reported };
}

describe("the store of held results", () => {
  test("gives a result to its tenant and function, for a time that KV takes", async () => {
    const { store, written, work } = place();
    store.put(OWNER, "hash", "[1]");
    await Promise.all(work);
    expect(await store.get(OWNER, "hash")).toEqual({ ok: true, value: "[1]" });
    expect(await store.get({ ...OWNER, tenant: "other" }, "hash")).toEqual({ ok: true, value: null });
    expect(await store.get({ ...OWNER, function: "other" }, "hash")).toEqual({ ok: true, value: null });
    for (const { seconds } of written.values()) expect(seconds).toBeGreaterThanOrEqual(KV_MIN_TTL_SECONDS);
  });

  test("notes a write that failed, which nobody waited for", async () => {
    const { store, work, reported } = place({ put: () => Promise.reject(new Error("full")) });
    store.put(OWNER, "hash", "[1]");
    await Promise.all(work);
    expect(reported).toEqual(["hold the result"]);
  });

  test("says where it cannot be read", async () => {
    const { store, reported } = place({ get: () => Promise.reject(new Error("down")) });
    expect(await store.get(OWNER, "hash")).toMatchObject({ failure: { code: "STORE_UNAVAILABLE" } });
    expect(reported).toEqual(["read the result"]);
  });
});
