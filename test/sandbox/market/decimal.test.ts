import { describe, expect, test } from "vitest";
import { decimalText } from "../../../scripts/sandbox/market/decimal.ts";

describe("decimals", () => {
  test.each([
    [5435, 1, "543.5"],
    [5430, 1, "543"],
    [26081, 2, "260.81"],
    [7, 5, "0.00007"],
    [0, 2, "0"],
    [-163, 2, "-1.63"],
    [-9, 1, "-0.9"],
    [1200, 0, "1200"],
  ])("%d units of %d decimals are written %s", (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text);
  });
});
