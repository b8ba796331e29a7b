import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../../../src/invoke/upstream/scrub.ts";

describe("a secret's value is taken out", () => {
  test.each([
    ["as it is", ["s3cret"], "key s3cret, again s3cret", "key [redacted], again [redacted]"],
    ["percent-encoded", ["a b/ç"], "?k=a%20b%2F%C3%A7", "?k=[redacted]"],
    ["as a form writes it", ["a b/ç"], "?k=a+b%2F%C3%A7", "?k=[redacted]"],
    ["in lower case, as hosts are", ["S3Cret"], "s3cret.example.com", "[redacted].example.com"],
    [
      "without the newline that it was stored with",
      ["s3cret\n"],
      "key s3cret, again s3cret\n",
      "key [redacted], again [redacted]",
    ],
    [
      "in a URL within another's query",
      ["a b/ç"],
      "?to=%3Fk%3Da%2520b%252F%25C3%25A7",
      "?to=%3Fk%3D[redacted]",
    ],
    ["percent-encoded with digits in lower case", ["a b/ç"], "?k=a%20b%2f%c3%a7", "?k=[redacted]"],
    ["within a text that holds JSON", ['a"\\ç'], String.raw`{"k":"a\"\\ç"}`, '{"k":"[redacted]"}'],
    [
      "within JSON that holds JSON",
      ['a"ç'],
      String.raw`{\"k\":\"a\\\"ç\"}`,
      String.raw`{\"k\":\"[redacted]\"}`,
    ],
    ["within JSON that keeps to ASCII", ["密钥"], String.raw`{"k":"\u5bc6\u94a5"}`, '{"k":"[redacted]"}'],
    ["within a page", [`a&"'<b>`], "<p>a&amp;&quot;&#39;&lt;b&gt;</p>", "<p>[redacted]</p>"],
    ["in Base64", ["s3cret/?"], "czNjcmV0Lz8=", "[redacted]"],
    ["in Base64 for URLs", ["s3cret>>>?"], "czNjcmV0Pj4-Pw", "[redacted]w"],
    ["in Base64 within something longer", ["s3cret-key"], btoa("name:s3cret-key!"), "bmFtZTp[redacted]IQ=="],
    ["in hexadecimal digits", ["s3cret"], "733363726574 733363726574", "[redacted] [redacted]"],
    ["no Base64 of what is too short to be told", ["key"], "a2V5 6b6579", "a2V5 6b6579"],
    ["the longer of two that overlap", ["abc", "abcdef"], "abcdef abc", "[redacted] [redacted]"],
    ["with characters that patterns use", ["a.*$&"], "a.*$& axx", "[redacted] axx"],
    ["Chinese", ["密钥"], "密钥在此", "[redacted]在此"],
    ["nothing where there is none", [], "text", "text"],
    ["nothing for an empty one", [""], "text", "text"],
    ["nothing for a blank one", [" \n"], "a text \n", "a text \n"],
  ])("%s", (_name, secrets, text, scrubbed) => {
    expect(createScrubber(secrets).text(text)).toBe(scrubbed);
  });

  test("in strings and keys at any depth", () => {
    const value = { a: ["x s3cret", 1, null, true], s3cret: { b: "s3cret" } };
    expect(createScrubber(["s3cret"]).json(value)).toEqual({
      a: ["x [redacted]", 1, null, true],
      "[redacted]": { b: "[redacted]" },
    });
  });

  test("in numbers, where a secret is one", () => {
    const value = { app: 48_151_623, price: 42, text: "app 48151623" };
    expect(createScrubber(["48151623\n"]).json(value)).toEqual({
      app: "[redacted]",
      price: 42,
      text: "app [redacted]",
    });
  });

  test("a value without it is the same object", () => {
    const value = { a: ["x", 1, null, true] };
    expect(createScrubber(["s3cret"]).json(value)).toBe(value);
  });

  test("a key named like a member of every object stays a plain key", () => {
    const value = JSON.parse('{"__proto__":{"a":"s3cret"},"b":"s3cret"}');
    expect(JSON.stringify(createScrubber(["s3cret"]).json(value))).toBe(
      '{"__proto__":{"a":"[redacted]"},"b":"[redacted]"}',
    );
  });

  test("no value keeps a secret", () => {
    const secret = "sk-0123456789";
    const texts = fc.array(fc.oneof(fc.string(), fc.constant(secret))).map((parts) => parts.join(""));
    const values = fc
      .jsonValue()
      .chain((value) => texts.map((text) => ({ value, [text]: [text, { text }] })));
    fc.assert(
      fc.property(values, (value) => {
        const scrubbed = createScrubber([secret]).json(JSON.parse(JSON.stringify(value)));
        expect(JSON.stringify(scrubbed)).not.toContain(secret);
      }),
    );
  });
});
