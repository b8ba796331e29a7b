/** Functions as callers name them, and calls of them. */
import { type Caller, viewOf } from "../../access/index.ts";
import { type Catalog, callableFunctions, type FoundFunction, type FoundSkill } from "../../catalog/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { Call, Callable, LimitReport, UploadedSkill } from "../../invoke/index.ts";
import type { FunctionDefinition } from "../../ir.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import type { DialectName } from "../../vocabulary.ts";
import type { Gateway } from "../gateway.ts";
import { budgetOf } from "./budget.ts";

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
  caller: Caller;
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
  const { requestId: id, caller, limits, signal, format } = calling;
  return {
    ...callable(found, caller, gateway),
    ...(format === null ? {} : { names: gateway.memberNames(format, found.definition) }),
    id,
    arguments: restored(given, found.definition, format, gateway),
    tenant: caller.tenant,
    view: viewOf(caller).name,
    budget: budgetOf(caller),
    limits,
    find: (name) => findCallable(name, calling, gateway),
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
async function findCallable(
  name: string,
  { catalog, caller }: Calling,
  gateway: Gateway,
): Promise<Result<Callable>> {
  const found = await catalog.function(name);
  return found.ok ? success(callable(found.value, caller, gateway)) : found;
}

function callable({ definition, ...found }: FoundFunction, caller: Caller, gateway: Gateway): Callable {
  const { skill, digest } = found.record;
  return { skill, digest, definition, uploaded: uploadedBy(found, caller, gateway) };
}

/** Whose a skill is, and the secrets that it may use; null for a bundled one. */
export function uploadedBy(
  { record: { skill }, source }: FoundSkill,
  caller: Caller,
  gateway: Gateway,
): UploadedSkill | null {
  if (source === "bundled") return null;
  return { tenant: caller.tenant, secrets: () => gateway.uploadedSkillSecrets(skill, caller) };
}
