import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharesWithin } from "../../src/reading/shares.ts";

describe("shares of the room", () => {
  test.each<[string, number[], number[], number, number[]]>([
    ["are all there is where it is enough", [100, 50], [0, 0], 150, [100, 50]],
    ["are equal but for texts that need less", [300, 40, 300], [0, 0, 0], 240, [100, 40, 100]],
    ["are the gist first, and then what the best need", [300, 300, 300], [0, 1, 2], 400, [280, 60, 60]],
    ["reach the second when the first has all", [100, 300, 300], [0, 1, 2], 300, [100, 140, 60]],
    ["are equal where not all have the gist", [300, 300, 20], [0, 1, 2], 80, [30, 30, 20]],
    ["are nothing rather than too little to say anything", [300, 300, 3], [0, 0, 0], 20, [0, 0, 3]],
    ["are nothing where there is no room", [300, 3], [0, 1], 0, [0, 0]],
    ["of no texts are none", [], [], 100, []],
  ])("%s", (_what, sizes, ranks, room, shares) => {
    expect(sharesWithin(sizes, ranks, room)).toEqual(shares);
  });

  const cases = fc
    .array(fc.record({ size: fc.nat(400), rank: fc.nat(3) }), { maxLength: 12 })
    .chain((texts) => fc.tuple(fc.constant(texts), fc.integer({ min: -10, max: 3_000 })));

  test("never exceed the room or a text, and leave a whole text's worth unused only where all is shown", () => {
    fc.assert(
      fc.property(cases, ([texts, room]) => {
        const sizes = texts.map(({ size }) => size);
        const shares = sharesWithin(
          sizes,
          texts.map(({ rank }) => rank),
          room,
        );
        const used = shares.reduce((sum, share) => sum + share, 0);
        expect(used).toBeLessThanOrEqual(Math.max(0, room));
        shares.forEach((share, index) => {
          expect(share).toBeLessThanOrEqual(sizes[index] ?? 0);
        });
        const isWhole = shares.every((share, index) => share === sizes[index]);
        // Less than one character a text is lost to dividing, and twelve to shares that would say nothing.
        if (!isWhole) expect(Math.max(0, room) - used).toBeLessThan(12 * texts.length + 1);
      }),
    );
  });

  test("are never smaller for a better rank than for a worse one of the same size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(400), fc.nat(3_000), (count, size, room) => {
        const sizes = Array.from({ length: count }, () => size);
        const shares = sharesWithin(
          sizes,
          sizes.map((_, index) => index),
          room,
        );
        expect(shares).toEqual([...shares].sort((one, other) => other - one));
      }),
    );
  });
});
