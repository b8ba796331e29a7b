import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  atPath,
  atPointer,
  escapePointerToken,
  isJsonObject,
  type JsonValue,
  jsonKind,
  jsonObject,
  pointerTokens,
} from "../src/json.ts";

describe("a JSON value", () => {
  test.each([
    [null, "null", false],
    [true, "boolean", false],
    [0, "integer", false],
    [-0, "integer", false],
    [1.5, "number", false],
    [1e300, "integer", false],
    ["", "string", false],
    [[], "array", false],
    [{}, "object", true],
  ])("%j is of the kind %s", (value, kind, isObject) => {
    expect(jsonKind(value)).toBe(kind);
    expect(isJsonObject(value)).toBe(isObject);
  });

  test("that is absent is no object", () => {
    expect(isJsonObject(undefined)).toBe(false);
  });
});

test("an object keyed by anybody's text has no prototype and every key", () => {
  const object = jsonObject([
    ["__proto__", 1],
    ["toString", 2],
  ]);
  expect(Object.getPrototypeOf(object)).toBeNull();
  expect(Object.entries(object)).toEqual([
    ["__proto__", 1],
    ["toString", 2],
  ]);
  expect(object.constructor).toBeUndefined();
});

describe("a path of names and indexes", () => {
  const root = { list: [{ "a/b": 1 }], text: "abc" };

  test.each<[string, (string | number)[], JsonValue | undefined]>([
    ["the whole", [], root],
    ["a member of an item, whatever its name", ["list", 0, "a/b"], 1],
    ["no item beyond the end", ["list", 1], undefined],
    ["no member of a list", ["list", "length"], undefined],
    ["nothing that every object has", ["constructor"], undefined],
    ["nothing within a text", ["text", 0], undefined],
  ])("leads to %s", (_what, path, value) => {
    expect(atPath(root, path)).toEqual(value);
  });
});

describe("a JSON Pointer", () => {
  // The example of RFC 6901, section 5.
  const document = {
    foo: ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
  };

  test.each([
    ["", document],
    ["/foo", ["bar", "baz"]],
    ["/foo/0", "bar"],
    ["/", 0],
    ["/a~1b", 1],
    ["/c%d", 2],
    ["/e^f", 3],
    ["/g|h", 4],
    ["/i\\j", 5],
    ['/k"l', 6],
    ["/ ", 7],
    ["/m~0n", 8],
    ["/foo/2", undefined],
    ["/foo/-1", undefined],
    ["/foo/01", undefined],
    ["/foo/length", undefined],
    ["/foo/0/x", undefined],
    ["/toString", undefined],
    ["/__proto__", undefined],
  ])("%j leads to %j", (pointer, value) => {
    expect(atPointer(document, pointer)).toEqual(value);
  });

  test("is taken apart into the tokens that it was made of", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom("~", "/", "~1", "~0", "~01"))), (tokens) => {
        const pointer = tokens.map((token) => `/${escapePointerToken(token)}`).join("");
        expect(pointerTokens(pointer)).toEqual(tokens);
      }),
    );
  });
});
