import { TypeError as CelTypeError, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import type { JsonValue } from "../json.ts";
import { MAX_EXPRESSION_CHARACTERS } from "../limits.ts";
import { environmentFor } from "./environment.ts";
import { PatternError } from "./pattern.ts";
import type { Scope } from "./scope.ts";
import { BudgetError, type ExpressionFault, LINEAR_MATCHES, Meter, meterTree, prepareTree } from "./tree.ts";
import { type CelValue, fromCel, NotJsonError, toCel } from "./values.ts";

/** An expression that passed its checks and can be run any number of times. */
export interface Expression {
  /** The type of its result as CEL names it, e.g. `bool`, `list`, `dyn`. */
  readonly type: string;
  evaluate(values: ReadonlyMap<string, JsonValue>): Evaluation;
}

export type Evaluation = { ok: true; value: JsonValue } | { ok: false; reason: string };

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
  const parsed = environmentFor(scope).parse(source);
  const faults = prepareTree(parsed.ast);
  if (faults.length > 0) return { ok: false, faults };
  const checked = parsed.check();
  if (checked.error !== undefined) return { ok: false, faults: [faultOf(checked.error, source)] };
  const meter = new Meter();
  meterTree(parsed.ast, meter);
  const run: (context: Record<string, CelValue>) => CelValue = parsed;
  return {
    ok: true,
    expression: {
      type: checked.type ?? "dyn",
      evaluate(values) {
        meter.start();
        return evaluate(() => run(contextOf(values, scope)));
      },
    },
  };
}

/** Everything in scope has a value, null where nothing was given. */
function contextOf(values: ReadonlyMap<string, JsonValue>, scope: Scope): Record<string, CelValue> {
  const context: Record<string, CelValue> = Object.create(null);
  for (const [name, type] of scope) context[name] = toCel(values.get(name) ?? null, type);
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
  const start = Math.min(error.range?.start ?? 0, source.length);
  return { message: plain(error.summary ?? error.message), start, end: error.range?.end ?? source.length };
}

function refused(message: string, start: number, end: number): Compilation {
  return { ok: false, faults: [{ message, start, end }] };
}

/** The engine's messages, with the names that people typed. */
function plain(message: string): string {
  return message.replaceAll(LINEAR_MATCHES, "matches");
}
