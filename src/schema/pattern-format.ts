/**
 * `pattern` on an engine whose time is linear in the text. The library gives every pattern to `RegExp`, where
 * `^(a+)+$` takes for ever on the wrong text; formats, though, it looks up in a table by name. So each
 * pattern that the linear engine reads is handed over as a format whose name holds it.
 */
import { format, type OutputUnit } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject } from "../json.ts";
import { backtracksLittle, cachedPattern, PatternError } from "../pattern/index.ts";
import { type SchemaPath, walkSchema } from "./walk.ts";

/**
 * Begins the names of formats that are patterns; no format of a schema gets to the library under such a name.
 */
const PREFIX = "\u0000pattern:";

/** The formats that the library knows by itself. */
export const knownFormats: ReadonlySet<string> = new Set(Object.keys(format));

Object.setPrototypeOf(
  format,
  new Proxy(Object.create(null), {
    get: (_table, name) =>
      typeof name === "string" && name.startsWith(PREFIX)
        ? (text: string) => matches(name.slice(PREFIX.length), text)
        : undefined,
  }),
);

/** A check that would take more steps than one may. */
export class TooManyStepsError extends Error {}

/** How many more steps patterns may take (characters times instructions). */
export interface PatternSteps {
  left: number;
}

let steps: PatternSteps = { left: 0 };

/**
 * Says what the check that begins now spends its steps from; checks are synchronous, so one place is enough.
 */
export function spendStepsFrom(allowance: PatternSteps): void {
  steps = allowance;
}

/** @throws TooManyStepsError */
function matches(source: string, text: string): boolean {
  const pattern = cachedPattern(source, "ecmascript");
  steps.left -= pattern.size * (text.length + 1);
  if (steps.left < 0) throw new TooManyStepsError();
  return pattern.test(text);
}

/** The format that stands for a pattern, or null where only backtracking can run it. */
export function formatOfPattern(source: string): string | null {
  return whyNotLinear(source) === null ? PREFIX + source : null;
}

function whyNotLinear(source: string): string | null {
  try {
    cachedPattern(source, "ecmascript");
    return null;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.message;
  }
}

/**
 * An error of the library, with `pattern` in the place of the format that stands for it (`…/allOf/n/format`).
 */
export function withPatternNamed(unit: OutputUnit): OutputUnit {
  if (unit.keyword !== "format" || !unit.error.includes(`"${PREFIX}`)) return unit;
  const keywordLocation = unit.keywordLocation.replace(/\/allOf\/\d+\/format$/, "/pattern");
  return { ...unit, keyword: "pattern", keywordLocation };
}

/** A pattern that may take exponential time on some text, and why. */
interface BacktrackingPattern {
  path: SchemaPath;
  message: string;
}

/**
 * The patterns of a schema that go to a backtracking engine and may be slow there: a `pattern` that the
 * linear engine does not read, and names of `patternProperties`, which always go there, unless they are
 * plain.
 * @param root one in which `checkSchema` finds no fault
 */
export function backtrackingPatterns(root: JsonObject): BacktrackingPattern[] {
  const found: BacktrackingPattern[] = [];
  walkSchema(root, ({ pattern, patternProperties }, path) => {
    const reason = typeof pattern === "string" ? whyNotLinear(pattern) : null;
    if (reason !== null) found.push({ path: [...path, "pattern"], message: reason });
    for (const name of isJsonObject(patternProperties) ? Object.keys(patternProperties) : []) {
      if (backtracksLittle(name)) continue;
      const message = "a pattern of names begins with ^ and repeats one part of one character at most";
      found.push({ path: [...path, "patternProperties", name], message });
    }
  });
  return found;
}
