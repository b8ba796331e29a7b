import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketInKeys, listPrefix, shardKey, tallyOthers, ttlSeconds } from "../../../src/limiter/kv/keys.ts";

const START = 1_800_000_000_000;
const ISOLATE = "0".repeat(64);
const bytes = (text: string) => new TextEncoder().encode(text).length;

describe("a key", () => {
  test("names window, bucket, start and isolate", () => {
    expect(shardKey("minute", "function:get_kline", START, "a1")).toBe(
      "rl:minute:function:get_kline:1800000000000:a1",
    );
  });

  test.each([
    ["a short name as it is", "upstream:tide-table", "upstream:tide-table"],
    ["256 bytes as they are", "x".repeat(256), "x".repeat(256)],
    ["257 bytes by their hash", "x".repeat(257), /^sha256-[0-9a-f]{64}$/],
    ["85 Chinese characters, 255 bytes, as they are", "潮".repeat(85), "潮".repeat(85)],
    ["300 Chinese characters, 900 bytes, by their hash", "潮".repeat(300), /^sha256-[0-9a-f]{64}$/],
    ["a name that looks like a hash by its hash", "sha256-0", /^sha256-[0-9a-f]{64}$/],
  ])("has %s", async (_, bucket, expected) => {
    expect(await bucketInKeys(bucket)).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });

  test("fits the 512 bytes of KV, whatever the bucket", async () => {
    const buckets = fc.string({ unit: "grapheme", maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(buckets, async (bucket) => {
        expect(bytes(shardKey("minute", await bucketInKeys(bucket), START, ISOLATE))).toBeLessThanOrEqual(
          512,
        );
      }),
    );
  });

  test("lives no shorter than the 60 s of KV, and until its window has no say", () => {
    expect(ttlSeconds("minute")).toBe(180);
    expect(ttlSeconds("day")).toBe(93_660);
  });

  test("is listed with the minute before, and without the day before", () => {
    expect(listPrefix("minute", "b", START)).toBe("rl:minute:b:");
    expect(listPrefix("day", "b", START)).toBe("rl:day:b:1800000000000:");
  });
});

describe("the sum of what the others have counted", () => {
  const counter = { window: "minute", bucket: "b", start: START, isolateId: "me" } as const;
  const key = (start: number, isolateId: string, bucket = "b") =>
    shardKey("minute", bucket, start, isolateId);

  test("takes this window and the one before, and not the isolate's own", () => {
    const keys = [
      { name: key(START, "one"), metadata: { count: 3 } },
      { name: key(START, "two"), metadata: { count: 4, note: "more is no harm" } },
      { name: key(START, "me"), metadata: { count: 100 } },
      { name: key(START - 60_000, "one"), metadata: { count: 5 } },
      { name: key(START - 120_000, "old"), metadata: { count: 100 } },
      { name: key(START + 120_000, "far ahead"), metadata: { count: 100 } },
    ];
    expect(tallyOthers(keys, counter)).toEqual({ current: 7, previous: 5, isolates: 2, unreadable: 0 });
  });

  test("takes the window that has begun already by the clock of an isolate that is ahead", () => {
    const keys = [
      { name: key(START, "one"), metadata: { count: 3 } },
      { name: key(START + 60_000, "ahead"), metadata: { count: 2 } },
    ];
    expect(tallyOthers(keys, counter)).toEqual({ current: 5, previous: 0, isolates: 2, unreadable: 0 });
  });

  test.each([
    key(START, "one", "b:c"),
    key(START, "one", `b:${START}`),
    `rl:minute:b:${START}`,
    `rl:minute:b:${START}:`,
    `rl:minute:b:${START}:a:b`,
    "rl:minute:b:1e3:one",
    `rl:day:b:${START}:one`,
    "rl:",
    "skill:tide-table",
  ])("passes over the foreign key %s", (name) => {
    const keys = [{ name, metadata: { count: 9 } }];
    expect(tallyOthers(keys, counter)).toEqual({ current: 0, previous: 0, isolates: 0, unreadable: 0 });
  });

  test("counts the keys that it can't read", () => {
    const keys = [{ name: key(START, "one") }, { name: key(START, "two"), metadata: { count: 2 } }];
    expect(tallyOthers(keys, counter)).toEqual({ current: 2, previous: 0, isolates: 1, unreadable: 1 });
  });
});
