import { describe, expect, test } from "vitest";
import { FAIR } from "../../scripts/simulate-limits/model/scenario.ts";
import { HELP, readOptions } from "../../scripts/simulate-limits/options.ts";

describe("the options of the simulation", () => {
  test("are the whole table where nothing is said", () => {
    expect(readOptions([])).toEqual({
      isolates: [2, 5, 20],
      limits: [60, 600, 6_000],
      loads: [0.5, 0.9, 5],
      weather: FAIR,
      rough: true,
      seeds: 5,
      firstSeed: 1,
      minutes: null,
      json: false,
      plot: null,
    });
  });

  test.each([
    [
      ["--isolates", "3, 4", "--limits=7", "--loads", "0.25,1"],
      { isolates: [3, 4], limits: [7], loads: [0.25, 1] },
    ],
    [["--seeds", "9", "--seed", "42", "--minutes", "3"], { seeds: 9, firstSeed: 42, minutes: 3 }],
    [["--quick"], { seeds: 1, rough: false }],
    [["--quick", "--seeds", "2"], { seeds: 2 }],
    [
      ["--places", "3", "--delay", "60000"],
      { weather: { ...FAIR, places: 3, delayMs: 60_000 }, rough: false },
    ],
    [
      ["--burst", "5", "--slope", "2", "--skew", "10"],
      { weather: { ...FAIR, burst: 5, slope: 2, skewMs: 10 } },
    ],
    [["--failures", "0.5", "--latency", "5"], { weather: { ...FAIR, failures: 0.5, latencyMs: 5 } }],
    [["--json", "--plot", "a.svg"], { json: true, plot: "a.svg" }],
  ])("%j", (args, expected) => {
    expect(readOptions(args)).toMatchObject(expected);
  });

  test("ask for help", () => {
    expect(readOptions(["--seeds", "3", "--help"])).toBeNull();
    expect(HELP.split("\n").every((line) => line.length <= 120)).toBe(true);
  });

  test.each([
    [["--isolates", "0"], '--isolates expects whole numbers from 1 to 1000, not "0".'],
    [["--isolates", "2,,3"], '--isolates expects whole numbers from 1 to 1000, not "".'],
    [["--limits", "1.5"], '--limits expects whole numbers from 1 to 100000, not "1.5".'],
    [["--loads", "many"], '--loads expects numbers from 0.01 to 100, not "many".'],
    [["--failures", "2"], '--failures expects numbers from 0 to 1, not "2".'],
    [["--seeds", "1e9"], '--seeds expects whole numbers from 1 to 1000, not "1e9".'],
  ])("%j are wrong, and it is said why", (args, sentence) => {
    expect(readOptions(args)).toBe(sentence);
  });

  test.each([[["--seconds", "3"]], [["table"]], [["--seed"]]])("%j are unknown or incomplete", (args) => {
    expect(readOptions(args)).toEqual(expect.stringMatching(/\w/));
  });
});
