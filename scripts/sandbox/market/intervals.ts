/** How one interval lies on the calendar. Times are milliseconds since the epoch; everything is in UTC. */
interface Calendar {
  /** Start of the period that holds a time. */
  floor(time: number): number;
  /** Start of the period that lies `count` periods after the one that begins at `start`. */
  step(start: number, count: number): number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** Weeks begin on Mondays; the epoch was a Thursday. */
const FIRST_MONDAY = 4 * DAY;

/** Nothing was traded before this time. */
export const HISTORY_START = Date.UTC(2015, 0, 1);

export const intervals = {
  "1m": fixed(MINUTE),
  "5m": fixed(5 * MINUTE),
  "15m": fixed(15 * MINUTE),
  "30m": fixed(30 * MINUTE),
  "1h": fixed(HOUR),
  "2h": fixed(2 * HOUR),
  "4h": fixed(4 * HOUR),
  "1d": fixed(DAY),
  "1w": fixed(WEEK, FIRST_MONDAY),
  "1M": {
    floor: (time) => firstOfMonth(time, 0),
    step: firstOfMonth,
  },
} as const satisfies Record<string, Calendar>;

export type Interval = keyof typeof intervals;

export interface Period {
  start: number;
  end: number;
}

/** Which periods are wanted: all that are complete at `now`, narrowed by a range of starts and a count. */
export interface PeriodQuery {
  interval: Interval;
  limit: number;
  /** With it, periods count forwards from the first that starts at or after it; without, back from the last. */
  startTime?: number | undefined;
  /** No period starts after it. */
  endTime?: number | undefined;
  now: number;
}

/** The periods that a query names, oldest first. */
export function periods({ interval, limit, startTime, endTime = Infinity, now }: PeriodQuery): Period[] {
  const { floor, step } = intervals[interval];
  const lastComplete = step(floor(now), -1);
  const last = Math.min(floor(Math.min(endTime, now)), lastComplete);
  const earliest = Math.max(HISTORY_START, startTime ?? step(last, 1 - limit));
  const found: Period[] = [];
  let start = floor(earliest) < earliest ? step(floor(earliest), 1) : earliest;
  while (start <= last && found.length < limit) {
    const end = step(start, 1);
    found.push({ start, end });
    start = end;
  }
  return found;
}

function fixed(duration: number, offset = 0): Calendar {
  return {
    floor: (time) => Math.floor((time - offset) / duration) * duration + offset,
    step: (start, count) => start + count * duration,
  };
}

function firstOfMonth(time: number, later: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}
