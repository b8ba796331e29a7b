import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/json.ts";
import { reasonOf, resultOf } from "../computed.ts";

const at = (time: string): string => `timestamp('${time}')`;

describe("the time in a zone", () => {
  test.each([
    ["east of Greenwich", "2026-11-30T15:18:04Z", "Asia/Shanghai", "2026-11-30T23:18:04+08:00"],
    ["with a part of a second", "2026-11-30T15:18:04.5Z", "Asia/Shanghai", "2026-11-30T23:18:04.500+08:00"],
    ["in winter", "2026-01-15T12:00:00Z", "America/New_York", "2026-01-15T07:00:00-05:00"],
    ["in summer", "2026-07-15T12:00:00Z", "America/New_York", "2026-07-15T08:00:00-04:00"],
    [
      "a second before clocks go forward",
      "2026-03-08T06:59:59Z",
      "America/New_York",
      "2026-03-08T01:59:59-05:00",
    ],
    ["when clocks go forward", "2026-03-08T07:00:00Z", "America/New_York", "2026-03-08T03:00:00-04:00"],
    [
      "in the hour before clocks go back",
      "2026-11-01T05:30:00Z",
      "America/New_York",
      "2026-11-01T01:30:00-04:00",
    ],
    ["in the same hour once more", "2026-11-01T06:30:00Z", "America/New_York", "2026-11-01T01:30:00-05:00"],
    ["at half an hour", "2026-01-01T00:00:00Z", "Asia/Kolkata", "2026-01-01T05:30:00+05:30"],
    ["at a quarter", "2026-01-01T00:00:00Z", "Asia/Kathmandu", "2026-01-01T05:45:00+05:45"],
    ["on the day before", "2026-01-01T00:00:00Z", "Pacific/Pago_Pago", "2025-12-31T13:00:00-11:00"],
    [
      "by the sun, before there were zones",
      "1900-01-01T00:00:00Z",
      "Asia/Shanghai",
      "1900-01-01T08:05:43+08:05:43",
    ],
    [
      "before 1970, with a part of a second",
      "1969-12-31T23:59:59.250Z",
      "UTC",
      "1969-12-31T23:59:59.250+00:00",
    ],
    ["at a fixed distance", "2026-01-01T00:00:00Z", "-02:30", "2025-12-31T21:30:00-02:30"],
    ["in whatever case", "2026-01-01T00:00:00Z", "europe/london", "2026-01-01T00:00:00+00:00"],
    ["at midnight", "2026-05-31T16:00:00Z", "Asia/Shanghai", "2026-06-01T00:00:00+08:00"],
  ])("%s", (_case, time, zone, local) => {
    expect(resultOf(`${at(time)}.inZone('${zone}')`)).toBe(local);
  });

  test("is that of a call, given in milliseconds", () => {
    expect(
      resultOf("timestamp(int(call.time) / 1000).inZone('Asia/Tokyo')", {
        call: { time: 1_796_051_884_123 },
      }),
    ).toBe("2026-12-01T00:18:04+09:00");
  });

  test.each([
    ["getFullYear", 2026],
    ["getMonth", 0],
    ["getDate", 1],
    ["getDayOfMonth", 0],
    ["getDayOfWeek", 4],
    ["getDayOfYear", 0],
    ["getHours", 7],
    ["getMinutes", 30],
    ["getSeconds", 5],
    ["getMilliseconds", 250],
  ])("%s", (accessor, value) => {
    expect(resultOf(`${at("2025-12-31T23:30:05.250Z")}.${accessor}('Asia/Shanghai')`)).toBe(value);
  });

  test.each([
    ["getDayOfYear", "", 365],
    ["getDayOfYear", "'America/New_York'", 364],
    ["getHours", "", 4],
    ["getHours", "'America/New_York'", 23],
    ["getHours", "'02:00'", 6],
  ])("%s(%s) at the end of a leap year", (accessor, zone, value) => {
    expect(resultOf(`${at("2024-12-31T04:30:00Z")}.${accessor}(${zone})`)).toBe(value);
  });

  test.each(["inZone", "getHours"])("%s names a zone that does not exist", (name) => {
    expect(reasonOf(`timestamp(0).${name}('Moon/Base')`)).toBe('there is no time zone "Moon/Base"');
  });
});

describe("a time is read from RFC 3339", () => {
  test.each<[string, JsonValue]>([
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["2024-01-01T00:00:00+08:00", "2023-12-31T16:00:00Z"],
    ["2024-01-01t00:00:00z", "2024-01-01T00:00:00Z"],
    ["2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  ])("%s", (text, value) => {
    expect(resultOf(at(text))).toBe(value);
  });

  test.each([
    ["a second 60", "2023-01-01T23:59:60Z", '"2023-01-01T23:59:60Z" is a time that does not exist'],
    ["30 February", "2023-02-30T00:00:00Z", '"2023-02-30T00:00:00Z" is a time that does not exist'],
    [
      "a zone that no clock has",
      "2023-01-01T00:00:00+99:00",
      '"2023-01-01T00:00:00+99:00" is not a time in RFC 3339, such as 2026-11-30T23:18:04+08:00',
    ],
    ["hour 24", "2023-02-28T24:00:00Z", '"2023-02-28T24:00:00Z" is a time that does not exist'],
    ["month 13", "2023-13-01T00:00:00Z", '"2023-13-01T00:00:00Z" is a time that does not exist'],
    ["the year 0", "0000-12-31T23:59:59Z", "a timestamp lies in the years 1 to 9999"],
    [
      "a date alone",
      "2023-01-01",
      '"2023-01-01" is not a time in RFC 3339, such as 2026-11-30T23:18:04+08:00',
    ],
    [
      "a time without a zone",
      "2023-01-01T00:00:00",
      '"2023-01-01T00:00:00" is not a time in RFC 3339, such as 2026-11-30T23:18:04+08:00',
    ],
    [
      "what Date would take",
      "1 Jan 2023 00:00 UTC",
      '"1 Jan 2023 00:00 UTC" is not a time in RFC 3339, such as 2026-11-30T23:18:04+08:00',
    ],
  ])("and %s is refused", (_case, text, reason) => {
    expect(reasonOf(at(text))).toBe(reason);
  });

  test.each([
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s')"],
    ["timestamp('0001-01-01T00:00:00Z') - duration('1s')"],
    ["timestamp(253402300800)"],
  ])("%s lies beyond all years", (source) => {
    expect(reasonOf(source)).toBe("a timestamp lies in the years 1 to 9999");
  });
});

describe("a duration", () => {
  test.each<[string, JsonValue]>([
    ["duration('1h30m')", "5400s"],
    ["duration('1.5h')", "5400s"],
    ["duration('-1h30m')", "-5400s"],
    ["duration('-0.5s')", "-0.5s"],
    ["duration('100ms')", "0.1s"],
    ["duration('1us1ns')", "0.000001001s"],
    ["duration('0')", "0s"],
    ["duration('-1.5s') + duration('0.3s')", "-1.2s"],
    ["duration('0.3s') - duration('1.5s')", "-1.2s"],
    ["timestamp(10) - timestamp(20)", "-10s"],
    ["timestamp('1970-01-01T00:00:00.5Z') - timestamp(1) == duration('-0.5s')", true],
    ["timestamp(1) + duration('-0.5s')", "1970-01-01T00:00:00.500Z"],
    ["duration('-1.5s').getSeconds()", -1],
    ["duration('90m').getHours()", 1],
    ["duration('90m').getMinutes()", 90],
    ["duration('1.5s').getMilliseconds()", 1500],
    ["duration('1h') == duration('60m') && duration('1s') < duration('2s')", true],
    ["string(duration('1.5s')) + string(timestamp(0))", "1.5s1970-01-01T00:00:00Z"],
    ["duration(duration('1s'))", "1s"],
    ["timestamp(timestamp(0)) == timestamp(0)", true],
    ["int(timestamp('1969-12-31T23:59:59.500Z'))", -1],
  ])("%s", (source, value) => {
    expect(resultOf(source)).toBe(value);
  });

  test.each(["s", "1", "1d", "1h-30m", "", "-", ".s", "1 h"])("is not %j", (text) => {
    expect(reasonOf(`duration('${text}')`)).toBe(`"${text}" is not a duration such as 1h30m or -1.5s`);
  });

  test("lasts at most ten thousand years", () => {
    expect(reasonOf("duration('99999999h')")).toBe("a duration has at most 10000 years");
    expect(reasonOf("duration('80000000h') + duration('80000000h')")).toBe(
      "a duration has at most 10000 years",
    );
  });
});
