import { describe, expect, test } from "vitest";
import { type ColorStream, paintFor } from "../../src/cli/terminal/paint.ts";
import { progressOn } from "../../src/cli/terminal/progress.ts";

describe("colours of a stream", () => {
  const terminal: ColorStream = { isTTY: true, hasColors: () => true };

  test.each([
    ["on a terminal", terminal, "auto", {}, true],
    ["on a terminal where NO_COLOR is set", terminal, "auto", { NO_COLOR: "1" }, false],
    [
      "on a terminal where NO_COLOR is empty (which no-color.org takes for not set)",
      terminal,
      "auto",
      { NO_COLOR: "" },
      true,
    ],
    ["on a terminal that has none", { isTTY: true, hasColors: () => false }, "auto", {}, false],
    ["in a file", {}, "auto", {}, false],
    ["in a file where they are asked for", {}, "always", {}, true],
    ["on a terminal where they are not wanted", terminal, "never", {}, false],
  ] as const)("%s", (_case, stream, choice, environment, expected) => {
    const { error } = paintFor(stream, choice, environment);
    expect(error("x") !== "x").toBe(expected);
  });
});

describe("the progress line", () => {
  /** What is written for steps of ten files, each taking so many milliseconds. */
  function written(isTTY: boolean, step: number): string[] {
    const texts: string[] = [];
    let now = 0;
    const report = progressOn({ isTTY, write: (text) => texts.push(text) }, () => now);
    for (let done = 1; done <= 10; done++) {
      now += step;
      report(done, 10);
    }
    return texts;
  }

  test("is not there for work that is soon done", () => {
    expect(written(true, 199)).toEqual([]);
  });

  test("appears after two seconds and is gone in the end", () => {
    const texts = written(true, 250);
    expect(texts[0]).toBe("\r\u001B[KCompiling 8 of 10 …");
    expect(texts.at(-1)).toBe("\r\u001B[K");
  });

  test("is written on terminals alone", () => {
    expect(written(false, 10_000)).toEqual([]);
  });
});
