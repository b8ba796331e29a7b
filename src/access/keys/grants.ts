/** What the holder of one key may give to another. */
import { type Failure, failed, type Result, success } from "../../errors.ts";
import type { RateLimit } from "../../ir.ts";
import { windowNameOf } from "../../vocabulary.ts";
import { type Caller, hasScope } from "../caller.ts";
import type { Grant } from "./key-record.ts";

/** A grant as it is asked for; what is left out is as the issuer's own, where that is bounded. */
export interface AskedGrant {
  name: string;
  scopes: readonly string[];
  skills: readonly string[] | null;
  limits: readonly RateLimit[];
  expiresAt: number | null;
}

/** Why a caller may not administer a tenant, or null where it may: its own, and for the operator any. */
export function tenantRefusal(caller: Caller, tenant: string): Failure | null {
  if (caller.isOperator || tenant === caller.tenant) return null;
  return refused(
    `This key administers the tenant ${caller.tenant} alone; only the operator's key does others.`,
  );
}

/**
 * The grant that an issuer may give of what was asked: never more than it has. Skills, limits and an end that it has
 * itself are handed on where none are named.
 */
export function grantWithin(issuer: Caller, asked: AskedGrant): Result<Grant> {
  const excess = excessOf(issuer, asked);
  if (excess !== null) return failed(refused(`A key gives no more than it has itself: ${excess}.`));
  return success({
    name: asked.name,
    scopes: [...new Set(asked.scopes)],
    skills: asked.skills ?? issuer.skills,
    limits: asked.limits.length === 0 ? handedOn(issuer) : asked.limits,
    expiresAt: asked.expiresAt ?? issuer.expiresAt,
  });
}

/** The limits that the keys of an issuer have too. The operator's are of its own key alone: it sets those itself. */
function handedOn({ isOperator, limits }: Caller): readonly RateLimit[] {
  return isOperator ? [] : limits;
}

/** What of a grant is more than a caller has, in words; null where nothing is. */
export function excessOf(issuer: Caller, asked: AskedGrant): string | null {
  const scope = asked.scopes.find((name) => !hasScope(issuer, name));
  if (scope !== undefined) return `the scope ${scope}`;
  const skill = asked.skills?.find((name) => issuer.skills?.includes(name) === false);
  if (skill !== undefined) return `the skill ${skill}`;
  const limit = asked.limits.length === 0 ? undefined : handedOn(issuer).find((own) => !isWithin(own, asked));
  if (limit !== undefined) return `more than ${limit.max} a ${windowNameOf(limit.window)}`;
  const { expiresAt } = issuer;
  if (expiresAt === null || asked.expiresAt === null || asked.expiresAt <= expiresAt) return null;
  return `an end after ${new Date(expiresAt).toISOString()}`;
}

/** Whether one of the limits that are asked for is as strict as a limit of the issuer's. */
function isWithin({ max, window }: RateLimit, { limits }: AskedGrant): boolean {
  return limits.some((limit) => limit.window === window && limit.max <= max);
}

/** Why a caller may not be handed an existing key anew: it may do more than the caller; null where it may be. */
export function rotationRefusal(caller: Caller, existing: Grant): Failure | null {
  const { skills, limits, expiresAt } = existing;
  const isUnbounded =
    (caller.skills !== null && skills === null) ||
    (handedOn(caller).length > 0 && limits.length === 0) ||
    (caller.expiresAt !== null && expiresAt === null);
  const excess = isUnbounded ? "this key has bounds that the other one has not" : excessOf(caller, existing);
  return excess === null
    ? null
    : refused(`A key is handed out anew only to one that may do as much: ${excess}.`);
}

function refused(message: string): Failure {
  return { code: "FORBIDDEN", message };
}
