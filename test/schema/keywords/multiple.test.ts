import fc from "fast-check";
import { expect, test } from "vitest";
import { isMultipleOf } from "../../../src/schema/keywords/multiple.ts";

test.each([
  [0.07, 0.01, true],
  [1.1, 0.1, true],
  [-4.5, 1.5, true],
  [0.075, 0.01, false],
  [0, 0.3, true],
  [1e308, 0.5, true],
  [1e308, 0.123456789, false],
  [5e-324, 5e-324, true],
  [2 ** 60, 2 ** 54, true],
  [7, 2, false],
  [1e-7, 1e-8, true],
])("%d is a multiple of %d: %s", (value, divisor, is) => {
  expect(isMultipleOf(value, divisor)).toBe(is);
});

test("whole multiples of a hundredth are multiples of it as they are written", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 1, max: 99 }),
      (times, cents) => {
        const written = Number(`${times * cents}e-2`);
        expect(isMultipleOf(written, Number(`${cents}e-2`))).toBe(true);
      },
    ),
  );
});
