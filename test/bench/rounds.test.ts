import { expect, test } from "vitest";
import { byTurns } from "../../scripts/bench/rounds.ts";

test("subject and baseline are measured by turns, one after the other", async () => {
  const events: string[] = [];
  let running = 0;
  const measure = (who: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return events.push(who);
  };
  const samples = await byTurns(
    2,
    { subject: measure("subject"), baseline: measure("baseline") },
    (round) => void events.push(`round ${round}`),
  );
  expect(events).toEqual(["round 1", "subject", "baseline", "round 2", "subject", "baseline"]);
  expect(samples).toEqual([
    { subject: 2, baseline: 3 },
    { subject: 5, baseline: 6 },
  ]);
});
