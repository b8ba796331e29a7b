import { type ClosureStore, Closures } from "../closures.ts";
import { createExactLimiter, type ExactLimiter } from "../exact/limiter.ts";
import type { ExactCounters } from "../exact/standing.ts";
import type { CounterStore } from "../kv/counter-store.ts";
import { createKvLimiter } from "../kv/limiter.ts";
import type { Limit, Limiter } from "../limiter.ts";
import { createMemoryLimiter } from "../memory.ts";
import { createAutoLimiter } from "./auto.ts";
import type { LimiterKind } from "./kind.ts";
import { takesExact } from "./threshold.ts";

/** Where limits are counted beyond this isolate, and what an isolate counts them with. */
export interface LimitingOptions {
  /** Null where no KV is bound, and so for the others. */
  store: (CounterStore & ClosureStore) | null;
  object: ((group: string) => ExactCounters) | null;
  /** A name that nothing else has, in at most 64 characters of ASCII without a colon. */
  newId: () => string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Ends after so many milliseconds, or as soon as the signal fires. */
  sleep: (milliseconds: number, signal: AbortSignal | null) => Promise<void>;
  /** Keeps background work alive after the reply. */
  waitUntil: (work: Promise<void>) => void;
  /** Takes note of a fault of a store or of an object, in the log for instance. */
  report: (event: "limiter-store-fault" | "limiter-object-fault", fault: object) => void;
}

/** A limiter, and what closes buckets at an upstream's word. */
export interface Limiting {
  limiter: Limiter;
  closures: {
    closedFor(bucket: string): number;
    close(place: Pick<Limit, "bucket" | "group">, milliseconds: number): void;
  };
}

/** Makes a limiter of a kind for which everything is bound; without that it counts in memory. */
export function createLimiting(kind: LimiterKind, options: LimitingOptions): Limiting {
  const { now, waitUntil, report } = options;
  const exact = kind === "exact" || kind === "auto" ? exactFrom(options) : null;
  const kv = kind === "kv" || kind === "auto" ? kvFrom(options) : null;
  const known = new Closures({
    store: kind === "memory" ? null : options.store,
    now,
    waitUntil,
    report: (fault) => report("limiter-store-fault", fault),
  });
  return {
    limiter: limiterOf(kv, exact) ?? createMemoryLimiter(now),
    closures: {
      closedFor: (bucket) => known.closedFor(bucket),
      close: (place, milliseconds) => {
        const isNews = known.close(place.bucket, milliseconds);
        if (isNews) exact?.close(place, milliseconds);
      },
    },
  };
}

function limiterOf(kv: Limiter | null, exact: Limiter | null): Limiter | null {
  return kv !== null && exact !== null ? createAutoLimiter({ kv, exact, takesExact }) : (exact ?? kv);
}

function kvFrom({ store, newId, report, sleep, ...surroundings }: LimitingOptions): Limiter | null {
  if (store === null) return null;
  return createKvLimiter({
    ...surroundings,
    sleep: (milliseconds) => sleep(milliseconds, null),
    store,
    isolateId: newId(),
    report: (fault) => report("limiter-store-fault", fault),
  });
}

function exactFrom({ object, report, ...surroundings }: LimitingOptions): ExactLimiter | null {
  if (object === null) return null;
  return createExactLimiter({
    ...surroundings,
    place: object,
    report: (fault) => report("limiter-object-fault", fault),
  });
}
