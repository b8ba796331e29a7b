import { describe, expect, test } from "vitest";
import { newKeyId, newKeyText, readKey } from "../../../src/access/keys/key-text.ts";

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

describe("a key", () => {
  test("says whose it is, and holds 256 random bits beside that", () => {
    const asked: number[] = [];
    const key = newKeyText("acme-2", "0123456789abcdef", (count) => {
      asked.push(count);
      return randomBytes(count);
    });
    expect(asked).toEqual([32]);
    expect(key.text).toMatch(/^sg_acme-2_0123456789abcdef_[A-Za-z0-9_-]{43}$/);
    expect(readKey(key.text)).toEqual(key);
  });

  test("is another one each time", () => {
    const texts = Array.from({ length: 100 }, () => newKeyText("a", newKeyId(randomBytes), randomBytes).text);
    expect(new Set(texts).size).toBe(100);
    for (const text of texts) expect(readKey(text)?.text).toBe(text);
  });

  const secret = "x".repeat(43);
  test.each([
    "",
    "k-7f3a",
    `sg__0123456789abcdef_${secret}`,
    `sg_acme_0123456789ABCDEF_${secret}`,
    `sg_acme_0123456789abcde_${secret}`,
    `sg_acme_0123456789abcdef_${secret}x`,
    `sg_acme_0123456789abcdef_${secret.slice(1)}`,
    `sg_-acme_0123456789abcdef_${secret}`,
    `sg_acme-_0123456789abcdef_${secret}`,
    `sg_a:b_0123456789abcdef_${secret}`,
    `sg_a/b_0123456789abcdef_${secret}`,
    `sg_${"a".repeat(64)}_0123456789abcdef_${secret}`,
    `sg_acme_0123456789abcdef_${secret}\n`,
    `xsg_acme_0123456789abcdef_${secret}`,
  ])("that was never issued is none: %j", (text) => {
    expect(readKey(text)).toBeNull();
  });
});
