import type { Failure } from "../errors.ts";
import type { RateLimit } from "../ir.ts";
import type { ScopeName } from "../vocabulary.ts";

/** Who is calling, and what they may do. */
export interface Caller {
  tenant: string;
  /** The issued key that was sent; null for the operator's own. */
  key: { id: string; name: string } | null;
  /** Scopes, and permissions that skills ask for; EVERYTHING stands for all of both. */
  scopes: readonly string[];
  /** The only skills that there are for the caller; null for all of the tenant's. */
  skills: readonly string[] | null;
  /** What all calls with the key may come to. */
  limits: readonly RateLimit[];
  /** When the key ends, in milliseconds since 1970; null for never. */
  expiresAt: number | null;
  /** Whether the caller holds the operator's own key, which administers every tenant. */
  isOperator: boolean;
}

/** The scope that holds every other one and every permission. */
export const EVERYTHING = "*";

/** The tenant of the operator's own key. */
export const DEFAULT_TENANT = "operator";

/** A tenant's name: a part of keys, of store keys and of log lines, so it has nothing that divides those. */
export const TENANT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whoever holds the operator's own key. */
export const OPERATOR: Caller = {
  tenant: DEFAULT_TENANT,
  key: null,
  scopes: [EVERYTHING],
  skills: null,
  limits: [],
  expiresAt: null,
  isOperator: true,
};

/** Whether a caller has a scope or permission. */
export function hasScope({ scopes }: Caller, scope: string): boolean {
  return scopes.includes(scope) || scopes.includes(EVERYTHING);
}

/** The failure that names the scope which a caller lacks, and those that it has; null where it has it. */
export function missingScope(caller: Caller, scope: ScopeName | string): Failure | null {
  if (hasScope(caller, scope)) return null;
  const message = `This needs the scope ${scope}, which the key does not have; it has ${caller.scopes.join(", ")}.`;
  return { code: "FORBIDDEN", message, scope };
}

/** What a caller sees of the skills; one of all callers with the same scopes and skills. */
export interface CallerView {
  /** The same for callers who see the same; empty where that is everything. */
  name: string;
  /** Whether there is a skill of this name for the caller at all. */
  admits(skill: string): boolean;
  /** Why the caller may not use what asks for a permission; null where it may. */
  refusal(permission: string): Failure | null;
}

const views = new WeakMap<Caller, CallerView>();

/** A caller's view, made once. */
export function viewOf(caller: Caller): CallerView {
  const known = views.get(caller);
  if (known !== undefined) return known;
  const { scopes, skills } = caller;
  const admitted = skills === null ? null : new Set(skills);
  const isWhole = admitted === null && scopes.includes(EVERYTHING);
  const view = {
    name: isWhole ? "" : JSON.stringify([scopes.toSorted(), skills?.toSorted() ?? null]),
    admits: (skill: string) => admitted?.has(skill) ?? true,
    refusal: (permission: string) => missingScope(caller, permission),
  };
  views.set(caller, view);
  return view;
}
