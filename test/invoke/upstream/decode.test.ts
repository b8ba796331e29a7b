import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBody, parseContentType } from "../../../src/invoke/upstream/decode.ts";
import type { JsonValue } from "../../../src/json.ts";
import { MAX_REPLY_NESTING } from "../../../src/limits.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function decoded(bytes: Uint8Array, contentType: string | null, status = 200): JsonValue {
  const result = decodeBody(bytes, contentType, status);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value.body;
}

function reasonFor(text: string, contentType: string): string {
  const result = decodeBody(utf8(text), contentType, 200);
  return !result.ok && result.failure.code === "UPSTREAM_UNPARSABLE" ? result.failure.reason : "";
}

describe("an empty reply is a success without data", () => {
  test.each<[string, string, string | null, number]>([
    ["204", "", null, 204],
    ["204 with a JSON type", "", "application/json", 204],
    ["200 of length 0 with a JSON type", "", "application/json", 200],
    ["200 of length 0 with a text type", "", "text/plain", 200],
    ["201 of length 0 without a type", "", null, 201],
    ["blank JSON", " \r\n", "application/json", 200],
  ])("%s", (_name, text, contentType, status) => {
    expect(decoded(utf8(text), contentType, status)).toBeNull();
  });
});

describe("character sets", () => {
  const gbk = new Uint8Array([0xd6, 0xd0]);
  test.each<[string, Uint8Array, string, JsonValue]>([
    ["the label is used", gbk, "text/plain; charset=gbk", "中"],
    ["a quoted label", gbk, 'text/plain; charset="gbk"', "中"],
    ["an upper-case label", gbk, "Text/Plain; Charset=GBK", "中"],
    ["an older name of the same set", gbk, "text/plain;charset=gb2312", "中"],
    ["a quoted label with an escape", gbk, 'text/plain; charset="g\\bk"', "中"],
    ["among other parameters", gbk, "text/plain; format=flowed; charset=gbk; x=y", "中"],
    ["not inside another parameter", utf8("中"), 'text/plain; x="; charset=gbk"', "中"],
    ["an unknown label counts as UTF-8", utf8("中"), "text/plain; charset=nonsense", "中"],
    ["a forbidden label counts as UTF-8", utf8("中"), "text/plain; charset=iso-2022-cn", "中"],
    ["an empty label counts as UTF-8", utf8("中"), "text/plain; charset=", "中"],
    ["no label is UTF-8", utf8("中"), "text/plain", "中"],
    ["in JSON", new Uint8Array([0x22, 0xd6, 0xd0, 0x22]), "application/json; charset=GBK", "中"],
    ["a label makes a text of an unknown type", gbk, "application/x-quote; charset=gbk", "中"],
    ["Latin-1", new Uint8Array([0xe9]), "text/plain; charset=ISO-8859-1", "é"],
    ["a byte order mark is dropped", utf8("\ufeff{}"), "application/json", {}],
    ["a byte order mark beats the label", utf8("\ufeff中"), "text/plain; charset=gbk", "中"],
    ["UTF-16, little end first", new Uint8Array([0xff, 0xfe, 0x2d, 0x4e]), "text/plain", "中"],
    ["UTF-16, big end first", new Uint8Array([0xfe, 0xff, 0x4e, 0x2d]), "text/plain", "中"],
    [
      "half a surrogate pair in UTF-16",
      new Uint8Array([0xff, 0xfe, 0x3d, 0xd8, 0x61, 0x00]),
      "text/plain",
      "\ufffda",
    ],
    ["bytes that are no UTF-8", new Uint8Array([0x61, 0xff]), "text/plain", "a\ufffd"],
  ])("%s", (_name, bytes, contentType, body) => {
    expect(decoded(bytes, contentType)).toEqual(body);
  });
});

describe("what a body is goes by its label", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x00]);
  test.each<[string, Uint8Array, string | null, JsonValue]>([
    ["JSON", utf8('{"a":[1,null]}'), "application/json", { a: [1, null] }],
    ["a JSON scalar", utf8("12"), "application/json", 12],
    ["a +json type", utf8('{"a":1}'), "application/problem+json; charset=utf-8", { a: 1 }],
    ["text/json", utf8("[1]"), "text/json", [1]],
    ["text", utf8("a,b\n1,2"), "text/csv", "a,b\n1,2"],
    ["a page of HTML stays text", utf8("<html>{}</html>"), "text/html", "<html>{}</html>"],
    ["JSON under a server's default label", utf8(' {"a":1}'), "text/html; charset=utf-8", { a: 1 }],
    ["JSON labelled text", utf8("[1]"), "text/plain", [1]],
    ["JSON without a label", utf8('{"a":1}'), null, { a: 1 }],
    ["JSON labelled octets", utf8('{"a":1}'), "application/octet-stream", { a: 1 }],
    ["text that only begins like JSON", utf8("[12:00] started"), "text/plain", "[12:00] started"],
    ["a number labelled text stays text", utf8("12"), "text/plain", "12"],
    ["CSV that happens to be JSON stays text", utf8("[1]"), "text/csv", "[1]"],
    ["XML", utf8("<a/>"), "application/atom+xml", "<a/>"],
    ["lines of JSON stay text", utf8('{"a":1}\n{"a":2}'), "application/x-ndjson", '{"a":1}\n{"a":2}'],
    ["text without a label", utf8("中文"), null, "中文"],
    ["a label that is none", utf8("x"), "nonsense", "x"],
    ["an image", png, "image/png", { media_type: "image/png", base64: "iVBORwA=" }],
    ["text labelled as an image", utf8("x"), "image/png", { media_type: "image/png", base64: "eA==" }],
    [
      "an image that names a charset",
      png,
      "image/png; charset=utf-8",
      { media_type: "image/png", base64: "iVBORwA=" },
    ],
    [
      "an archive that names a charset",
      png,
      "application/zip; charset=utf-8",
      { media_type: "application/zip", base64: "iVBORwA=" },
    ],
    [
      "bytes that are no UTF-8, without a NUL",
      new Uint8Array([0x61, 0xff]),
      "application/octet-stream; charset=binary",
      { media_type: "application/octet-stream", base64: "Yf8=" },
    ],
    ["a drawing", utf8("<svg/>"), "image/svg+xml", "<svg/>"],
    ["bytes without a label", png, null, { media_type: "application/octet-stream", base64: "iVBORwA=" }],
    [
      "octets with a NUL",
      new Uint8Array([0x61, 0]),
      null,
      { media_type: "application/octet-stream", base64: "YQA=" },
    ],
  ])("%s", (_name, bytes, contentType, body) => {
    expect(decoded(bytes, contentType)).toEqual(body);
  });

  test("base64 holds every byte, across the pieces it is made in", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60_000 }), (bytes) => {
        expect(decoded(bytes, "image/png")).toEqual({
          media_type: "image/png",
          base64: Buffer.from(bytes).toString("base64"),
        });
      }),
      { numRuns: 30 },
    );
  });

  test("the media type comes back without its parameters", () => {
    expect(decodeBody(utf8("{}"), "Application/JSON; charset=utf-8", 200)).toMatchObject({
      value: { mediaType: "application/json" },
    });
    expect(decodeBody(utf8("{}"), null, 200)).toMatchObject({ value: { mediaType: null } });
  });
});

describe("JSON that does not parse is named with its reason", () => {
  test.each([
    ["cut short", '{"a":', "it is labelled application/json but is not valid JSON"],
    [
      "an error page",
      "\n<!DOCTYPE html>",
      "it is labelled application/json but holds markup, perhaps an error page",
    ],
    ["two values", "{} {}", "it is labelled application/json but is not valid JSON"],
    ["NaN", "NaN", "it is labelled application/json but is not valid JSON"],
    [
      "too deep",
      "[".repeat(201) + "]".repeat(201),
      "it is labelled application/json but is nested deeper than 200 levels",
    ],
    [
      "absurdly deep",
      "[".repeat(300_000) + "]".repeat(300_000),
      "it is labelled application/json but is nested deeper than 200 levels",
    ],
  ])("%s", (_name, text, reason) => {
    expect(reasonFor(text, "application/json")).toBe(reason);
  });

  test("the failure carries the status and quotes nothing of the body", () => {
    expect(decodeBody(utf8('{"token": sk-live-123'), "application/json", 500)).toEqual({
      ok: false,
      failure: {
        code: "UPSTREAM_UNPARSABLE",
        upstream: { status: 500, code: null, message: null },
        reason: "it is labelled application/json but is not valid JSON",
      },
    });
  });

  test("the deepest nesting allowed is read", () => {
    const text = "[".repeat(MAX_REPLY_NESTING) + "]".repeat(MAX_REPLY_NESTING);
    expect(JSON.stringify(decoded(utf8(text), "application/json"))).toBe(text);
  });
});

describe("a content type is read", () => {
  test.each<[string, string | null, string | null]>([
    ["application/json", "application/json", null],
    [" Text/HTML ;charset=UTF-8", "text/html", "UTF-8"],
    ['text/html; charset="utf-8"', "text/html", "utf-8"],
    ["text/html; charset=gbk; charset=utf-8", "text/html", "gbk"],
    ["text/html;;", "text/html", null],
    ["", null, null],
    ["html", null, null],
    ["text/html, application/json", null, null],
    [`${"a".repeat(128)}/b`, null, null],
  ])("%j", (header, mediaType, charset) => {
    expect(parseContentType(header)).toEqual({ mediaType, charset });
  });
});
