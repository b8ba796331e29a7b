/**
 * The language in which faults are ordered: `name` or `name=value`, several divided by commas, such as
 * `status=503,times=2`. A comma inside a value is written `%2C`.
 */
import type { Context, MiddlewareHandler, Next } from "hono";
import { echo, echoPlaces } from "./echo.ts";
import { businessCode, cut, delay, drip, drop, empty, header, huge, redirect, status } from "./steps.ts";

export interface FaultPlan {
  /** Outermost first. */
  steps: MiddlewareHandler[];
  /** How many requests have the fault. */
  times: number;
}

/** The middleware for a value, or null where the value makes no sense. */
type StepReader = (value: string) => MiddlewareHandler | null;

const MAX_WAIT_MS = 600_000;
const MAX_BYTES = 1024 ** 3;
const MAX_TIMES = 1_000_000;

/** Every fault, outermost first: the order of the middleware, whatever order a caller writes. */
const faults: readonly [form: string, read: StepReader, summary: string][] = [
  ["delay=MS", number(0, MAX_WAIT_MS, delay), "wait before anything is sent"],
  ["drop", flag(drop), "close the connection without a reply"],
  ["drip=MS", number(0, MAX_WAIT_MS, drip), "send headers at once, then the body byte by byte"],
  ["cut", flag(cut), "close the connection in the middle of the body"],
  ["content-type=TYPE", text(header("Content-Type")), "call the body something else"],
  ["retry-after=VALUE", text(header("Retry-After")), "add this header"],
  [
    "code=CODE",
    number(1, 99_999, businessCode),
    "business code in the body; the status stays, 200 as a rule",
  ],
  ["redirect=URL", text(redirect), "redirect there with status 302"],
  ["echo=PLACE", echo, `say the request's credentials back: ${echoPlaces}`],
  ["empty", flag(empty), "status 200 and a JSON content type, but no body"],
  ["huge=BYTES", number(100, MAX_BYTES, huge), "stream a valid JSON body of this size"],
  ["status=STATUS", number(200, 599, status), "this status, and an envelope with the status as its code"],
];

const readers = new Map(faults.map(([form, read]) => [nameOf(form), read]));

/** What faults there are, one a line, for a usage message. */
export function describeFaults(): string {
  const lines = faults.map(([form, , summary]) => `  ${form.padEnd(20)}${summary}`);
  return [...lines, `  ${"times=N".padEnd(20)}only the first N such requests have the fault`].join("\n");
}

/** Reads an order; the error is a sentence. */
export function parseFaults(order: string): { ok: true; plan: FaultPlan } | { ok: false; error: string } {
  const steps = new Map<string, MiddlewareHandler>();
  let times = Infinity;
  for (const item of order.split(",").map((part) => part.trim())) {
    const name = nameOf(item);
    const value = item.slice(name.length + 1).replaceAll(/%2C/gi, ",");
    const step = readers.get(name)?.(value) ?? null;
    const count = name === "times" ? wholeNumber(value, 1, MAX_TIMES) : null;
    if (step !== null) steps.set(name, step);
    else if (count !== null) times = count;
    else return { ok: false, error: `There is no fault ${JSON.stringify(item)}.` };
  }
  const ordered = [...readers.keys()].map((name) => steps.get(name)).filter((step) => step !== undefined);
  return { ok: true, plan: { steps: ordered, times } };
}

/** Runs faults around the rest of the chain. */
export async function runFaults(steps: readonly MiddlewareHandler[], c: Context, next: Next): Promise<void> {
  const chain = steps.reduceRight<Next>(
    (inner, step) => async () => {
      const response = await step(c, inner);
      if (response !== undefined) c.res = response;
    },
    next,
  );
  await chain();
}

function nameOf(item: string): string {
  return item.split("=", 1)[0] ?? item;
}

function flag(step: MiddlewareHandler): StepReader {
  return (value) => (value === "" ? step : null);
}

function number(minimum: number, maximum: number, step: (value: number) => MiddlewareHandler): StepReader {
  return (value) => {
    const read = wholeNumber(value, minimum, maximum);
    return read === null ? null : step(read);
  };
}

/** A value that goes into a header; line breaks and other controls may not. */
function text(step: (value: string) => MiddlewareHandler): StepReader {
  return (value) => (/^[\x20-\x7e]+$/.test(value) ? step(value) : null);
}

function wholeNumber(text: string, minimum: number, maximum: number): number | null {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : null;
}
