import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanJson } from "../../../src/dialect/calls/json-syntax.ts";

describe("reading over JSON", () => {
  test.each<[string, number]>([
    ["{}", 2],
    ['{"a": {"b": [1, {"c": "}"}]}} and more', 29],
    ['[1, -2.5e+3, true, false, null, "\\u00e9\\"]"]', 44],
    ['"天气\u2028😀\ud83d" tail', 8],
    ["12 34", 2],
    ["  \n\t[ ]", 7],
  ])("ends where the value ends: %j", (text, end) => {
    expect(scanJson(text, 0, 64)).toEqual({ ok: true, end });
  });

  test.each<[string, number, string]>([
    ["", 0, "a value"],
    ["{", 1, 'a name in " or }'],
    ["{'a': 1}", 1, 'a name in " or }'],
    ["{a: 1}", 1, 'a name in " or }'],
    ['{"a" 1}', 5, "a colon"],
    ['{"a": }', 6, "a value"],
    ['{"a": 1 "b": 2}', 8, "a comma or }"],
    ['{"a": 1,}', 8, 'a name in "'],
    ['{"a": 1 // one\n}', 8, "a comma or }"],
    ['{"a": [1 2]}', 9, "a comma or ]"],
    ["[1,]", 3, "a value"],
    ['{"a": "cut of', 6, "a value"],
    ['{"a": "line\nbreak"}', 6, "a value"],
    ['{"a": "\\x"}', 6, "a value"],
    ['{"a": 01}', 7, "a comma or }"],
    ['{"a": NaN}', 6, "a value"],
    ["{“a”: 1}", 1, 'a name in " or }'],
    ['{"a": 1]', 7, "a comma or }"],
  ])("says where %j goes wrong", (text, at, wanted) => {
    expect(scanJson(text, 0, 64)).toEqual({ ok: false, at, expected: wanted });
  });

  test("counts nesting beyond the bound as wrong", () => {
    expect(scanJson(`${"[".repeat(3)}1${"]".repeat(3)}`, 0, 3)).toMatchObject({ ok: true });
    expect(scanJson(`${"[".repeat(4)}1${"]".repeat(4)}`, 0, 3)).toEqual({
      ok: false,
      at: 3,
      expected: "at most 3 levels of nesting",
    });
  });

  test("agrees with JSON.parse on what is JSON", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom("", "}", "]", ",", '"', "\\", "1", "\n", "x"),
        (json, at, extra) => {
          const place = at % (json.length + 1);
          const text = json.slice(0, place) + extra + json.slice(place);
          const scan = scanJson(text, 0, 1_000);
          const isWhole = scan.ok && text.slice(scan.end).trim() === "";
          expect(isWhole).toBe(isJson(text));
        },
      ),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
