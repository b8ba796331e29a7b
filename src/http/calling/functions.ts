/** Functions as callers name them, and calls of them. */
import { type Catalog, callableFunctions, type FoundFunction } from "../../catalog/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { Call, Callable, CallLimit, LimitReport } from "../../invoke/index.ts";
import type { FunctionDefinition } from "../../ir.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import type { DialectName } from "../../vocabulary.ts";
import type { Gateway } from "../gateway.ts";

/** Finds a function by the name that a caller gives it; UNKNOWN_FUNCTION where the caller sees none. */
export type FindFunction = (name: string) => Promise<Result<FoundFunction>>;

/** Finds functions by their own names or, where a format is given, by the names that their tools have there. */
export async function functionFinder(
  format: DialectName | null,
  catalog: Catalog,
  gateway: Gateway,
): Promise<Result<FindFunction>> {
  if (format === null) return success((name) => catalog.function(name));
  const listed = await catalog.list();
  if (!listed.ok) return listed;
  const known = new Set(listed.value.flatMap(({ functions }) => functions.map((other) => other.name)));
  return success((name) => catalog.function(gateway.functionName(format, name, known) ?? name));
}

/**
 * Finds functions by their own names, and the only function of a skill by the skill's: a model that knows no tools
 * has read an index of skills. Of a skill that has several, the failure offers them first.
 */
export function skillFinder(catalog: Catalog): FindFunction {
  return async (name) => {
    const found = await catalog.function(name);
    if (found.ok || found.failure.code !== "UNKNOWN_FUNCTION") return found;
    const skill = await catalog.skill(name);
    if (!skill.ok) return skill.failure.code === "UNKNOWN_SKILL" ? found : skill;
    const own = callableFunctions(skill.value.record.skill).map((definition) => definition.name);
    const [only, ...others] = own;
    if (only !== undefined && others.length === 0) return catalog.function(only);
    const known = new Set([...own, ...found.failure.known]);
    return failed({ code: "UNKNOWN_FUNCTION", function: name, known: [...known] });
  };
}

/** Who calls, and in whose words. */
export interface Calling {
  requestId: string;
  tenant: string;
  /** What the caller may spend in all. */
  budget: readonly CallLimit[];
  /** Is told how all limits stand that calls meet. */
  limits: LimitReport;
  catalog: Catalog;
  /** Fires when the caller goes away. */
  signal: AbortSignal;
  /** The format in whose words the arguments are; null for the function's own. */
  format: DialectName | null;
}

/** A call of a function that was found. */
export function callOf(found: FoundFunction, given: JsonValue, calling: Calling, gateway: Gateway): Call {
  const { requestId: id, tenant, budget, limits, catalog, signal, format } = calling;
  return {
    ...callable(found),
    id,
    arguments: restored(given, found.definition, format, gateway),
    tenant,
    budget,
    limits,
    find: (name) => findCallable(name, catalog),
    signal,
  };
}

/** Arguments as the function declares them; what is no object stays, to be refused. */
function restored(
  given: JsonValue,
  definition: FunctionDefinition,
  format: DialectName | null,
  gateway: Gateway,
): JsonValue {
  if (format === null || !isJsonObject(given)) return given;
  return gateway.restoreArguments(format, definition, given);
}

/** How a step of a chain finds a function: by its own name, in the caller's catalog. */
async function findCallable(name: string, catalog: Catalog): Promise<Result<Callable>> {
  const found = await catalog.function(name);
  return found.ok ? success(callable(found.value)) : found;
}

function callable({ record, definition }: FoundFunction): Callable {
  return { skill: record.skill, digest: record.digest, definition };
}
