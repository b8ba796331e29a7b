import { describe, expect, test } from "vitest";
import { type Kept, KeptResults, outcomeOf } from "../../../src/invoke/cache/kept-results.ts";
import { MAX_KEPT_RESULT_BYTES, MAX_KEPT_RESULTS, MAX_KEPT_RESULTS_BYTES } from "../../../src/limits.ts";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function kept(json: string): Kept {
  return { ok: true, result: { json: bytesOf(json), pages: null, returns: null } };
}

/** How many of results put one after the other are still there. */
function left(count: number, json: string): number {
  const results = new KeptResults(() => 0);
  const keys = Array.from({ length: count }, (_, index) => `key ${index}`);
  for (const key of keys) results.put(key, kept(json), 1);
  return keys.filter((key) => results.get(key) !== undefined).length;
}

describe("kept results", () => {
  test("are so many at most", () => {
    expect(left(MAX_KEPT_RESULTS + 10, "1")).toBe(MAX_KEPT_RESULTS);
  });

  test.each([
    ["one byte", "a", 1],
    ["two bytes", "é", 2],
    ["three bytes", "价", 3],
  ])("take so many bytes at most, each character %s: %s", (_bytes, character, bytes) => {
    const json = character.repeat(Math.floor(MAX_KEPT_RESULT_BYTES / bytes / 4));
    const count = left(200, json);
    const taken = count * json.length * bytes;
    expect(taken).toBeLessThanOrEqual(MAX_KEPT_RESULTS_BYTES);
    expect(taken).toBeGreaterThan(MAX_KEPT_RESULTS_BYTES * 0.9);
  });

  test.each([
    ["is too large", MAX_KEPT_RESULT_BYTES, false],
    ["is just small enough", MAX_KEPT_RESULT_BYTES - 10_000, true],
  ])("have none that %s, and then what was there stays", (_case, length, isKept) => {
    const results = new KeptResults(() => 0);
    results.put("key", kept("1"), 1);
    expect(results.put("key", kept("x".repeat(length)), 1)).toBe(isKept);
    const entry = results.get("key");
    expect(entry?.kept.ok === true && entry.kept.result.json.length).toBe(isKept ? length : 1);
  });

  test("count a failure, and a long key, as well", () => {
    const results = new KeptResults(() => 0);
    const reason = "x".repeat(MAX_KEPT_RESULT_BYTES);
    const failure: Kept = { ok: false, failure: { code: "EGRESS_DENIED", host: "h", reason } };
    expect(results.put("key", failure, 1)).toBe(false);
    expect(results.put(reason, kept("1"), 1)).toBe(false);
  });
});

describe("a kept result as an outcome", () => {
  test.each(["null", "[]", "{}", '""', "false", "0", '{"__proto__":{"a":1}}'])("has the data %s", (json) => {
    const outcome = outcomeOf({ json: bytesOf(json), pages: null, returns: null }, { ageMs: 5, stale: true });
    expect(JSON.stringify(outcome.data)).toBe(json);
    expect(outcome).toMatchObject({ json: bytesOf(json), attempts: 0, cached: true, stale: true, ageMs: 5 });
  });

  test("has data of its own, which stay what they are", () => {
    const result = { json: bytesOf('{"a":[1]}'), pages: null, returns: null };
    const [one, other] = [1, 2].map(() => outcomeOf(result, { ageMs: 0, stale: false }));
    expect(one?.data).toBe(one?.data);
    expect(one?.data).not.toBe(other?.data);
  });
});
