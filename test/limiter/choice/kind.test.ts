import { describe, expect, test } from "vitest";
import { type BoundPlaces, chooseLimiter } from "../../../src/limiter/choice/kind.ts";

const NOTHING: BoundPlaces = { kv: false, exact: false };
const KV: BoundPlaces = { kv: true, exact: false };
const OBJECT: BoundPlaces = { kv: false, exact: true };
const BOTH: BoundPlaces = { kv: true, exact: true };

describe("the limiter that is used", () => {
  test.each([
    [undefined, NOTHING, "memory"],
    [undefined, KV, "kv"],
    [undefined, OBJECT, "exact"],
    [undefined, BOTH, "auto"],
    ["memory", BOTH, "memory"],
    ["kv", BOTH, "kv"],
    ["exact", BOTH, "exact"],
    ["auto", BOTH, "auto"],
  ])("where LIMITER is %s and %j is bound: %s", (asked, bound, kind) => {
    expect(chooseLimiter(asked, bound)).toEqual({ kind, fault: null });
  });

  test.each([
    ["kv", NOTHING, "memory", "LIMITER=kv needs the KV namespace STORE; memory is used"],
    ["exact", KV, "kv", "LIMITER=exact needs the Durable Object LIMITS; kv is used"],
    ["auto", OBJECT, "exact", "LIMITER=auto needs the KV namespace STORE; exact is used"],
    [
      "auto",
      NOTHING,
      "memory",
      "LIMITER=auto needs the KV namespace STORE and the Durable Object LIMITS; memory is used",
    ],
    ["redis", BOTH, "auto", 'LIMITER is one of memory, kv, exact, auto, not "redis"; auto is used'],
    ["KV", KV, "kv", 'LIMITER is one of memory, kv, exact, auto, not "KV"; kv is used'],
  ])(
    "is the best there is where LIMITER=%s cannot be had with %j, which is said",
    (asked, bound, kind, fault) => {
      expect(chooseLimiter(asked, bound)).toEqual({ kind, fault });
    },
  );
});
