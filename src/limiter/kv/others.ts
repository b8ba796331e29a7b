/** What an isolate knows of the other isolates that share a counter. */
import type { Window } from "../../vocabulary.ts";
import { advance, type Counter, emptyCounter, windowMs, windowsThatCount } from "../window.ts";

/** What was learned by looks. Moments are milliseconds since the epoch; null is never. */
export interface Others {
  /** What they had published at the last look. */
  readonly counter: Counter;
  /** How many they were. */
  readonly isolates: number;
  /** How fast their count grew, in calls a millisecond. */
  readonly pace: number;
  /** When the last look that told something began, and its number. */
  readonly seenAt: number | null;
  readonly order: number;
  /** Since when this isolate has known them, without having lost sight of them. */
  readonly knownSince: number | null;
}

/** What a look has found. */
export interface Finding {
  /** The number of the look, and when it began. */
  order: number;
  begunAt: number;
  /** The window around that moment, and what the others had published in it and in the one before it. */
  start: number;
  current: number;
  previous: number;
  isolates: number;
}

/** How long what was learned is good enough to go on by. */
const KNOWLEDGE_MS = 120_000;

/** How long it takes until isolates that started together know of each other. */
const ACQUAINTANCE_MS = 12_000;

/** Growth between looks that follow each other closely is taken as that of a second, for claims come in blocks. */
const MIN_GROWTH_MS = 1_000;

/** Others of whom nothing is known. */
export function strangers(window: Window, now: number): Others {
  return {
    counter: emptyCounter(window, now),
    isolates: 0,
    pace: 0,
    seenAt: null,
    order: 0,
    knownSince: null,
  };
}

/** What is known once a look has told something, unless one that began later has told more already. */
export function learned(others: Others, finding: Finding, window: Window): Others {
  const { order, begunAt, start, current, previous, isolates } = finding;
  if (order < others.order) return others;
  return {
    counter: { start, current, previous },
    isolates,
    pace: Math.max(averagePace(finding, window), recentPace(others, finding, window)),
    seenAt: begunAt,
    order,
    knownSince: isFresh(others, begunAt) ? (others.knownSince ?? begunAt) : begunAt,
  };
}

/** What they may have counted since the last look, if they went on as they did. */
export function expectedGrowth({ pace, seenAt }: Others, now: number): number {
  return seenAt === null ? 0 : pace * Math.max(0, now - seenAt);
}

/** Whether what is known is not too old to go on by. */
export function isFresh({ seenAt }: Others, now: number): boolean {
  return seenAt !== null && Math.abs(now - seenAt) <= KNOWLEDGE_MS;
}

/**
 * Whether these may be all. Where many isolates start together, as after a deployment, the first ones see nobody; so
 * whoever has looked around only lately can't be sure.
 */
export function isAcquainted(others: Others, now: number): boolean {
  const { knownSince } = others;
  return isFresh(others, now) && knownSince !== null && now - knownSince >= ACQUAINTANCE_MS;
}

/** Over all windows that count. */
function averagePace({ begunAt, start, current, previous }: Finding, window: Window): number {
  const elapsed = begunAt - start + (windowsThatCount(window) - 1) * windowMs(window);
  return (current + previous) / Math.max(MIN_GROWTH_MS, elapsed);
}

/** Since the look before, so that a sudden load is noticed. */
function recentPace({ counter, seenAt }: Others, finding: Finding, window: Window): number {
  if (seenAt === null) return 0;
  const before = advance(counter, window, finding.begunAt);
  const growth = finding.current + finding.previous - before.current - before.previous;
  return Math.max(0, growth) / Math.max(MIN_GROWTH_MS, finding.begunAt - seenAt);
}
