/** Time zones of the IANA database: what a clock on the wall of one shows, and when its days begin. */

/**
 * A calendar takes some 300 microseconds to make, and then three for a date. There are some 600 zones; no evaluation of
 * an expression can pay for more than are kept, so within one none is made twice.
 */
const KEPT_ZONES = 70;

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Whether a text names a time zone (a place's, like `Asia/Shanghai`, or `UTC`) and not a distance from Greenwich. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && calendarOf(name) !== null;
}

/** A time as a clock on the wall of a zone shows it: its UTC fields are the zone's; null where there is no such zone. */
export function wallClock(time: Date, zone: string): Date | null {
  const calendar = calendarOf(zone);
  if (calendar === null) return null;
  const part = new Map(calendar.formatToParts(time).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(part.get(type));
  const year = part.get("era")?.startsWith("B") ? 1 - number("year") : number("year");
  const clock = new Date(0);
  clock.setUTCFullYear(year, number("month") - 1, number("day"));
  clock.setUTCHours(number("hour"), number("minute"), number("second"), time.getUTCMilliseconds());
  return clock;
}

function calendarOf(zone: string): Intl.DateTimeFormat | null {
  const kept = calendars.get(zone);
  if (kept !== undefined) return kept;
  const calendar = newCalendar(zone);
  if (calendar !== null) keep(calendars, zone, calendar);
  return calendar;
}

function newCalendar(zone: string): Intl.DateTimeFormat | null {
  const numeric = "numeric";
  const date = { era: "short", year: numeric, month: numeric, day: numeric } as const;
  const clock = { hour: numeric, minute: numeric, second: numeric, hourCycle: "h23" } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, ...date, ...clock });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

function keep<Kept>(map: Map<string, Kept>, zone: string, value: Kept): void {
  const [oldest] = map.keys();
  if (map.size >= KEPT_ZONES && oldest !== undefined) map.delete(oldest);
  map.set(zone, value);
}

/** A day of a zone: from its first moment up to that of the next one, in milliseconds since 1970. */
export interface Day {
  start: number;
  end: number;
}

const DAY_MS = 86_400_000;

/** Reaches into the day before and the day after, also where a zone left a whole day out to change sides. */
const TWO_DAYS_MS = 2 * DAY_MS;

const days = new Map<string, Day>();

/**
 * The day around a moment (whole milliseconds since 1970). It has 23 or 25 hours where clocks are changed, and begins
 * at the first moment that there is, which need not be midnight. A zone that there is not counts as UTC.
 */
export function dayAround(now: number, zone: string): Day {
  const kept = days.get(zone);
  if (kept !== undefined && now >= kept.start && now < kept.end) return kept;
  const today = dayNumber(now, zone);
  const day = {
    start: firstMoment(now - TWO_DAYS_MS, now, (moment) => dayNumber(moment, zone) >= today),
    end: firstMoment(now, now + TWO_DAYS_MS, (moment) => dayNumber(moment, zone) > today),
  };
  keep(days, zone, day);
  return day;
}

/** Days since 1970 by the calendar on a zone's wall. */
function dayNumber(moment: number, zone: string): number {
  const time = new Date(moment);
  return Math.floor((wallClock(time, zone) ?? time).getTime() / DAY_MS);
}

/** The first moment for which something holds that does not hold `before` and does `after`. */
function firstMoment(before: number, after: number, holds: (moment: number) => boolean): number {
  let [no, yes] = [before, after];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}
