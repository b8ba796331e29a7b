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
});

describe("a secret that programs have escaped is taken out", () => {
  test.each([
    ["within JSON that escapes slashes", ["a/b/ç"], String.raw`{"k":"a\/b\/ç"}`, '{"k":"[redacted]"}'],
    ["within JSON for pages", ["a<b>&c"], String.raw`{"k":"a\u003cb\u003E\u0026c"}`, '{"k":"[redacted]"}'],
    ["percent-encoded with slashes left", ["a/b+c=d"], "?k=a/b%2Bc%3Dd", "?k=[redacted]"],
    [
      "percent-encoded with its marks",
      ["it's (a) *b*!"],
      "?k=it%27s%20%28a%29%20%2Ab%2A%21",
      "?k=[redacted]",
    ],
    ["percent-encoded in part", ["a/b+c=d"], "?k=a%2Fb+c%3dd", "?k=[redacted]"],
    [
      "within a page, by other references",
      ["it's/a"],
      "<p>it&#039;s&#x2F;a it&#x27;s&sol;a</p>",
      "<p>[redacted] [redacted]</p>",
    ],
    [
      "within JSON within a page",
      ['a"b&c'],
      String.raw`<p>{&quot;k&quot;:&quot;a\&quot;b&amp;c&quot;}</p>`,
      "<p>{&quot;k&quot;:&quot;[redacted]&quot;}</p>",
    ],
    ["in upper case", ["s3cret-Key"], "S3CRET-KEY", "[redacted]"],
    ["in upper case and percent-encoded", ["s3cret/ç"], "S3CRET%2F%C3%A7", "[redacted]"],
    [
      "in UTF-8 that was taken for Latin-1",
      ["schlüsselwort-äöü"],
      "key schlÃ¼sselwort-Ã¤Ã¶Ã¼!",
      "key [redacted]!",
    ],
    ["in UTF-8 that was taken for windows-1252", ["密钥€ß"], "å¯†é’¥â‚¬ÃŸ", "[redacted]"],
    ["in the bytes of a program's text", ["é/密"], String.raw`b'\xc3\xa9/\xe5\xaf\x86'`, "b'[redacted]'"],
    ["percent-encoded in Latin-1", ["schlüssel"], "schl%FCssel", "[redacted]"],
    [
      "in lines of Base64",
      ["s3cret-key-of-some-length"],
      "czNjcmV0LWtl\r\neS1vZi1zb21l\r\nLWxlbmd0aA==",
      "[redacted]",
    ],
    [
      "in lines of Base64 within JSON",
      ["s3cret-key-of-some-length"],
      String.raw`"czNjcmV0LWtl\neS1vZi1zb21lLWxlbmd0aA=="`,
      '"[redacted]"',
    ],
    ["in Base64 that is percent-encoded", ["s3cret>>>?~"], "czNjcmV0Pj4%2BP34%3D", "[redacted]"],
    [
      "where it looks like escapes itself",
      ["%41%42%43%44"],
      "?k=%2541%2542%2543%2544 abcd",
      "?k=[redacted] abcd",
    ],
    [
      "where what stands before it looks like an escape with it",
      ["41-s3cret"],
      "%41-s3cret %2541-s3cret",
      "%[redacted] %25[redacted]",
    ],
    [
      "beside escapes that are left as they are",
      ["a/b"],
      String.raw`"100%25 \n a%2Fb &amp; ü"`,
      String.raw`"100%25 \n [redacted] &amp; ü"`,
    ],
  ])("%s", (_name, secrets, text, scrubbed) => {
    expect(createScrubber(secrets).text(text)).toBe(scrubbed);
  });

  test("however it is escaped, once, twice or each character in another way", () => {
    const secrets = fc
      .string({ unit: "binary", minLength: 8, maxLength: 24 })
      .filter((one) => one.trim().length >= 8);
    const escapes = [
      encodeURIComponent,
      (text: string) => JSON.stringify(text).slice(1, -1),
      (text: string) => text.replace(/[^a-z0-9]/gi, (one) => `&#${one.codePointAt(0)};`),
      (text: string) => text,
    ];
    const ways = fc.array(fc.constantFrom(...escapes), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(secrets, ways, (secret, chosen) => {
        const escaped = chosen.reduce((text, spell) => spell(text), secret.toWellFormed());
        expect(createScrubber([secret]).text(`"k": "${escaped}"`)).toBe('"k": "[redacted]"');
      }),
    );
  });
});

describe("secrets are taken out", () => {
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
