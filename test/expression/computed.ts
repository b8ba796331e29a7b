import {
  compileExpression,
  type Evaluation,
  parameterScope,
  type Scope,
} from "../../src/expression/index.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

/** A function's parameters: some required, some not, of every type. */
export const PARAMETERS: JsonObject = {
  properties: {
    symbol: { type: "string" },
    limit: { type: "integer" },
    price: { type: "number" },
    live: { type: "boolean" },
    tags: { type: "array" },
    options: { type: "object" },
    note: { type: "string" },
    depth: { type: "integer", default: 5 },
    either: { type: ["string", "null"] },
  },
  required: ["symbol", "limit", "price", "live", "tags", "options", "either"],
};

export const SCOPE = parameterScope(PARAMETERS);

const VALUES: JsonObject = {
  symbol: "NVDA.US",
  limit: 3,
  price: 2.5,
  live: true,
  tags: ["a", "b"],
  options: { a: 1, b: [1, 2] },
  depth: 5,
  either: null,
};

/** Computes an expression over these values (and `args`, which holds them all). */
export function computed(source: string, values: JsonObject = VALUES, scope: Scope = SCOPE): Evaluation {
  const compilation = compileExpression(source, scope);
  if (!compilation.ok) throw new Error(compilation.faults.map(({ message }) => message).join("; "));
  return compilation.expression.evaluate(valuesOf(values));
}

export function valuesOf(values: JsonObject): Map<string, JsonValue> {
  const args = values.args ?? { ...values };
  return new Map(Object.entries({ args, call: {}, vars: {}, ...values }));
}

/** The value of an expression; an error where it has none. */
export function resultOf(source: string, values?: JsonObject): JsonValue {
  const result = computed(source, values);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

/** Why an expression has no value. */
export function reasonOf(source: string, values?: JsonObject): string {
  const result = computed(source, values);
  if (result.ok) throw new Error(`it has the value ${JSON.stringify(result.value)}`);
  return result.reason;
}
