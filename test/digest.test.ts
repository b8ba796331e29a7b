import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256Hex } from "../src/digest.ts";

// The first two are examples of FIPS 180-4.
test.each([
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["潮汐 😀", createHash("sha256").update("潮汐 😀", "utf8").digest("hex")],
])("the digest of %j is that of its bytes in UTF-8", async (text, digest) => {
  expect(await sha256Hex(text)).toBe(digest);
});
