/**
 * The arithmetic of windows: pure, in whole milliseconds and whole calls, so that no rounding ever grants or
 * refuses a call. Moments are milliseconds since the epoch. A day is that of its time zone and has 23 or 25 hours
 * where clocks are changed.
 */
import { dayAround } from "../time-zone.ts";
import { timeZoneOf, type Window, type WindowName, windowNameOf } from "../vocabulary.ts";

/** What was spent in the window that begins at `start`, and in the one before it. */
export interface Counter {
  readonly start: number;
  readonly current: number;
  readonly previous: number;
}

interface WindowRule {
  ms: number;
  /** The longest that a window can be: of a zone that turns its clocks back, a day has an hour more, or two. */
  longestMs: number;
  /**
   * Whether the previous window still weighs, less and less. Quotas of a day start anew at midnight instead.
   */
  slides: boolean;
}

const rules: Record<WindowName, WindowRule> = {
  minute: { ms: 60_000, longestMs: 60_000, slides: true },
  day: { ms: 86_400_000, longestMs: 26 * 3_600_000, slides: false },
};

function ruleOf(window: Window): WindowRule {
  return rules[windowNameOf(window)];
}

/** The length of a window in milliseconds; of a day, that of most days. */
export function windowMs(window: Window): number {
  return ruleOf(window).ms;
}

/** The longest that a window can be, in milliseconds. */
export function longestWindowMs(window: Window): number {
  return ruleOf(window).longestMs;
}

/** How many windows, the current one included, have a say in what is used. */
export function windowsThatCount(window: Window): 1 | 2 {
  return ruleOf(window).slides ? 2 : 1;
}

/** The moment at which the window around `now` began. */
export function windowStart(window: Window, now: number): number {
  return isPlain(window) ? plainStart(window, now) : dayAround(now, timeZoneOf(window)).start;
}

/** The moment at which the window that began at `start` ends. */
function windowEnd(window: Window, start: number): number {
  return isPlain(window) ? start + rules[window].ms : dayAround(start, timeZoneOf(window)).end;
}

/** Whether a window needs no calendar: all are equally long, and one began in 1970. */
function isPlain(window: Window): window is WindowName {
  return window === "minute" || window === "day";
}

function plainStart(window: WindowName, now: number): number {
  const { ms } = rules[window];
  return Math.floor(now / ms) * ms;
}

/** A counter of the window around `now` in which nothing is spent. */
export function emptyCounter(window: Window, now: number): Counter {
  return { start: windowStart(window, now), current: 0, previous: 0 };
}

/**
 * The counter as it stands at `now`. Where the clock was set back, everything counted so far is taken as
 * spent in the window that the clock shows now: nothing is lost, and nothing is granted twice.
 */
export function advance(counter: Counter, window: Window, now: number): Counter {
  const start = windowStart(window, now);
  if (start === counter.start) return counter;
  if (start < counter.start) return { start, current: counter.current + counter.previous, previous: 0 };
  const isNext = start === windowEnd(window, counter.start);
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
export function usedAt(counter: Counter, window: Window, now: number): number {
  const { ms, slides } = ruleOf(window);
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
  window: Window,
  now: number,
  max: number,
  cost: number,
): number | null {
  if (!(cost <= max)) return null;
  const { ms, slides } = ruleOf(window);
  const { start, current, previous } = advance(counter, window, now);
  const room = Math.floor(max) - cost;
  const nextStart = windowEnd(window, start);
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
export function resetAfter(counter: Counter, window: Window, now: number): number {
  return waitFor(counter, window, now, 0, 0) ?? 0;
}

/** The moment at which both windows of a counter are past, so that forgetting it changes nothing. */
export function forgottenAt(counter: Counter, window: Window): number {
  return counter.start + 2 * longestWindowMs(window);
}

/** Whether a counter may be forgotten. */
export function isPast(counter: Counter, window: Window, now: number): boolean {
  return now >= forgottenAt(counter, window);
}
