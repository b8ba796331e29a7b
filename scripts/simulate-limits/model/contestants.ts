import { createAutoLimiter } from "../../../src/limiter/choice/auto.ts";
import { takesExact } from "../../../src/limiter/choice/threshold.ts";
import { LocalCounters } from "../../../src/limiter/exact/local.ts";
import { MapExactStorage } from "../../../src/limiter/exact/map-storage.ts";
import { decideOn, type ExactCounters } from "../../../src/limiter/exact/standing.ts";
import { createExactLimiter, createKvLimiter, type Limit, type Limiter } from "../../../src/limiter/index.ts";
import { usedAt, windowMs, windowStart } from "../../../src/limiter/window.ts";
import type { Random } from "../../sandbox/market/random.ts";
import type { Agenda } from "./agenda.ts";
import type { ModelKv } from "./kv.ts";
import type { LimiterName, Scenario } from "./scenario.ts";

/** One isolate: ends when a call has been decided. */
export type Contestant = (limit: Limit) => Promise<void>;

/** What the isolates of a run share. */
export interface Surroundings {
  agenda: Agenda;
  kv: ModelKv;
  scenario: Scenario;
  random: Random;
  /** Is told of each decision at the moment at which it is made, wherever that is. */
  decided: (admitted: boolean) => void;
  /** Is told of each call of a Durable Object. */
  objectCalled: () => void;
}

/** All isolates of a run, each with its own limiter. */
export function newContestants(name: LimiterName, surroundings: Surroundings): Contestant[] {
  const make = makers[name](surroundings);
  return Array.from({ length: surroundings.scenario.isolates }, (_, index) => make(index));
}

type Maker = (surroundings: Surroundings) => (isolate: number) => Contestant;

const makers: Record<LimiterName, Maker> = {
  naive: (surroundings) => (isolate) => naive(isolate, surroundings),
  kv: (surroundings) => (isolate) => decidingHere(sharded(isolate, surroundings), surroundings),
  exact: (surroundings) => {
    const object = distant(surroundings);
    return () => decidingThere(exact(object, surroundings));
  },
  auto: (surroundings) => {
    const object = distant(surroundings);
    return (isolate) => {
      const [kv, away] = [sharded(isolate, surroundings), exact(object, surroundings)];
      const auto = createAutoLimiter({ kv, exact: away, takesExact });
      const [here, there] = [decidingHere(auto, surroundings), decidingThere(auto)];
      return (limit) => (takesExact(limit) ? there(limit) : here(limit));
    };
  },
};

/** What most programs do: read the count, add one, write it back. What cannot be read is nothing. */
function naive(isolate: number, { agenda, kv, scenario, decided }: Surroundings): Contestant {
  const store = kv.at(isolate % scenario.weather.places);
  return async ({ bucket, max, window }) => {
    const start = windowStart(window, agenda.now());
    const key = (from: number) => `${bucket}:${from}`;
    const windows = [start, start - windowMs(window)];
    const [current = 0, previous = 0] = await Promise.all(
      windows.map((from) => store.get(key(from)).catch(() => 0)),
    );
    const isAdmitted = usedAt({ start, current, previous }, window, Math.floor(agenda.now())) < max;
    decided(isAdmitted);
    if (!isAdmitted) return;
    const options = { expirationTtl: 180, metadata: { count: current + 1 } };
    // Refused writes are as lost as overwritten ones; whoever counts like this seldom minds.
    store.put(key(start), "", options).catch(() => undefined);
  };
}

/** The very limiter of the Worker. */
function sharded(isolate: number, { agenda, kv, scenario, random }: Surroundings): Limiter {
  const { weather } = scenario;
  const offset = (2 * random() - 1) * weather.skewMs;
  return createKvLimiter({
    store: kv.at(isolate % weather.places),
    isolateId: `isolate-${isolate}`,
    now: () => agenda.now() + offset,
    sleep: agenda.sleep,
    waitUntil: () => undefined,
    report: () => undefined,
  });
}

function decidingHere(limiter: Limiter, { decided }: Surroundings): Contestant {
  return async (limit) => decided((await limiter.admit([limit], 1)).admitted);
}

/** The object itself tells of its decisions. */
function decidingThere(limiter: Limiter): Contestant {
  return async (limit) => {
    await limiter.admit([limit], 1);
  };
}

function exact(object: ExactCounters, { agenda }: Surroundings): Limiter {
  return createExactLimiter({
    place: () => object,
    newId: () => "the only call",
    now: agenda.now,
    sleep: agenda.sleep,
    waitUntil: () => undefined,
    report: () => undefined,
  });
}

/** A Durable Object, half a round trip away. */
function distant({ agenda, random, scenario, decided, objectCalled }: Surroundings): ExactCounters {
  const counters = new LocalCounters(new MapExactStorage(), agenda.now);
  const away = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const latency = scenario.weather.latencyMs * (0.5 + random());
    objectCalled();
    await agenda.sleep(latency / 2);
    const answer = await call();
    await agenda.sleep(latency / 2);
    return answer;
  };
  return {
    admit: (admission) =>
      away(async () => {
        const standing = await counters.admit(admission);
        decided(decideOn(admission.limits, standing, admission.cost).admitted);
        return standing;
      }),
    look: (limits) => away(() => counters.look(limits)),
    giveBack: (limits, cost) => away(() => counters.giveBack(limits, cost)),
    settle: (hold, isMade) => away(() => counters.settle(hold, isMade)),
    close: (bucket, milliseconds) => away(() => counters.close(bucket, milliseconds)),
  };
}
