import type { Cost } from "./function.ts";
import { FunctionError } from "./function.ts";

/** A calendar of a zone takes some 300 microseconds to make, and then three for a date. */
const NEW_ZONE_STEPS = 3_000;
const ZONED_DATE_STEPS = 30;

/** No evaluation can pay for more zones than these, so within one none is made twice. */
const KEPT_ZONES = 70;

const calendars = new Map<string, Intl.DateTimeFormat>();

/** A fixed distance from Greenwich, as CEL's accessors take it: `+08:00`, `-02:30`, `02:00`. */
const FIXED = /^([+-]?)([01]\d|2[0-3]):([0-5]\d)$/;

/** Pays for the calendar of a zone, for each zone once in an evaluation. */
export const payForZone: Cost = ([time, zone], meter) => {
  if (!(time instanceof Date) || typeof zone !== "string" || FIXED.test(zone)) return;
  meter.payOnce(zone, NEW_ZONE_STEPS);
  meter.pay(ZONED_DATE_STEPS);
};

/**
 * A time as a clock on the wall of a zone shows it: its UTC fields are the zone's.
 * @throws FunctionError for a zone that is neither in the IANA database nor a fixed distance
 */
export function wallClock(time: Date, zone: string): Date {
  const fixed = FIXED.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return new Date(time.getTime() + (fixed[1] === "-" ? -minutes : minutes) * 60_000);
  }
  const part = new Map(
    calendarOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(part.get(type));
  const year = part.get("era")?.startsWith("B") ? 1 - number("year") : number("year");
  const clock = new Date(0);
  clock.setUTCFullYear(year, number("month") - 1, number("day"));
  clock.setUTCHours(number("hour"), number("minute"), number("second"), time.getUTCMilliseconds());
  return clock;
}

function calendarOf(zone: string): Intl.DateTimeFormat {
  const kept = calendars.get(zone);
  if (kept !== undefined) return kept;
  const [oldest] = calendars.keys();
  if (calendars.size >= KEPT_ZONES && oldest !== undefined) calendars.delete(oldest);
  const calendar = newCalendar(zone);
  calendars.set(zone, calendar);
  return calendar;
}

function newCalendar(zone: string): Intl.DateTimeFormat {
  const numeric = "numeric";
  const date = { era: "short", year: numeric, month: numeric, day: numeric } as const;
  const clock = { hour: numeric, minute: numeric, second: numeric, hourCycle: "h23" } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, ...date, ...clock });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FunctionError(`there is no time zone ${JSON.stringify(zone)}`);
  }
}
