/** The tools that are made strict where a request may have only so much of it. */
import { isJsonObject, type JsonObject } from "../json.ts";
import { placesIn } from "./check.ts";
import { typesOf } from "./schema/keywords.ts";

/** What strict tools use up of a request. */
export interface StrictBudget {
  tools: number;
  /** Properties that are not required. */
  optional: number;
  /** Properties of more than one type. */
  unions: number;
}

/** A tool that could be strict, under the name by which it is chosen, with the schema it would have. */
export interface StrictCandidate {
  name: string;
  schema: JsonObject;
}

/**
 * The names of the candidates to make strict. The budget goes to the tools with the most that a grammar holds a
 * model to (types other than text, enumerations, formats, required properties); among equals to the one that uses
 * up less, then by name, so that the choice does not depend on the order of the tools.
 */
export function spend(candidates: readonly StrictCandidate[], budget: StrictBudget): ReadonlySet<string> {
  const left = { ...budget };
  const chosen = new Set<string>();
  const ranked = candidates
    .map(({ name, schema }) => ({ name, gain: gainOf(schema), cost: costOf(schema) }))
    .sort(
      (one, other) =>
        other.gain - one.gain || sumOf(one.cost) - sumOf(other.cost) || (one.name < other.name ? -1 : 1),
    );
  for (const { name, cost } of ranked) {
    if (left.tools < 1 || left.optional < cost.optional || left.unions < cost.unions) continue;
    left.tools -= 1;
    left.optional -= cost.optional;
    left.unions -= cost.unions;
    chosen.add(name);
  }
  return chosen;
}

type Cost = Omit<StrictBudget, "tools">;

function sumOf({ optional, unions }: Cost): number {
  return optional + unions;
}

/** What a grammar enforces in a schema, counted. */
function gainOf(root: JsonObject): number {
  return placesIn(root).reduce((sum, { schema }) => {
    const { required, enum: values, const: constant, format, pattern } = schema;
    const isText = typesOf(schema).every((type) => type === "string");
    const restricts = [values, constant, format, pattern].some((value) => value !== undefined);
    return sum + (isText ? 0 : 1) + (restricts ? 1 : 0) + (Array.isArray(required) ? required.length : 0);
  }, 0);
}

function costOf(root: JsonObject): Cost {
  const cost = { optional: 0, unions: 0 };
  for (const { schema } of placesIn(root)) {
    const { properties, required } = schema;
    const declared = isJsonObject(properties) ? Object.keys(properties) : [];
    const demanded = new Set(Array.isArray(required) ? required : []);
    cost.optional += declared.filter((key) => !demanded.has(key)).length;
    if (Array.isArray(schema.anyOf) || Array.isArray(schema.type)) cost.unions += 1;
  }
  return cost;
}
