import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/json.ts";
import { resultOf } from "../computed.ts";

/** What rests on the platform: its calendar, its text codecs, its arithmetic. */
test.each<[string, JsonValue]>([
  ["timestamp(1796051884).inZone('Asia/Shanghai')", "2026-11-30T23:18:04+08:00"],
  ["timestamp('2026-03-08T07:00:00Z').inZone('America/New_York')", "2026-03-08T03:00:00-04:00"],
  ["timestamp('2026-11-01T06:30:00Z').getHours('America/New_York')", 1],
  ['bytes(\'{"a": "潮"}\').json()', { a: "潮" }],
  ["string(bytes('潮')) + bytes('潮').base64() + bytes('潮').hex()", "潮5r2ue6bdae"],
  ["math.calculate('sqrt(2)^2 + sin(pi / 6)')", 2.5],
])("%s in the runtime that serves", (source, value) => {
  expect(resultOf(source)).toEqual(value);
});
