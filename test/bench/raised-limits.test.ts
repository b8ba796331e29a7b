import { join } from "node:path";
import { expect, test } from "vitest";
import { withRaisedLimits } from "../../scripts/bench/raised-limits.ts";
import { readSkills } from "../../src/cli/skills/read.ts";

test("a skill keeps all its limits, but none that a benchmark could reach; nothing else changes", async () => {
  const { compiled } = await readSkills(join(import.meta.dirname, "../../skills/tickdb-market-data"));
  const skill = compiled[0]?.skill;
  if (skill === undefined) throw new Error("The skill does not compile.");
  const raised = withRaisedLimits(skill);
  const { globalLimits, functionLimits, ...others } = raised.constraints;
  expect(globalLimits).toEqual([{ max: 1_000_000_000, window: "minute" }]);
  expect(functionLimits).toEqual([
    { function: "get_realtime_price", limits: [{ max: 1_000_000_000, window: "minute" }] },
    { function: "get_kline", limits: [{ max: 1_000_000_000, window: "minute" }] },
  ]);
  expect(skill).toMatchObject({ ...raised, constraints: others });
});
