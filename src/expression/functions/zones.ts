import { wallClock as wallClockOfZone } from "../../time-zone.ts";
import type { Cost } from "./function.ts";
import { FunctionError } from "./function.ts";

/** A calendar of a zone takes some 300 microseconds to make, and then three for a date. */
const NEW_ZONE_STEPS = 3_000;
const ZONED_DATE_STEPS = 30;

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
  const clock = wallClockOfZone(time, zone);
  if (clock === null) throw new FunctionError(`there is no time zone ${JSON.stringify(zone)}`);
  return clock;
}
