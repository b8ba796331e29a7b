import { expect, test } from "vitest";
import { Turns } from "../../src/access/turns.ts";

/** Turns over a clock that moves on by what is slept, and patient ones, whose sleep has no end. */
function setting() {
  const clock = { now: 0 };
  const sleep = async (milliseconds: number) => {
    clock.now += milliseconds;
  };
  const never = () => new Promise<never>(() => undefined);
  const now = () => clock.now;
  return { patient: new Turns({ now, sleep: never }), turns: new Turns({ now, sleep }) };
}

test("changes of one thing are made in the order that they were asked for, whatever became of those before", async () => {
  const { patient } = setting();
  const made: string[] = [];
  const change = (name: string) => async () => {
    made.push(`${name} begins`);
    await new Promise((wake) => setTimeout(wake, 1));
    made.push(`${name} ends`);
    if (name === "a") throw new Error("a fails");
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c"].map((name) => patient.take("one", change(name))));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(made).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("changes of different things do not wait for each other", async () => {
  const { patient } = setting();
  void patient.take("one", () => new Promise(() => undefined));
  expect(await patient.take("other", async () => "made")).toBe("made");
});

test("a change that never ends is waited for so long and no longer", async () => {
  const { turns } = setting();
  void turns.take("one", () => new Promise(() => undefined));
  expect(await turns.take("one", async () => "made")).toBe("made");
  expect(await turns.take("one", async () => "made again")).toBe("made again");
});
