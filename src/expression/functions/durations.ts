import { Duration } from "@marcbachmann/cel-js/evaluator";
import { type AddedFunction, FunctionError } from "./function.ts";

const SECOND = 1_000_000_000n;

/** Nanoseconds of the units of Go's durations, in which CEL writes them. */
const UNITS = new Map([
  ["h", 3600n * SECOND],
  ["m", 60n * SECOND],
  ["s", SECOND],
  ["ms", 1_000_000n],
  ["us", 1000n],
  ["µs", 1000n],
  ["ns", 1n],
]);

/** Ten thousand years (google.protobuf.Duration). */
const LONGEST = 315_576_000_000n * SECOND;

/** In place of the engine's own, which misread and miswrite what is below zero. */
export const durationReplacements: AddedFunction[] = [
  { signature: "duration(string): google.protobuf.Duration", run: durationFromText },
  ...accessor("getHours", 3600n * SECOND),
  ...accessor("getMinutes", 60n * SECOND),
  ...accessor("getSeconds", SECOND),
  ...accessor("getMilliseconds", 1_000_000n),
];

/** What the specification has and the engine lacks. */
export const durationAdditions: AddedFunction[] = [
  {
    signature: "duration(google.protobuf.Duration): google.protobuf.Duration",
    run: (value: Duration) => value,
  },
  { signature: "string(google.protobuf.Duration): string", run: durationText },
];

/** A whole duration in one unit, without what is left over. */
function accessor(name: string, unit: bigint): AddedFunction[] {
  return [
    {
      signature: `google.protobuf.Duration.${name}(): int`,
      run: (value: Duration) => nanosecondsOf(value) / unit,
    },
  ];
}

function nanosecondsOf({ seconds, nanos }: Duration): bigint {
  return seconds * SECOND + BigInt(Math.trunc(nanos));
}

/**
 * The one form in which the engine adds and compares durations rightly: nanoseconds from 0 to a second, below zero too.
 * @throws FunctionError beyond ten thousand years
 */
export function settledDuration(value: Duration): Duration {
  return durationOf(nanosecondsOf(value));
}

function durationOf(nanoseconds: bigint): Duration {
  if (nanoseconds > LONGEST || nanoseconds < -LONGEST)
    throw new FunctionError("a duration has at most 10000 years");
  const rest = ((nanoseconds % SECOND) + SECOND) % SECOND;
  return new Duration((nanoseconds - rest) / SECOND, Number(rest));
}

function durationFromText(text: string): Duration {
  const [, sign, parts] = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+|0)$/.exec(text) ?? [];
  if (parts === undefined || text.length > 100) {
    throw new FunctionError(`${JSON.stringify(text.slice(0, 100))} is not a duration such as 1h30m or -1.5s`);
  }
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of parts.matchAll(/(\d*)\.?(\d*)([a-zµ]+)/g)) {
    const size = UNITS.get(unit) ?? 0n;
    total += (BigInt(whole + fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return durationOf(sign === "-" ? -total : total);
}

/** As JSON has it for google.protobuf.Duration: seconds, with a fraction where there is one. */
export function durationText(value: Duration): string {
  const nanoseconds = nanosecondsOf(value);
  const [sign, size] = nanoseconds < 0n ? ["-", -nanoseconds] : ["", nanoseconds];
  const fraction = (size % SECOND).toString().padStart(9, "0").replace(/0+$/, "");
  return `${sign}${size / SECOND}${fraction === "" ? "" : `.${fraction}`}s`;
}
