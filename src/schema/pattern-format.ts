/**
 * `pattern` on an engine whose time is linear in the text. The library gives every pattern to `RegExp`, where
 * `^(a+)+$` takes for ever on the wrong text; formats, though, it looks up in a table by name. So each
 * pattern that the linear engine reads is handed over as a format whose name holds it.
 */
import { format, type OutputUnit } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject } from "../json.ts";
import { MAX_MATCHED_NAME_CHARACTERS } from "../limits.ts";
import { backtracksLittle, cachedPattern, type Pattern, PatternError } from "../pattern/index.ts";
import { type SchemaPath, walkSchema } from "./walk.ts";

/**
 * Begins the names of formats that are patterns; no format of a schema gets to the library under such a name.
 */
const PREFIX = "\u0000pattern:";

/** The same for what member names pay before `RegExp` gets them; the steps for each character follow. */
const NAME_PREFIX = "\u0000name:";

/** The formats that the library knows by itself. */
export const knownFormats: ReadonlySet<string> = new Set(Object.keys(format));

Object.setPrototypeOf(
  format,
  new Proxy(Object.create(null), {
    get: (_table, name) => {
      if (typeof name !== "string") return undefined;
      if (name.startsWith(PREFIX)) return (text: string) => matches(name.slice(PREFIX.length), text);
      if (name.startsWith(NAME_PREFIX))
        return (text: string) => payForName(Number(name.slice(NAME_PREFIX.length)), text);
      return undefined;
    },
  }),
);

/** A check that would take more steps than one may: which rule takes them, and what it expects instead. */
export class TooManyStepsError extends Error {
  readonly rule: string;
  readonly expected: string;
  readonly got: string;
  constructor(rule: string, expected: string, got: string) {
    super(got);
    this.name = "TooManyStepsError";
    this.rule = rule;
    this.expected = expected;
    this.got = got;
  }
}

/**
 * How many more steps a check may take: patterns take characters times instructions, `uniqueItems` takes
 * comparisons.
 */
export interface PatternSteps {
  left: number;
}

/** The patterns that a validator has met, by their source: no check compiles one twice. */
export type CompiledPatterns = Map<string, Pattern>;

let steps: PatternSteps = { left: 0 };
let patterns: CompiledPatterns = new Map();

/**
 * Says what the check that begins now spends its steps from, and where its patterns are kept; checks are
 * synchronous, so one place is enough.
 */
export function spendStepsFrom(allowance: PatternSteps, compiled: CompiledPatterns): void {
  steps = allowance;
  patterns = compiled;
}

/** @throws TooManyStepsError as `reason` makes it, when fewer steps are left than are spent */
export function spendSteps(count: number, reason: () => TooManyStepsError): void {
  steps.left -= count;
  if (steps.left < 0) throw reason();
}

/** @throws TooManyStepsError */
function matches(source: string, text: string): boolean {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    pattern = cachedPattern(source, "ecmascript");
    patterns.set(source, pattern);
  }
  spendSteps(
    pattern.size * (text.length + 1),
    () =>
      new TooManyStepsError(
        "pattern",
        "texts short enough for their patterns",
        "ones that take too many steps to match",
      ),
  );
  return pattern.test(text);
}

/** @throws TooManyStepsError */
function payForName(size: number, name: string): true {
  const tooMany = (expected: string, got: string) =>
    new TooManyStepsError("patternProperties", expected, got);
  if (name.length > MAX_MATCHED_NAME_CHARACTERS) {
    const expected = `member names of at most ${MAX_MATCHED_NAME_CHARACTERS} characters`;
    throw tooMany(expected, `one of ${name.length} characters`);
  }
  spendSteps(size * (name.length + 1), () =>
    tooMany("fewer or shorter member names", "ones that take too many steps to match"),
  );
  return true;
}

/** The format that names pay by before the patterns of `patternProperties` are matched against them. */
export function formatOfNames(sources: readonly string[]): string {
  return NAME_PREFIX + sources.reduce((sum, source) => sum + sizeOf(source), 0);
}

/** What only `RegExp` reads has no program; it counts as one instruction a character. */
function sizeOf(source: string): number {
  return whyNotLinear(source) === null ? cachedPattern(source, "ecmascript").size : source.length;
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
