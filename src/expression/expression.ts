import {
  TypeError as CelTypeError,
  EvaluationError,
  ParseError,
  type ParseResult,
} from "@marcbachmann/cel-js";
import type { JsonValue } from "../json.ts";
import { MAX_EXPRESSION_CHARACTERS } from "../limits.ts";
import { PatternError } from "../pattern/index.ts";
import { parseIn } from "./environment.ts";
import { FunctionError, withTypedNames } from "./functions/index.ts";
import { BudgetError, Meter } from "./meter.ts";
import type { Scope } from "./scope.ts";
import { meterTree } from "./tree/metering.ts";
import { type ExpressionFault, prepareTree } from "./tree/prepare.ts";
import { declareMembers } from "./tree/structure.ts";
import { type CelValue, fromCel, NotJsonError, toCel } from "./values.ts";

/** An expression that passed its checks and can be run any number of times. */
export interface Expression {
  /** The type of its result as CEL names it, e.g. `bool`, `list`, `dyn`. */
  readonly type: string;
  evaluate(values: ReadonlyMap<string, JsonValue>): Evaluation;
}

/** What an expression came to, or why it came to nothing. */
export type Evaluation = { ok: true; value: JsonValue } | { ok: false; reason: string };

/** An expression that can be evaluated, or what is wrong with its source. */
export type Compilation = { ok: true; expression: Expression } | { ok: false; faults: ExpressionFault[] };

/**
 * Checks an expression against the names and types in scope and makes it ready to run. Never throws.
 * Its result is not a promise and its work is bounded by counted budgets (see `limits.ts`), never by time.
 */
export function compileExpression(source: string, scope: Scope): Compilation {
  if (source.length > MAX_EXPRESSION_CHARACTERS) {
    return refused(`an expression has at most ${MAX_EXPRESSION_CHARACTERS} characters`, 0, source.length);
  }
  try {
    return check(source, scope);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { ok: false, faults: [faultOf(error, source)] };
  }
}

function check(source: string, scope: Scope): Compilation {
  const parsed = parseIn(scope, source);
  const faults = [...prepareTree(parsed.ast), ...declareMembers(parsed.ast, scope)];
  if (faults.length > 0) return { ok: false, faults };
  const checked = parsed.check();
  if (checked.error !== undefined) return { ok: false, faults: [faultOf(checked.error, source)] };
  // Made for the first run: whoever compiles skills checks expressions and runs none.
  let run: Expression["evaluate"] | null = null;
  return {
    ok: true,
    expression: {
      type: checked.type ?? "dyn",
      evaluate(values) {
        run ??= meteredRun(parsed, namedIn(source, scope));
        return run(values);
      },
    },
  };
}

function meteredRun(parsed: ParseResult, named: Scope): Expression["evaluate"] {
  const meter = new Meter();
  meterTree(parsed.ast, meter);
  const run: (context: Map<string, CelValue>) => CelValue = parsed;
  return (values) => {
    meter.start();
    const evaluation = evaluate(() => run(contextOf(values, named)));
    return meter.refusal === null ? evaluation : { ok: false, reason: meter.refusal.message };
  };
}

/**
 * The part of a scope whose names stand in the source: converting values that nobody looks at would cost most
 * of a run.
 */
function namedIn(source: string, scope: Scope): Scope {
  const words = new Set(source.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  return new Map([...scope].filter(([name]) => words.has(name)));
}

/** Everything in scope has a value, null where nothing was given. */
function contextOf(values: ReadonlyMap<string, JsonValue>, scope: Scope): Map<string, CelValue> {
  const context = new Map<string, CelValue>();
  for (const [name, type] of scope) context.set(name, toCel(values.get(name) ?? null, type));
  return context;
}

function evaluate(run: () => CelValue): Evaluation {
  try {
    return { ok: true, value: fromCel(run()) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** The reasons that an evaluation may give; anything else is a fault of ours and goes on up. */
function reasonOf(error: unknown): string {
  if (error instanceof EvaluationError) return plain(error.summary);
  const expected = [
    BudgetError,
    FunctionError,
    NotJsonError,
    PatternError,
    RangeError,
    TypeError,
    SyntaxError,
    CelTypeError,
  ];
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) return plain(error.message);
  throw error;
}

function faultOf(error: ParseError | CelTypeError, source: string): ExpressionFault {
  const within = (offset: number): number => Math.max(0, Math.min(offset, source.length));
  const start = within(error.range?.start ?? 0);
  const end = Math.max(start, within(error.range?.end ?? source.length));
  const message = plain(error.summary ?? error.message);
  const [, unknownName] = /^Unknown variable: (.*)$/.exec(message) ?? [];
  if (unknownName === undefined) return { message, start, end };
  return { message: `there is no ${unknownName} here`, start, end, unknownName };
}

function refused(message: string, start: number, end: number): Compilation {
  return { ok: false, faults: [{ message, start, end }] };
}

/** The engine's messages, with the names that people typed and the limits' meaning instead of their names. */
function plain(message: string): string {
  return withTypedNames(message)
    .replace(/\bdyn<(\w+)>/g, "$1")
    .replace(/^Exceeded maxAstNodes \((\d+)\)$/, "the expression has more than $1 parts")
    .replace(/^Exceeded maxDepth \((\d+)\)$/, "the expression is nested more than $1 deep")
    .replace(/^(?:Unexpected token: EOF|Expected (\w+), got EOF)$/, "the expression ends too early");
}
