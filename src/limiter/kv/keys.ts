/**
 * How counters lie in KV: one key for each bucket, window and isolate, its count in the metadata, so that one
 * list by prefix reads what all isolates have counted. What an isolate claims in advance is part of its count.
 *
 *     rl:<window>:<bucket>:<start of the window, ms>:<isolate id>    metadata {"count": 12}
 *
 * The name of the window is part of it because a minute and a day both begin at midnight. Read from its end a
 * key has one meaning only, whatever colons the bucket contains.
 */
import { sha256Hex } from "../../digest.ts";
import { KV_MIN_TTL_SECONDS } from "../../limits.ts";
import type { Window } from "../../vocabulary.ts";
import { longestWindowMs, windowMs, windowsThatCount } from "../window.ts";

/** One key of a list, as far as the limiter reads it. */
export interface ListedKey {
  name: string;
  metadata?: unknown;
}

/** What the other isolates have counted, by one list. */
interface Tally {
  current: number;
  previous: number;
  /** How many other isolates have counted anything in the windows that count. */
  isolates: number;
  /** Keys of this counter whose metadata is no count. */
  unreadable: number;
}

/** Leaves half of the 512 bytes that KV allows a key for the other parts, the isolate's id included. */
const MAX_BUCKET_BYTES = 256;

/** Marks a hashed name. A bucket that itself begins like this is hashed too, so no two buckets meet. */
const HASH_MARK = "sha256-";

/** Time for a last look at a window that has just ceased to count, at clocks that differ a little. */
const TTL_MARGIN_SECONDS = 60;

/** The bucket as its keys name it: itself, or its hash where it is longer than a key may be in UTF-8. */
export async function bucketInKeys(bucket: string): Promise<string> {
  const fits = new TextEncoder().encode(bucket).length <= MAX_BUCKET_BYTES && !bucket.startsWith(HASH_MARK);
  return fits ? bucket : `${HASH_MARK}${await sha256Hex(bucket)}`;
}

/** The key of one isolate's count. The isolate's id has at most 64 characters of ASCII and no colon. */
export function shardKey(window: Window, bucket: string, start: number, isolateId: string): string {
  return `rl:${window}:${bucket}:${start}:${isolateId}`;
}

/**
 * What to list by to read a counter: all its windows where two of them count, the one that does otherwise.
 */
export function listPrefix(window: Window, bucket: string, start: number): string {
  const counter = `rl:${window}:${bucket}:`;
  return windowsThatCount(window) === 1 ? `${counter}${start}:` : counter;
}

/** Seconds that a count is kept from its last write on: until its window has no say any more. */
export function ttlSeconds(window: Window): number {
  const seconds = (windowsThatCount(window) * longestWindowMs(window)) / 1000 + TTL_MARGIN_SECONDS;
  return Math.max(KV_MIN_TTL_SECONDS, Math.ceil(seconds));
}

/**
 * Sums what isolates other than `isolateId` have counted in the window from `start` and in the one before it.
 * Keys of anything else (a bucket whose name continues this one's, a past window) are passed over.
 */
export function tallyOthers(
  keys: readonly ListedKey[],
  { window, bucket, start, isolateId }: { window: Window; bucket: string; start: number; isolateId: string },
): Tally {
  const tally = { current: 0, previous: 0, unreadable: 0 };
  const isolates = new Set<string>();
  for (const { name, metadata } of keys) {
    const shard = parseShardKey(name, window, bucket);
    const period = shard === null ? null : periodOf(shard.start, start, window);
    if (shard === null || period === null || shard.isolateId === isolateId) continue;
    const count = readCount(metadata);
    if (count === null) {
      tally.unreadable += 1;
      continue;
    }
    tally[period] += count;
    isolates.add(shard.isolateId);
  }
  return { ...tally, isolates: isolates.size };
}

/** A window that has not begun here yet, by the clock of an isolate that is ahead, counts with the current one. */
function periodOf(shardStart: number, start: number, window: Window): "current" | "previous" | null {
  if (shardStart === start || shardStart === start + windowMs(window)) return "current";
  return shardStart === start - windowMs(window) ? "previous" : null;
}

function parseShardKey(
  name: string,
  window: Window,
  bucket: string,
): { start: number; isolateId: string } | null {
  const prefix = `rl:${window}:${bucket}:`;
  if (!name.startsWith(prefix)) return null;
  const [, start, isolateId] = /^(-?\d+):([^:]+)$/.exec(name.slice(prefix.length)) ?? [];
  return start === undefined || isolateId === undefined ? null : { start: Number(start), isolateId };
}

function readCount(metadata: unknown): number | null {
  if (typeof metadata !== "object" || metadata === null || !("count" in metadata)) return null;
  const { count } = metadata;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
