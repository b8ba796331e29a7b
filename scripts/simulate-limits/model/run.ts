import type { Limit } from "../../../src/limiter/index.ts";
import { type Random, randomAt } from "../../sandbox/market/random.ts";
import { Agenda } from "./agenda.ts";
import { newContestants } from "./contestants.ts";
import { ModelKv } from "./kv.ts";
import { Measure, type Outcome } from "./measure.ts";
import type { LimiterName, Scenario } from "./scenario.ts";

const MINUTE = 60_000;

/** Noon of some day; every run begins at some moment of the minute after it. */
const NOON = Date.UTC(2026, 1, 28, 12);

/** What one run is made of. */
export interface Run {
  limiter: LimiterName;
  scenario: Scenario;
  seed: number;
  minutes: number;
}

const limitOf = ({ max }: Scenario): Limit => ({
  bucket: "upstream:model",
  group: "model",
  label: "the model",
  max,
  window: "minute",
});

/** Lets isolates, all of them fresh, serve calls for some minutes, and says what became of these. */
export async function simulate({ limiter, scenario, seed, minutes }: Run): Promise<Outcome> {
  const traffic = randomAt(seed, 1);
  const begin = NOON + traffic() * MINUTE;
  const agenda = new Agenda(begin);
  const kv = new ModelKv({ agenda, random: randomAt(seed, 2), weather: scenario.weather });
  const limit = limitOf(scenario);
  const measure = new Measure(limit, agenda.now);
  const { decided, objectCalled } = measure;
  const random = randomAt(seed, 3);
  const contestants = newContestants(limiter, { agenda, kv, scenario, random, decided, objectCalled });
  const end = begin + minutes * MINUTE;
  scheduleCalls({ agenda, scenario, random: traffic, end }, (isolate) => {
    const began = agenda.now();
    void contestants[isolate]?.(limit).then(() => measure.waited(agenda.now() - began));
  });
  await agenda.passUntil(end);
  return measure.outcome(kv.operations);
}

interface Traffic {
  agenda: Agenda;
  scenario: Scenario;
  random: Random;
  end: number;
}

/** Bursts come at random, independent of each other; each goes to one isolate. */
function scheduleCalls({ agenda, scenario, random, end }: Traffic, call: (isolate: number) => void): void {
  const { isolates, max, load, weather } = scenario;
  const meanGap = (MINUTE * weather.burst) / (max * load);
  const next = (): void => {
    const isolate = isolateOf(random(), isolates, weather.slope);
    for (let count = 0; count < weather.burst; count += 1) call(isolate);
    scheduleNext();
  };
  const scheduleNext = (): void => {
    const at = agenda.now() - Math.log(1 - random()) * meanGap;
    if (at < end) agenda.at(at, next);
  };
  scheduleNext();
}

/** Which isolate a number in [0, 1) falls to, where each gets `slope` times what the next one gets. */
function isolateOf(number: number, isolates: number, slope: number): number {
  if (slope === 1) return Math.floor(number * isolates);
  const total = (1 - slope ** -isolates) / (1 - 1 / slope);
  let [reached, share] = [0, 1 / total];
  for (let isolate = 0; isolate < isolates - 1; isolate += 1) {
    reached += share;
    if (number < reached) return isolate;
    share /= slope;
  }
  return isolates - 1;
}
