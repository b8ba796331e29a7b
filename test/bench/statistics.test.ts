import { array, assert, constantFrom, double, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { median, summarise } from "../../scripts/bench/statistics.ts";

describe("the median", () => {
  test.each([
    [[7], 7],
    [[3, 1, 2], 2],
    [[10, 9, 100, 1], 9.5],
    [[2, 2, 2, 50], 2],
    [[-1, -30, 4], -1],
  ])("of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test("numbers are ordered by size, not as texts", () => {
    expect(median([9, 10, 100])).toBe(10);
  });

  test("the given values keep their order", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  test("of nothing is an error rather than a number", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("rounds as a whole", () => {
  test("are compared round by round, so one slow round does not make a ratio of its own", () => {
    const rounds = [
      { subject: 80, baseline: 100 },
      { subject: 8, baseline: 10 },
      { subject: 90, baseline: 100 },
    ];
    expect(summarise(rounds, "ratio")).toEqual({
      subject: 80,
      baseline: 100,
      compared: 0.8,
      least: 0.8,
      most: 0.9,
    });
  });

  test("may be compared by what the subject adds", () => {
    const rounds = [
      { subject: 75, baseline: 35 },
      { subject: 70, baseline: 40 },
    ];
    expect(summarise(rounds, "difference")).toEqual({
      subject: 72.5,
      baseline: 37.5,
      compared: 35,
      least: 30,
      most: 40,
    });
  });

  const measured = double({ min: 0.001, max: 1e9, noNaN: true });
  const rounds = array(record({ subject: measured, baseline: measured }), { minLength: 1, maxLength: 20 });

  test("the comparison lies between the least and the most", () => {
    assert(
      property(rounds, constantFrom("ratio" as const, "difference" as const), (given, relation) => {
        const { least, compared, most } = summarise(given, relation);
        expect(least).toBeLessThanOrEqual(compared);
        expect(compared).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("a machine twice as fast changes no ratio", () => {
    assert(
      property(rounds, (given) => {
        const faster = given.map(({ subject, baseline }) => ({
          subject: subject * 2,
          baseline: baseline * 2,
        }));
        expect(summarise(faster, "ratio").compared).toBe(summarise(given, "ratio").compared);
      }),
    );
  });
});
