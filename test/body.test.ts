import { describe, expect, test } from "vitest";
import { readBody } from "../src/body.ts";

/** A message of some bytes, which may say of its length what it likes. */
function message(size: number, headers: Record<string, string> = {}): Response {
  return new Response("x".repeat(size), { headers });
}

describe("a body of at most ten bytes", () => {
  test.each<[string, Record<string, string>]>([
    ["without its length", {}],
    ["with its length", { "content-length": "SIZE" }],
    ["with a length that is given twice", { "content-length": "SIZE, SIZE" }],
    ["with a length that is no number", { "content-length": "many" }],
    ["with a length below nothing", { "content-length": "-1" }],
    ["with the length of what was compressed", { "content-length": "1", "content-encoding": "gzip" }],
  ])("is read, and one of eleven is not: %s", async (_how, headers) => {
    const sized = (size: number) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replaceAll("SIZE", String(size))]),
      );
    for (const size of [0, 1, 10])
      expect((await readBody(message(size, sized(size)), 10))?.byteLength).toBe(size);
    expect(await readBody(message(11, sized(11)), 10)).toBeNull();
  });

  test("may be none at all", async () => {
    expect(await readBody(new Response(null), 10)).toEqual(new Uint8Array());
  });
});
