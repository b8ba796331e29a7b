import { sha256Hex } from "../../digest.ts";
import type { Step } from "../../ir.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { MAX_CACHE_KEY_CHARACTERS, MAX_CHAIN_DEPTH } from "../../limits.ts";
import type { FunctionLookup, InvokeDependencies } from "../call.ts";
import type { CheckedCall } from "../decide.ts";
import type { Run } from "../run.ts";

/**
 * Names what a call comes to: the same for the same arguments of the same function of the same document, in whatever
 * order their members stand, as long as the operator's variables are the same. No secret is in it: which one goes with a
 * request follows from the document, and from the tenant where the document is one that it uploaded. So what such a
 * skill brings is the tenant's alone, and so is what is not `shared`. A chain is for those alone who see the same: it
 * finds its functions in the caller's own catalog.
 * @returns null where the function's results are not to be given again
 */
export async function cacheKey(
  { prepared, digest, uploaded, args }: CheckedCall,
  { tenant, view, find }: Run,
  { vars, baseUrlOf }: InvokeDependencies,
): Promise<string | null> {
  const { skill, definition } = prepared;
  const { cache, annotations, binding, name } = definition;
  if (cache === null || cache.ttlMs === 0 || !annotations.readOnly) return null;
  // What is computed here costs no more than looking it up.
  if (binding.kind !== "request" && binding.kind !== "steps") return null;
  const isChain = binding.kind === "steps";
  const owner = cache.scope === "tenant" || isChain || uploaded !== null ? tenant : null;
  const urls = skill.upstreams.map(({ upstream: { baseUrlVariable } }) =>
    baseUrlVariable === null ? null : (baseUrlOf(baseUrlVariable) ?? null),
  );
  const seen = isChain ? [view, await documentsOf(binding.steps, find, MAX_CHAIN_DEPTH)] : null;
  const key = JSON.stringify([owner, skill.name, digest, name, inOrder(args), vars, urls, seen]);
  return key.length <= MAX_CACHE_KEY_CHARACTERS ? key : sha256Hex(key);
}

/** The documents of the functions that a chain calls: a change of one of them changes what the chain comes to. */
async function documentsOf(steps: readonly Step[], find: FunctionLookup, depth: number): Promise<string[]> {
  if (depth === 0) return [];
  const found = await Promise.all([...new Set(steps.map(({ call }) => call))].map(find));
  const documents = found.map(async (callable) => {
    if (!callable.ok) return [callable.failure.code];
    const { digest, definition } = callable.value;
    const { binding } = definition;
    return [digest, ...(binding.kind === "steps" ? await documentsOf(binding.steps, find, depth - 1) : [])];
  });
  return (await Promise.all(documents)).flat();
}

/** The value with the members of its objects in the order of their names. */
function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return jsonObject(members.map(([name, member]) => [name, inOrder(member)]));
}
