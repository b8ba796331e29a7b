import { describe, expect, test } from "vitest";
import { processorMs, processorMsOf } from "../../../scripts/bench/workerd/usage.ts";

describe("processor time", () => {
  const rest = "S 1 2 3 0 -1 4194560 100 0 0 0 250 31 0 0 20 0 4 0 100";

  test.each([
    ["a plain name", "(workerd)"],
    ["a name with blanks", "(a b c)"],
    ["a name with brackets", "(x) R 9 9 (y)"],
  ])("is user and system time: %s", (_name, program) => {
    expect(processorMsOf(`4242 ${program} ${rest}`)).toBe(2_810);
  });

  test.runIf(process.platform === "linux")("of this process has passed", async () => {
    expect(await processorMs(process.pid)).toBeGreaterThan(0);
  });
});
