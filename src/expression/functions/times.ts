import { type AddedFunction, FunctionError } from "./function.ts";
import { payForZone, wallClock } from "./zones.ts";

const TIME = "google.protobuf.Timestamp";

/** The years 1 to 9999 (google.protobuf.Timestamp), in milliseconds since 1970. */
const EARLIEST = -62_135_596_800_000;
const LATEST = 253_402_300_799_999;

/** The parts of a time, as a clock shows them. */
const PARTS: [string, (clock: Date) => number][] = [
  ["getFullYear", (clock) => clock.getUTCFullYear()],
  ["getMonth", (clock) => clock.getUTCMonth()],
  ["getDate", (clock) => clock.getUTCDate()],
  ["getDayOfMonth", (clock) => clock.getUTCDate() - 1],
  ["getDayOfWeek", (clock) => clock.getUTCDay()],
  ["getDayOfYear", dayOfYear],
  ["getHours", (clock) => clock.getUTCHours()],
  ["getMinutes", (clock) => clock.getUTCMinutes()],
  ["getSeconds", (clock) => clock.getUTCSeconds()],
  ["getMilliseconds", (clock) => clock.getUTCMilliseconds()],
];

/**
 * In place of the engine's own, which take any text that `Date` takes (and 30 February for 1 March), and go through
 * the machine's own zone on the way to another one.
 */
export const timeReplacements: AddedFunction[] = [
  { signature: `timestamp(string): ${TIME}`, run: timeFromText },
  { signature: `timestamp(int): ${TIME}`, run: timeFromSeconds },
  ...PARTS.flatMap(([name, part]): AddedFunction[] => [
    { signature: `${TIME}.${name}(): int`, run: (time: Date) => BigInt(part(time)), cost: payForZone },
    {
      signature: `${TIME}.${name}(string): int`,
      run: (time: Date, zone: string) => BigInt(part(wallClock(time, zone))),
    },
  ]),
];

/**
 * What the specification has and the engine lacks, and `timestamp.inZone(zone)`: the local time with its distance
 * from Greenwich, e.g. `2026-11-30T23:18:04+08:00`.
 */
export const timeAdditions: AddedFunction[] = [
  { signature: `timestamp(${TIME}): ${TIME}`, run: (time: Date) => time },
  { signature: `string(${TIME}): string`, run: timeText },
  { signature: `${TIME}.inZone(string): string`, run: inZone, cost: payForZone },
];

/** @throws FunctionError for a time outside the years 1 to 9999 */
export function settledTime(time: Date): Date {
  const milliseconds = time.getTime();
  if (milliseconds >= EARLIEST && milliseconds <= LATEST) return time;
  throw new FunctionError("a timestamp lies in the years 1 to 9999");
}

function timeFromSeconds(seconds: bigint): Date {
  return settledTime(new Date(Number(seconds) * 1000));
}

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A time from RFC 3339, to the millisecond. A second 60, which leap seconds have, is none for CEL either. */
function timeFromText(text: string): Date {
  const [, year, month, day, hours, minutes, seconds, fraction = "", zone = ""] = RFC_3339.exec(text) ?? [];
  const quoted = JSON.stringify(text.slice(0, 40));
  if (year === undefined)
    throw new FunctionError(`${quoted} is not a time in RFC 3339, such as 2026-11-30T23:18:04+08:00`);
  const clock = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${fraction.slice(0, 4)}Z`);
  if (
    Number.isNaN(clock.getTime()) ||
    clock.getUTCDate() !== Number(day) ||
    clock.getUTCHours() !== Number(hours)
  )
    throw new FunctionError(`${quoted} is a time that does not exist`);
  const [, sign, zoneHours = "0", zoneMinutes = "0"] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  const distance = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return settledTime(new Date(clock.getTime() - (sign === "-" ? -distance : distance)));
}

/** RFC 3339 in UTC, with a fraction of a second only where there is one (as cel-go writes it). */
export function timeText(time: Date): string {
  return time.toISOString().replace(".000Z", "Z");
}

function inZone(time: Date, zone: string): string {
  const clock = wallClock(time, zone);
  const seconds = Math.round((clock.getTime() - time.getTime()) / 1000);
  const size = Math.abs(seconds);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const odd = size % 60 === 0 ? "" : `:${two(size % 60)}`;
  const distance = `${seconds < 0 ? "-" : "+"}${two(size / 3600)}:${two((size / 60) % 60)}${odd}`;
  return `${timeText(clock).slice(0, -1)}${distance}`;
}

function dayOfYear(clock: Date): number {
  const newYear = new Date(0);
  newYear.setUTCFullYear(clock.getUTCFullYear(), 0, 1);
  return Math.floor((clock.getTime() - newYear.getTime()) / 86_400_000);
}
