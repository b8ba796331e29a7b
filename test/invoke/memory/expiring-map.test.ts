import { describe, expect, test } from "vitest";
import { ExpiringMap } from "../../../src/invoke/memory/expiring-map.ts";
import { CLOCK_TOLERANCE_MS } from "../../../src/limits.ts";

describe("a map whose values expire", () => {
  test("keeps each as long as it was told, and the last one set", () => {
    let now = 0;
    const map = new ExpiringMap<string>(() => now, 10);
    map.set("a", "1", 100);
    map.set("b", "2", 200);
    map.set("a", "3", 150);
    now = 149;
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual(["3", "2", undefined]);
    now = 150;
    expect([map.get("a"), map.get("b")]).toEqual([undefined, "2"]);
    map.delete("b");
    expect(map.get("b")).toBeUndefined();
  });

  test("gives up what was not used for longest when it is full", () => {
    const map = new ExpiringMap<number>(() => 0, 2);
    map.set("a", 1, 1);
    map.set("b", 2, 1);
    map.get("a");
    map.set("c", 3, 1);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  });

  test("is full by the size of what it holds too, and counts what is replaced no more", () => {
    const map = new ExpiringMap<number>(() => 0, 100, 10);
    map.set("a", 1, 1, 6);
    map.set("a", 2, 1, 4);
    map.set("b", 3, 1, 6);
    expect([map.get("a"), map.get("b")]).toEqual([2, 3]);
    map.set("c", 4, 1, 1);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([undefined, 3, 4]);
  });

  test("keeps nothing from a time that is yet to come, but for what clocks may be apart", () => {
    let now = 10_000;
    const map = new ExpiringMap<string>(() => now, 10);
    map.set("a", "1", 100_000);
    map.set("b", "2", 100_000);
    now -= CLOCK_TOLERANCE_MS;
    expect(map.get("a")).toBe("1");
    now -= 1;
    expect([map.get("a"), map.get("b")]).toEqual([undefined, undefined]);
    now += 1_000;
    expect(map.get("a")).toBeUndefined();
  });

  test("keeps nothing that is larger than all of it", () => {
    const map = new ExpiringMap<number>(() => 0, 100, 10);
    map.set("a", 1, 1, 11);
    expect(map.get("a")).toBeUndefined();
  });
});
