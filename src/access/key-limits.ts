import type { RateLimit } from "../ir.ts";
import { isTimeZone } from "../time-zone.ts";
import { dayIn } from "../vocabulary.ts";

/** What a text says of limits: those that could be read, and what is wrong with the others. */
export interface KeyLimits {
  limits: RateLimit[];
  faults: string[];
}

const FORM = /^(?<max>[1-9]\d{0,8})\s*\/\s*(?<window>minute|day)(?:\s+(?<zone>\S+))?$/;

/**
 * Reads the limits of a key: `60/minute, 1000/day`, a day with the time zone whose midnight ends it (`1000/day
 * Asia/Shanghai`), UTC where it names none.
 */
export function parseKeyLimits(text: string): KeyLimits {
  const read: KeyLimits = { limits: [], faults: [] };
  for (const part of text.split(",").map((piece) => piece.trim())) {
    const limit = part === "" ? null : readLimit(part);
    if (typeof limit === "string") read.faults.push(limit);
    else if (limit !== null) read.limits.push(limit);
  }
  return read;
}

function readLimit(part: string): RateLimit | string {
  const { max, window, zone } = FORM.exec(part)?.groups ?? {};
  const said = JSON.stringify(part);
  if (max === undefined || (window === "minute" && zone !== undefined))
    return `${said} is no limit; one is like 60/minute, 1000/day or 1000/day Asia/Shanghai`;
  if (window === "minute") return { max: Number(max), window };
  if (zone !== undefined && !isTimeZone(zone)) return `${said} names no time zone of the IANA database`;
  return { max: Number(max), window: dayIn(zone ?? "UTC") };
}
