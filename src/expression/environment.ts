import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import { MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_NODES } from "../limits.ts";
import { registerFunctions } from "./functions/index.ts";
import type { Scope } from "./scope.ts";
import { expandSortBy } from "./tree/sort-by.ts";
import { typeName } from "./types.ts";

/**
 * An expression as the engine reads it in a scope, neither checked nor metered yet.
 * @throws ParseError where it is not well-formed
 */
export function parseIn(scope: Scope, source: string): ParseResult {
  const parsed = environmentFor(scope).parse(source);
  if (source.includes("sortBy")) expandSortBy(parsed.ast);
  return parsed;
}

/**
 * An environment of CEL in which an expression of this scope is checked and run. It adds to the specification
 * (cel-spec, doc/langdef.md) the functions of `functions/index.ts` and mixed arithmetic: whole and decimal numbers may be
 * added, compared for equality and so on, and the result is decimal. What cel-js does otherwise than the specification
 * is mended by replaced functions, in `tree/prepare.ts` and in `tree/metering.ts`, but for this, which stays:
 *
 * - times have milliseconds, not nanoseconds; a duration's `getMilliseconds` is all of it, not the part of a second;
 * - `string(double)` writes as JavaScript does: `1e-7` and not `1e-07`, `123456789` and not `1.23456789e+08`, 0 for -0;
 * - `string(bytes)` and `b.string()` put U+FFFD for what is no UTF-8, where the specification has an error;
 * - decimal numbers may be keys of a map, and 1 and '1' are the same key of one;
 * - `has` takes a chain of names that begins with a variable, and no literal; `.5` is written `0.5`;
 * - there are no loops over two variables, no `optMap`, `optFlatMap`, `ofNonZeroValue`, no `[?x]` and `{?k: x}`; optional
 *   values and bytes have no `==` and `<` respectively;
 * - `trim` leaves U+0085 and takes U+FEFF.
 */
function environmentFor(scope: Scope): Environment {
  let environment = environments.get(scope);
  if (environment === undefined) {
    environment = commonEnvironment().clone();
    for (const [name, type] of scope) environment.registerVariable(name, typeName(type));
    environments.set(scope, environment);
  }
  return environment;
}

/** All expressions of a function share one scope, so its variables are declared once. */
const environments = new WeakMap<Scope, Environment>();

let common: Environment | undefined;

/** Made at first use: a worker that evaluates nothing does not pay for it at start. */
function commonEnvironment(): Environment {
  if (common !== undefined) return common;
  common = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: MAX_EXPRESSION_NODES, maxDepth: MAX_EXPRESSION_DEPTH },
  });
  addMixedArithmetic(common);
  registerFunctions(common);
  return common;
}

function addMixedArithmetic(environment: Environment): void {
  const operations: [string, (left: number, right: number) => number][] = [
    ["+", (left, right) => left + right],
    ["-", (left, right) => left - right],
    ["*", (left, right) => left * right],
    ["/", (left, right) => left / right],
  ];
  for (const [operator, apply] of operations) {
    environment.registerOperator(`int ${operator} double: double`, (left: bigint, right: number) =>
      apply(Number(left), right),
    );
    environment.registerOperator(`double ${operator} int: double`, (left: number, right: bigint) =>
      apply(left, Number(right)),
    );
  }
  environment.registerOperator("int == double", (left: bigint, right: number) => Number(left) === right);
}
