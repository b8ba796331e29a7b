import { describe, expect, test } from "vitest";
import { bytesOf, MadeBodies } from "../../src/catalog/index.ts";
import { MAX_KEPT_BODY_CHARACTERS } from "../../src/limits.ts";

const bodyOf = (length: number) => ({ body: "x".repeat(length), etag: `"${length}"` });

describe("bodies that were made", () => {
  const third = Math.floor(MAX_KEPT_BODY_CHARACTERS / 3) - 1;

  test("are kept by key, the last one of each", () => {
    const made = new MadeBodies();
    expect(made.get("a")).toBeNull();
    made.keep("a", bodyOf(1));
    made.keep("a", bodyOf(2));
    expect(made.get("a")).toEqual(bodyOf(2));
    expect(made.get("b")).toBeNull();
  });

  test("make room for others, those asked for longest ago first", () => {
    const made = new MadeBodies();
    for (const key of ["a", "b", "c"]) made.keep(key, bodyOf(third));
    expect(made.get("a")).not.toBeNull();
    made.keep("d", bodyOf(third));
    expect(["a", "b", "c", "d"].filter((key) => made.get(key) !== null)).toEqual(["a", "c", "d"]);
  });

  test("are not counted twice when they are made anew", () => {
    const made = new MadeBodies();
    made.keep("a", bodyOf(third));
    for (let time = 0; time < 5; time++) made.keep("b", bodyOf(third));
    expect(made.get("a")).not.toBeNull();
  });

  test("are not kept where one alone is too long", () => {
    const made = new MadeBodies();
    made.keep("a", bodyOf(MAX_KEPT_BODY_CHARACTERS + 1));
    expect(made.get("a")).toBeNull();
  });
});

test("a prepared body is encoded once", () => {
  const prepared = { body: "潮汐", etag: '"a"' };
  expect(new TextDecoder().decode(bytesOf(prepared))).toBe("潮汐");
  expect(bytesOf(prepared)).toBe(bytesOf(prepared));
});
