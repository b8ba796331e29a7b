import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildPath, joinUrl, queryPieces, scalarText } from "../../../src/invoke/plan/url.ts";
import { type QueryStyle, queryStyleSchema } from "../../../src/ir.ts";
import { type JsonValue, jsonObject } from "../../../src/json.ts";
import { anyOf, requestOf } from "../compiled.ts";

/** Fills the path of a compiled document. */
function filled(path: string, args: Record<string, JsonValue>): string | object {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  const binding = requestOf({ parameters: anyOf(...names), request: { path } });
  const result = buildPath(binding.path, jsonObject(Object.entries(args)));
  return result.ok ? result.path : result.fault;
}

describe("a path", () => {
  test.each<[string, string, Record<string, JsonValue>, string]>([
    ["one value", "/a/{x}", { x: "b" }, "/a/b"],
    [
      "several placeholders in one segment",
      "/{year}-{month}.json",
      { year: 2026, month: "02" },
      "/2026-02.json",
    ],
    ["two placeholders side by side", "/{a}{b}", { a: "1", b: "2" }, "/12"],
    ["the same placeholder twice", "/{t}/{t}/item/{u}", { t: "x", u: "y" }, "/x/x/item/y"],
    ["a value that looks like a placeholder", "/{a}/{b}", { a: "{b}", b: "{a}" }, "/%7Bb%7D/%7Ba%7D"],
    ["a value that looks like an expression", "/{a}", { a: "${a}" }, "/%24%7Ba%7D"],
    ["slashes", "/{a}/z", { a: "x/../y" }, "/x%2F..%2Fy/z"],
    ["backslashes", "/{a}", { a: "..\\.." }, "/..%5C.."],
    ["what would begin a query or a fragment", "/{a}", { a: "b?c#d&e=f" }, "/b%3Fc%23d%26e%3Df"],
    ["what would name another host", "/{a}", { a: "@evil.test" }, "/%40evil.test"],
    ["a percent sign, also of what is encoded already", "/{a}", { a: "100%25" }, "/100%2525"],
    ["dots that are encoded already", "/{a}/x", { a: "%2e%2E" }, "/%252e%252E/x"],
    ["dots among other characters", "/{a}/{b}", { a: "..x", b: "..." }, "/..x/..."],
    ["a dot that a segment's fixed text makes harmless", "/v{a}", { a: ".." }, "/v.."],
    ["Chinese", "/{a}", { a: "贵州茅台" }, "/%E8%B4%B5%E5%B7%9E%E8%8C%85%E5%8F%B0"],
    ["characters beyond the first plane", "/{a}", { a: "😀" }, "/%F0%9F%98%80"],
    ["half a surrogate pair, which has no encoding", "/{a}", { a: "\ud800" }, "/%EF%BF%BD"],
    ["line breaks and NUL", "/{a}", { a: "\r\n\0" }, "/%0D%0A%00"],
    ["numbers and booleans", "/{a}/{b}/{c}", { a: 0, b: false, c: -1.5 }, "/0/false/-1.5"],
    ["a list", "/days/{d}", { d: ["mon", "tue"] }, "/days/mon,tue"],
    ["a list with commas in its items", "/days/{d}", { d: ["a,b", 2] }, "/days/a%2Cb,2"],
    ["a list with a null in it", "/days/{d}", { d: ["a", null, "b"] }, "/days/a,b"],
    ["an object", "/{a}", { a: { b: 1 } }, "/%7B%22b%22%3A1%7D"],
    ["names with characters of JSON Pointer", "/{a~/b}", { "a~/b": 1 }, "/1"],
  ])("is filled with %s", (_what, path, args, expected) => {
    expect(filled(path, args)).toBe(expected);
  });

  test.each<[string, string, Record<string, JsonValue>, string, string]>([
    ["nothing", "/{a}", {}, "/a", "null"],
    ["null", "/{a}", { a: null }, "/a", "null"],
    ["an empty text", "/x/{a}/y", { a: "" }, "/a", '""'],
    ["an empty list", "/{a}", { a: [] }, "/a", "[]"],
    ["a list of nothing", "/{a}", { a: [null] }, "/a", "[null]"],
    ["one dot", "/{a}", { a: "." }, "/a", '"."'],
    ["two dots", "/x/{a}/y", { a: ".." }, "/a", '".."'],
    ["a list of one dot segment", "/{a}", { a: [".."] }, "/a", '[".."]'],
    ["dots from two places", "/x/{a}{b}/y", { a: ".", b: "." }, "/a", '"."'],
    ["a dot beside a dot of the template", "/x/.{a}/y", { a: "." }, "/a", '"."'],
    ["a dot beside an encoded dot of the template", "/x/%2e{a}/y", { a: "." }, "/a", '"."'],
    ["the second of two values", "/{a}/{b}", { a: "ok", b: ".." }, "/b", '".."'],
    ["a name with characters of JSON Pointer", "/{a~/b}", { "a~/b": "" }, "/a~0~1b", '""'],
  ])("is refused for %s, and the fault names the argument", (_what, path, args, pointer, got) => {
    expect(filled(path, args)).toEqual({ path: pointer, rule: "path", expected: expect.any(String), got });
  });
});

describe("a field of a query", () => {
  test.each<[string, string, JsonValue, QueryStyle, string[]]>([
    ["null is not sent", "q", null, "csv", []],
    ["an empty text is sent, for it was given", "q", "", "csv", ["q="]],
    ["false is sent", "q", false, "csv", ["q=false"]],
    ["zero is sent", "q", 0, "csv", ["q=0"]],
    ["csv joins by commas that are not encoded", "tags", ["a", "b,c"], "csv", ["tags=a,b%2Cc"]],
    ["repeat gives a pair for each item", "tags", ["a", "b,c"], "repeat", ["tags=a", "tags=b%2Cc"]],
    ["brackets are encoded", "tags", ["a", 1], "brackets", ["tags%5B%5D=a", "tags%5B%5D=1"]],
    ["pipe joins by encoded pipes", "ids", [1, 2], "pipe", ["ids=1%7C2"]],
    ["one value of a list style is one pair", "ids", 1, "brackets", ["ids=1"]],
    ["an object is JSON", "f", { a: [1] }, "csv", ["f=%7B%22a%22%3A%5B1%5D%7D"]],
    ["reserved characters stay within the value", "q", "a&b=c#d+e f", "csv", ["q=a%26b%3Dc%23d%2Be%20f"]],
    ["a name is encoded", "page[size]", 5, "csv", ["page%5Bsize%5D=5"]],
    ["Chinese on both sides", "名称", "腾讯", "csv", ["%E5%90%8D%E7%A7%B0=%E8%85%BE%E8%AE%AF"]],
    ["half a surrogate pair in a name", "a\ud800", 1, "csv", ["a%EF%BF%BD=1"]],
  ])("%s", (_what, name, value, style, expected) => {
    expect(queryPieces(name, value, style)).toEqual(expected);
  });

  test.each(queryStyleSchema.options)("a list without items is not sent, as %s", (style) => {
    expect(queryPieces("q", [], style)).toEqual([]);
    expect(queryPieces("q", [null, null], style)).toEqual([]);
  });

  test.each<[QueryStyle, string[]]>([
    ["csv", ["q=a,b"]],
    ["pipe", ["q=a%7Cb"]],
    ["repeat", ["q=a", "q=b"]],
    ["brackets", ["q%5B%5D=a", "q%5B%5D=b"]],
  ])("a null within a list is left out, as %s", (style, expected) => {
    expect(queryPieces("q", ["a", null, "b"], style)).toEqual(expected);
  });

  test("any value comes back whole from the query it was put into", () => {
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(value), (name, items) => {
        const search = queryPieces(name, items, "repeat").join("&");
        const read = [...new URLSearchParams(search)];
        expect(read).toEqual(items.map((item) => [name.toWellFormed(), scalarText(item)]));
      }),
    );
  });
});

describe("a base, a path and a query", () => {
  test.each<[string, string, string[], string]>([
    ["https://h.test", "/x", [], "https://h.test/x"],
    ["https://h.test/", "/x", [], "https://h.test/x"],
    ["https://h.test/api/v2/", "/x", [], "https://h.test/api/v2/x"],
    ["https://h.test/api/v2", "/x/", ["a=1", "b=2"], "https://h.test/api/v2/x/?a=1&b=2"],
    ["https://h.test:8443/api//", "/x", ["a=1"], "https://h.test:8443/api/x?a=1"],
  ])("%s and %s and %j are %s", (base, path, pieces, expected) => {
    expect(joinUrl(base, path, pieces)).toBe(expected);
  });
});
