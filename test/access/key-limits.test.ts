import { describe, expect, test } from "vitest";
import { parseKeyLimits } from "../../src/access/index.ts";

describe("the limits of a key, written as a text", () => {
  test.each([
    ["", []],
    [" , ", []],
    ["60/minute", [{ max: 60, window: "minute" }]],
    [
      "60/minute, 1000/day",
      [
        { max: 60, window: "minute" },
        { max: 1_000, window: "day" },
      ],
    ],
    ["5 / day", [{ max: 5, window: "day" }]],
    ["1000/day UTC", [{ max: 1_000, window: "day" }]],
    ["1000/day Asia/Shanghai", [{ max: 1_000, window: "day@Asia/Shanghai" }]],
  ])("are read from %j", (text, limits) => {
    expect(parseKeyLimits(text)).toEqual({ limits, faults: [] });
  });

  test.each(["60", "0/minute", "-1/day", "60/hour", "1.5/day", "60/minute UTC", "1e3/day", "9999999999/day"])(
    "are not what %j says",
    (text) => {
      const fault = expect.stringContaining(`${JSON.stringify(text)} is no limit`);
      expect(parseKeyLimits(text)).toEqual({ limits: [], faults: [fault] });
    },
  );

  test("leave out what cannot be read, and say so, but hold for the rest", () => {
    expect(parseKeyLimits("60/minute, 1000/day Mars/Olympus, x")).toEqual({
      limits: [{ max: 60, window: "minute" }],
      faults: [
        '"1000/day Mars/Olympus" names no time zone of the IANA database',
        expect.stringContaining('"x" is no limit'),
      ],
    });
  });
});
