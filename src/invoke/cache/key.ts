import { sha256Hex } from "../../digest.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import type { ReadyCall } from "../decide.ts";

/**
 * Names what a call comes to: the same for the same arguments of the same function of the same document, in whatever
 * order their members stand. Null where the function's results are not to be given again. What is not `shared` is the
 * tenant's alone, and so is a chain, which finds its functions in the tenant's own catalog.
 */
export async function cacheKey(
  { prepared, digest, args, plan }: ReadyCall,
  tenant: string,
): Promise<string | null> {
  const { cache, annotations, name } = prepared.definition;
  if (cache === null || cache.ttlMs === 0 || !annotations.readOnly) return null;
  // What is computed here costs no more than looking it up.
  if (plan.kind === "answer") return null;
  const owner = cache.scope === "tenant" || plan.kind === "steps" ? tenant : null;
  return sha256Hex(JSON.stringify([owner, prepared.skill.name, digest, name, inOrder(args)]));
}

/** The value with the members of its objects in the order of their names. */
function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return jsonObject(members.map(([name, member]) => [name, inOrder(member)]));
}
