import { describe, expect, test } from "vitest";
import { benchmarkNames, readOptions } from "../../scripts/bench/options.ts";

describe("the command line", () => {
  test("without options means everything, five rounds of two seconds", () => {
    expect(readOptions([])).toEqual({ only: [...benchmarkNames], rounds: 5, seconds: 2, json: false });
  });

  test.each([
    [["--only", "invoke"], { only: ["invoke"] }],
    [["--only", "start-up, tools,tools"], { only: ["tools", "start-up"] }],
    [["--rounds", "9"], { rounds: 9 }],
    [["--seconds", "0.5"], { seconds: 0.5 }],
    [["--json"], { json: true }],
  ])("%j", (args, expected) => {
    expect(readOptions(args)).toMatchObject(expected);
  });

  test("asking for help wins over everything else", () => {
    expect(readOptions(["--help", "--rounds", "many"])).toBeNull();
  });

  test.each([
    [
      ["--only", "speed"],
      '--only knows tools, own-tools, many-own, index, search, load, prompt, invoke, by-hand, cached, limits, arguments, validation, compile, recheck, start-up, not "speed".',
    ],
    [
      ["--only", ""],
      '--only knows tools, own-tools, many-own, index, search, load, prompt, invoke, by-hand, cached, limits, arguments, validation, compile, recheck, start-up, not "".',
    ],
    [["--rounds", "0"], "--rounds expects a whole number from 1 to 1000, not 0."],
    [["--rounds", "2.5"], "--rounds expects a whole number from 1 to 1000, not 2.5."],
    [["--rounds", "1e3"], "--rounds expects a whole number from 1 to 1000, not 1e3."],
    [["--seconds", "0.1"], "--seconds expects a number from 0.5 to 600, not 0.1."],
    [["--seconds", "soon"], "--seconds expects a number from 0.5 to 600, not soon."],
  ])("%j is refused", (args, message) => {
    expect(readOptions(args)).toBe(message);
  });

  test.each([[["--fast"]], [["tools"]], [["--only"]]])("%j is refused by name", (args) => {
    expect(readOptions(args)).toContain(args[0]);
  });
});
