/** Buckets that an upstream itself has closed, by refusing a call and naming a time. */
import {
  CLOSURE_LOOK_INTERVAL_MS,
  KV_MIN_TTL_SECONDS,
  KV_WRITE_INTERVAL_MS,
  MAX_CLOSURE_MS,
  MAX_CLOSURES,
} from "../limits.ts";
import { bucketInKeys } from "./kv/keys.ts";

/** What closures need of KV; a `KVNamespace` is one. */
export interface ClosureStore {
  getWithMetadata(key: string): Promise<{ metadata: unknown }>;
  put(
    key: string,
    value: string,
    options: { expirationTtl: number; metadata: { until: number } },
  ): Promise<void>;
}

/** Something that went wrong with the store. What this isolate knows holds all the same. */
export interface ClosureFault {
  operation: "get" | "put";
  bucket: string;
  reason: string;
}

/** What an isolate shares closures by. */
export interface ClosureOptions {
  /** Where the others learn of them; null where there is no such place. */
  store: ClosureStore | null;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Keeps background work alive after the reply. The work never rejects. */
  waitUntil: (work: Promise<void>) => void;
  report: (fault: ClosureFault) => void;
}

/** What an isolate knows of one bucket, in milliseconds since the epoch. */
interface Known {
  /** 0 where it is open. */
  until: number;
  lookedAt: number;
  wroteAt: number;
}

/**
 * The closures that one isolate knows of. Its own are known at once; those of others when it next looks, every
 * `CLOSURE_LOOK_INTERVAL_MS` and in the background, so no call waits for them.
 */
export class Closures {
  readonly #options: ClosureOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: ClosureOptions) {
    this.#options = options;
  }

  /** Milliseconds until calls may count in a bucket again; 0 where they may now. */
  closedFor(bucket: string): number {
    const now = this.#options.now();
    const known = this.#of(bucket);
    if (this.#options.store !== null && isLookDue(known, now)) {
      known.lookedAt = now;
      this.#options.waitUntil(this.#look(known, bucket, this.#options.store));
    }
    // Longer than any closure is one from before the clock was set back.
    const left = known.until - now;
    return left > MAX_CLOSURE_MS ? 0 : Math.max(0, left);
  }

  /**
   * Closes a bucket for so long, for at most `MAX_CLOSURE_MS`, and never opens it earlier than it was closed for;
   * whether that is news.
   */
  close(bucket: string, milliseconds: number): boolean {
    const now = this.#options.now();
    const known = this.#of(bucket);
    const until = now + Math.min(milliseconds, MAX_CLOSURE_MS);
    if (until <= known.until && known.until - now <= MAX_CLOSURE_MS) return false;
    known.until = until;
    if (this.#options.store === null || now - known.wroteAt < KV_WRITE_INTERVAL_MS) return true;
    known.wroteAt = now;
    this.#options.waitUntil(this.#publish(bucket, until, this.#options.store));
    return true;
  }

  #of(bucket: string): Known {
    const known = this.#known.get(bucket);
    if (known !== undefined) return known;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_CLOSURES && oldest !== undefined) this.#known.delete(oldest);
    const made = { until: 0, lookedAt: Number.NEGATIVE_INFINITY, wroteAt: Number.NEGATIVE_INFINITY };
    this.#known.set(bucket, made);
    return made;
  }

  async #look(known: Known, bucket: string, store: ClosureStore): Promise<void> {
    try {
      const { metadata } = await store.getWithMetadata(await closureKey(bucket));
      known.until = Math.max(known.until, readUntil(metadata, this.#options.now()));
    } catch (error) {
      this.#report("get", bucket, error);
    }
  }

  async #publish(bucket: string, until: number, store: ClosureStore): Promise<void> {
    const seconds = Math.ceil((until - this.#options.now()) / 1000);
    const expirationTtl = Math.max(KV_MIN_TTL_SECONDS, seconds);
    try {
      await store.put(await closureKey(bucket), "", { expirationTtl, metadata: { until } });
    } catch (error) {
      this.#report("put", bucket, error);
    }
  }

  #report(operation: "get" | "put", bucket: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : "no reason given";
    this.#options.report({ operation, bucket, reason });
  }
}

/** A clock that was set back makes every look due. */
function isLookDue({ lookedAt }: Known, now: number): boolean {
  return lookedAt > now || now - lookedAt >= CLOSURE_LOOK_INTERVAL_MS;
}

async function closureKey(bucket: string): Promise<string> {
  return `rl:closed:${await bucketInKeys(bucket)}`;
}

/** What is no moment within the longest closure is no closure. */
function readUntil(metadata: unknown, now: number): number {
  if (typeof metadata !== "object" || metadata === null || !("until" in metadata)) return 0;
  const { until } = metadata;
  return typeof until === "number" && until - now <= MAX_CLOSURE_MS ? until : 0;
}
