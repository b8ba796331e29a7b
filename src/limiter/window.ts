/**
 * The arithmetic of windows: pure, in whole milliseconds and whole calls, so that no rounding ever grants or
 * refuses a call. Moments are milliseconds since the epoch, which makes every day start at midnight UTC.
 */

import type { WindowName } from "../vocabulary.ts";

/** What was spent in the window that begins at `start`, and in the one before it. */
export interface Counter {
  readonly start: number;
  readonly current: number;
  readonly previous: number;
}

interface WindowRule {
  ms: number;
  /**
   * Whether the previous window still weighs, less and less. Quotas of a day start anew at midnight instead.
   */
  slides: boolean;
}

const rules: Record<WindowName, WindowRule> = {
  minute: { ms: 60_000, slides: true },
  day: { ms: 86_400_000, slides: false },
};

/** The length of a window in milliseconds. */
export function windowMs(window: WindowName): number {
  return rules[window].ms;
}

/** How many windows, the current one included, have a say in what is used. */
export function windowsThatCount(window: WindowName): 1 | 2 {
  return rules[window].slides ? 2 : 1;
}

/** The moment at which the window around `now` began. */
export function windowStart(window: WindowName, now: number): number {
  const { ms } = rules[window];
  return Math.floor(now / ms) * ms;
}

/** A counter of the window around `now` in which nothing is spent. */
export function emptyCounter(window: WindowName, now: number): Counter {
  return { start: windowStart(window, now), current: 0, previous: 0 };
}

/**
 * The counter as it stands at `now`. Where the clock was set back, everything counted so far is taken as
 * spent in the window that the clock shows now: nothing is lost, and nothing is granted twice.
 */
export function advance(counter: Counter, window: WindowName, now: number): Counter {
  const start = windowStart(window, now);
  if (start === counter.start) return counter;
  if (start < counter.start) return { start, current: counter.current + counter.previous, previous: 0 };
  const isNext = start === counter.start + rules[window].ms;
  return { start, current: 0, previous: isNext ? counter.current : 0 };
}

/** The counter with `amount` more spent in its current window. */
export function spend(counter: Counter, amount: number): Counter {
  return { ...counter, current: counter.current + amount };
}

/**
 * The counter with `amount` given back, from the current window first: a call is given back within moments of
 * its admission. Never less than nothing is left, and what can't have been spent (NaN, Infinity) changes
 * nothing.
 */
export function giveBack(counter: Counter, amount: number): Counter {
  if (!Number.isFinite(amount)) return counter;
  const fromCurrent = Math.min(amount, counter.current);
  const fromPrevious = Math.min(amount - fromCurrent, counter.previous);
  return {
    start: counter.start,
    current: counter.current - fromCurrent,
    previous: counter.previous - fromPrevious,
  };
}

/** Two counters of the same window as one. */
export function sum(one: Counter, other: Counter): Counter {
  return {
    start: one.start,
    current: one.current + other.current,
    previous: one.previous + other.previous,
  };
}

/**
 * What is used at `now`, in whole calls: the current window plus, where windows slide, the previous one
 * weighed by the part of it that a window ending now still covers. A call is admitted if and only if this and
 * its cost come to no more than the limit.
 */
export function usedAt(counter: Counter, window: WindowName, now: number): number {
  const { ms, slides } = rules[window];
  const { start, current, previous } = advance(counter, window, now);
  return slides ? current + Math.ceil((previous * (start + ms - now)) / ms) : current;
}

/**
 * Milliseconds from `now` until `cost` more would stay within `max`, given that nothing else is spent:
 * exactly, so one millisecond earlier it would not. 0 means now, null means never (the cost alone is above
 * `max`).
 */
export function waitFor(
  counter: Counter,
  window: WindowName,
  now: number,
  max: number,
  cost: number,
): number | null {
  if (!(cost <= max)) return null;
  const { ms, slides } = rules[window];
  const { start, current, previous } = advance(counter, window, now);
  const room = Math.floor(max) - cost;
  const nextStart = start + ms;
  if (!slides) return current <= room ? 0 : nextStart - now;
  const admittedAt =
    current <= room ? fadedAt(start, ms, previous, room - current) : fadedAt(nextStart, ms, current, room);
  return Math.max(0, admittedAt - now);
}

/**
 * The moment at which `count`, spent in the window before the one from `start`, weighs no more than `room`.
 */
function fadedAt(start: number, ms: number, count: number, room: number): number {
  return count <= room ? start : start + ms - Math.floor((room * ms) / count);
}

/** Milliseconds until nothing of the counter weighs any more, given that nothing else is spent. */
export function resetAfter(counter: Counter, window: WindowName, now: number): number {
  return waitFor(counter, window, now, 0, 0) ?? 0;
}

/** Whether both windows of a counter are past, so that forgetting it changes nothing. */
export function isPast(counter: Counter, window: WindowName, now: number): boolean {
  return now >= counter.start + 2 * rules[window].ms;
}
