import { describe, expect, test } from "vitest";
import { randomAt } from "../../scripts/sandbox/market/random.ts";
import { Agenda } from "../../scripts/simulate-limits/model/agenda.ts";
import { ModelKv } from "../../scripts/simulate-limits/model/kv.ts";
import { Measure } from "../../scripts/simulate-limits/model/measure.ts";
import { FAIR, type Weather } from "../../scripts/simulate-limits/model/scenario.ts";

const NOON = Date.UTC(2026, 1, 28, 12);

describe("an agenda", () => {
  test("keeps appointments in the order of their moments, and of their making at one moment", async () => {
    const agenda = new Agenda(NOON);
    const kept: [string, number][] = [];
    const note = (name: string) => () => kept.push([name, agenda.now() - NOON]);
    const moments = [50, 10, 30, 10, 40, 20, 0, 60];
    for (const [index, moment] of moments.entries()) agenda.at(NOON + moment, note(`${index}`));
    await agenda.passUntil(NOON + 55);
    expect(kept.map(([name]) => name)).toEqual(["6", "1", "3", "5", "2", "4", "0"]);
    expect(kept.map(([, at]) => at)).toEqual([0, 10, 10, 20, 30, 40, 50]);
    expect(agenda.now()).toBe(NOON + 55);
  });

  test("lets all that an appointment sets going run before the next one", async () => {
    const agenda = new Agenda(NOON);
    const seen: number[] = [];
    const walk = async (): Promise<void> => {
      await agenda.sleep(10);
      for (let step = 0; step < 50; step += 1) await Promise.resolve();
      seen.push(agenda.now() - NOON);
      await agenda.sleep(-5);
      seen.push(agenda.now() - NOON);
    };
    void walk();
    agenda.at(NOON + 11, () => seen.push(11));
    await agenda.passUntil(NOON + 100);
    expect(seen).toEqual([10, 10, 11]);
  });
});

function modelOf(changes: Partial<Weather>): { agenda: Agenda; kv: ModelKv } {
  const agenda = new Agenda(NOON);
  return { agenda, kv: new ModelKv({ agenda, random: randomAt(1), weather: { ...FAIR, ...changes } }) };
}

const LIFE = { expirationTtl: 60 };

describe("the model of KV", () => {
  test("shows a write at once where it was made, and late elsewhere", async () => {
    const { agenda, kv } = modelOf({ latencyMs: 0, places: 2, delayMs: 1_000 });
    const seen: number[] = [];
    await agenda.passUntil(NOON + 1);
    const work = kv.at(0).put("k", "", { ...LIFE, metadata: { count: 7 } });
    await agenda.passUntil(NOON + 2);
    await work;
    for (const [place, at] of [
      [0, 3],
      [1, 4],
      [1, 1_010],
    ] as const) {
      void agenda.sleep(NOON + at - agenda.now()).then(async () => seen.push(await kv.at(place).get("k")));
      await agenda.passUntil(NOON + at + 1);
    }
    expect(seen).toEqual([7, 0, 7]);
  });

  test("refuses a second write to a key within a second, and forgets keys when they expire", async () => {
    const { agenda, kv } = modelOf({});
    const results: string[] = [];
    const put = (count: number) => {
      const work = kv.at(0).put("k", "", { ...LIFE, metadata: { count } });
      void work.then(
        () => results.push("written"),
        (error: Error) => results.push(error.message),
      );
    };
    put(1);
    agenda.at(NOON + 900, () => put(2));
    agenda.at(NOON + 1_000, () => put(3));
    await agenda.passUntil(NOON + 2_000);
    expect(results).toEqual(["written", "429 Too Many Requests", "written"]);
    expect(kv.operations).toEqual({ gets: 0, puts: 3, lists: 0, throttled: 1 });
    let listed: number | undefined;
    agenda.at(
      NOON + 70_000,
      () =>
        void kv
          .at(0)
          .list({ prefix: "k" })
          .then(({ keys }) => (listed = keys.length)),
    );
    await agenda.passUntil(NOON + 71_000);
    expect(listed).toBe(0);
  });
});

describe("the measure", () => {
  test("counts what is over the limit, refused with room left, and not used", () => {
    const limit = { bucket: "b", group: "g", label: "b", max: 2, window: "minute" } as const;
    const measure = new Measure(limit, () => NOON);
    for (const isAdmitted of [false, true, true, true, false]) {
      measure.decided(isAdmitted);
      measure.waited(isAdmitted ? 10 : 30);
    }
    expect(measure.outcome({ gets: 1, puts: 2, lists: 3, throttled: 0 })).toMatchObject({
      calls: 5,
      admitted: 3,
      over: 0.5,
      refused: 0.2,
      unused: 0,
      waitMs: { median: 10, most: 30 },
    });
  });
});
