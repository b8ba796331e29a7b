import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayAround, isTimeZone, wallClock } from "../src/time-zone.ts";

const HOUR = 3_600_000;

describe("a time zone", () => {
  test.each(["UTC", "Asia/Shanghai", "America/New_York", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])(
    "is known by its name: %s",
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  test.each(["", "Asia/Shangai", "Mars/Olympus", "+08:00", "-05", "8", "../etc", "北京"])(
    "is not just any text: %j",
    (name) => expect(isTimeZone(name)).toBe(false),
  );

  test("that there is not has no clock", () => {
    expect(wallClock(new Date(0), "Mars/Olympus")).toBeNull();
  });
});

describe("a day", () => {
  test.each([
    ["UTC", "2026-11-01T12:00Z", "2026-11-01T00:00Z", 24],
    ["Asia/Shanghai", "2026-11-01T12:00Z", "2026-10-31T16:00Z", 24],
    ["Asia/Kathmandu", "2026-11-01T12:00Z", "2026-10-31T18:15Z", 24],
    ["Pacific/Kiritimati", "2026-11-01T12:00Z", "2026-11-01T10:00Z", 24],
    ["Pacific/Pago_Pago", "2026-11-01T12:00Z", "2026-11-01T11:00Z", 24],
    // Clocks go forward: a day of 23 hours.
    ["America/New_York", "2026-03-08T05:00Z", "2026-03-08T05:00Z", 23],
    ["America/New_York", "2026-03-09T03:59:59.999Z", "2026-03-08T05:00Z", 23],
    ["America/New_York", "2026-03-09T04:00Z", "2026-03-09T04:00Z", 24],
    ["Europe/Berlin", "2026-03-29T10:00Z", "2026-03-28T23:00Z", 23],
    // They go back: one of 25, in which an hour comes twice.
    ["America/New_York", "2026-11-01T05:30Z", "2026-11-01T04:00Z", 25],
    ["America/New_York", "2026-11-01T06:30Z", "2026-11-01T04:00Z", 25],
    ["Europe/Berlin", "2026-10-25T22:59Z", "2026-10-24T22:00Z", 25],
    // By half an hour.
    ["Australia/Lord_Howe", "2026-04-04T20:00Z", "2026-04-04T13:00Z", 24.5],
    // Midnight is left out: the day begins at one.
    ["Africa/Cairo", "2026-04-24T12:00Z", "2026-04-23T22:00Z", 23],
    ["America/Sao_Paulo", "2018-11-04T12:00Z", "2018-11-04T03:00Z", 23],
    // Clocks go back at midnight, into the day before.
    ["America/Sao_Paulo", "2018-02-17T12:00Z", "2018-02-17T02:00Z", 25],
    // A whole day is left out, with a change of sides of the date line.
    ["Pacific/Apia", "2011-12-30T09:00Z", "2011-12-29T10:00Z", 24],
    ["Pacific/Apia", "2011-12-30T10:00Z", "2011-12-30T10:00Z", 24],
  ])("of %s around %s begins at %s and has %d hours", (zone, moment, start, hours) => {
    const day = dayAround(Date.parse(moment), zone);
    expect(new Date(day.start).toISOString()).toBe(new Date(start).toISOString());
    expect((day.end - day.start) / HOUR).toBe(hours);
  });

  test("of a zone that there is not is one of UTC", () => {
    expect(dayAround(Date.UTC(2026, 1, 28, 12), "Mars/Olympus")).toEqual({
      start: Date.UTC(2026, 1, 28),
      end: Date.UTC(2026, 2, 1),
    });
  });

  test("holds its moment, has one date, and follows the one before without a gap", () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const moments = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(zones, moments, (zone, now) => {
        const day = dayAround(now, zone);
        expect(day.start).toBeLessThanOrEqual(now);
        expect(day.end).toBeGreaterThan(now);
        expect(dateAt(day.start, zone)).toBe(dateAt(day.end - 1, zone));
        expect(dateAt(day.end, zone)).not.toBe(dateAt(now, zone));
        expect(dayAround(day.end, zone).start).toBe(day.end);
        expect(dayAround(day.start - 1, zone).end).toBe(day.start);
      }),
    );
  });
});

function dateAt(moment: number, zone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(moment);
}
