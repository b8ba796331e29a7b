import { Hono } from "hono/tiny";
import type * as z from "zod/mini";
import {
  type AskedGrant,
  type Caller,
  EVERYTHING,
  grantWithin,
  hasScope,
  type IssuedKey,
  type KeyRecord,
  rotationRefusal,
} from "../../access/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { RateLimit } from "../../ir.ts";
import { nearestFirst } from "../../nearest.ts";
import { scopeNames, timeZoneOf, windowNameOf } from "../../vocabulary.ts";
import { administering } from "../administration.ts";
import type { Gateway } from "../gateway.ts";
import { readJsonBody } from "../json-body.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { keyBody, keyParameter, rotateQuery, tenantQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `/v1/keys`: the keys of a tenant, and who one's own key makes one. */
export function keyRoutes(gateway: Gateway): Hono {
  const { keys } = gateway;
  const one = [validated("param", keyParameter), validated("query", tenantQuery), administering()] as const;
  const all = [validated("query", tenantQuery), administering()] as const;
  return new Hono()
    .get("/v1/keys/current", (context) => replyJson(context, describeCaller(context.var.caller)))
    .get("/v1/keys", ...all, async (context) => {
      const { tenant } = context.var;
      const listed = await keys.list(tenant);
      if (!listed.ok) return replyFailure(context, listed.failure);
      return replyJson(context, { tenant, keys: listed.value.map(describeKey) });
    })
    .post("/v1/keys", ...all, async (context) => {
      const { caller, tenant, requestId } = context.var;
      const body = await readJsonBody(context.req.raw, keyBody);
      if (!body.ok) return replyFailure(context, body.failure);
      const issued = await issue(tenant, body.value, caller, gateway);
      if (!issued.ok) return replyFailure(context, issued.failure);
      gateway.log(changeOf("key-issued", issued.value.record, caller, requestId));
      return replyJson(context, describeIssued(issued.value), 201);
    })
    .get("/v1/keys/:id", ...one, async (context) => {
      const shown = await keys.show(context.var.tenant, context.req.valid("param").id);
      return shown.ok ? replyJson(context, describeKey(shown.value)) : replyFailure(context, shown.failure);
    })
    .delete("/v1/keys/:id", ...one, async (context) => {
      const { caller, tenant, requestId } = context.var;
      const revoked = await keys.revoke(tenant, context.req.valid("param").id);
      if (!revoked.ok) return replyFailure(context, revoked.failure);
      gateway.log(changeOf("key-revoked", revoked.value, caller, requestId));
      return replyJson(context, { id: revoked.value.id, tenant, revoked: true });
    });
}

/** `POST /v1/keys/:id/rotate`. */
export function rotationRoutes(gateway: Gateway): Hono {
  return new Hono().post(
    "/v1/keys/:id/rotate",
    validated("param", keyParameter),
    validated("query", rotateQuery),
    administering(),
    async (context) => {
      const { caller, tenant, requestId } = context.var;
      const { overlap_s: overlap } = context.req.valid("query");
      const rotated = await gateway.keys.rotate(tenant, context.req.valid("param").id, {
        overlapMs: overlap === undefined ? null : Number(overlap) * 1_000,
        refusalOf: (record) => rotationRefusal(caller, record),
      });
      if (!rotated.ok) return replyFailure(context, rotated.failure);
      gateway.log(changeOf("key-rotated", rotated.value.record, caller, requestId));
      return replyJson(context, describeIssued(rotated.value));
    },
  );
}

async function issue(
  tenant: string,
  body: z.output<typeof keyBody>,
  caller: Caller,
  gateway: Gateway,
): Promise<Result<IssuedKey>> {
  const { name, scopes, skills = null, limits = [], expires_in_s: lifetime } = body;
  const expiresAt = lifetime === undefined ? null : gateway.now() + lifetime * 1_000;
  const asked: AskedGrant = { name, scopes, skills, limits, expiresAt };
  const known = await checkScopes(scopes, { ...caller, tenant }, gateway);
  if (!known.ok) return known;
  const grant = grantWithin(caller, asked);
  return grant.ok ? gateway.keys.issue(tenant, grant.value, caller) : grant;
}

/**
 * A scope that nothing asks for is misspelt: a key that has it would be refused where nobody expects it. Of skills that
 * are not for the issuer nothing is told, and none is offered that the issuer cannot give.
 */
async function checkScopes(
  scopes: readonly string[],
  issuer: Caller,
  gateway: Gateway,
): Promise<Result<null>> {
  const listed = await gateway.catalogFor({ ...issuer, scopes: [EVERYTHING] }).list();
  if (!listed.ok) return listed;
  const asked = listed.value.flatMap(({ permission, functions }) => [
    permission,
    ...functions.map((definition) => definition.permission),
  ]);
  const permissions = asked.filter((permission) => permission !== null);
  const known = new Set([...scopeNames, EVERYTHING, ...issuer.scopes, ...permissions]);
  const index = scopes.findIndex((scope) => !known.has(scope));
  const stranger = scopes[index];
  if (stranger === undefined) return success(null);
  const offered = [...known].filter((scope) => hasScope(issuer, scope));
  const expected = `one of ${nearestFirst(stranger, offered).join(", ")}`;
  const message = `Nothing in here asks for the scope ${JSON.stringify(stranger)}; it is ${expected}.`;
  const fault = { path: `/scopes/${index}`, rule: "enum", expected, got: JSON.stringify(stranger) };
  return failed({ code: "INVALID_REQUEST", message, faults: [fault] });
}

function describeCaller({ tenant, key, isOperator, ...granted }: Caller) {
  return { tenant, key, ...describeGrant(granted), operator: isOperator };
}

function describeGrant({
  scopes,
  skills,
  limits,
  expiresAt,
}: Pick<KeyRecord, keyof AskedGrant & keyof Caller>) {
  return { scopes, skills, limits: limits.map(describeLimit), expires_at: timeOf(expiresAt) };
}

function describeLimit({ max, window: counted }: RateLimit) {
  const window = windowNameOf(counted);
  return { max, window, time_zone: window === "day" ? timeZoneOf(counted) : null };
}

function describeKey({ id, tenant, name, createdAt, createdBy, former, ...granted }: KeyRecord) {
  return {
    id,
    tenant,
    name,
    ...describeGrant(granted),
    created_at: timeOf(createdAt),
    created_by: createdBy,
    former_until: timeOf(former === null ? null : former.until),
  };
}

function describeIssued({ text, record }: IssuedKey) {
  return { key: text, ...describeKey(record) };
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

function changeOf(event: string, { tenant, id }: KeyRecord, caller: Caller, requestId: string) {
  const by = caller.key?.id ?? null;
  return { level: "info" as const, event, request_id: requestId, tenant, key: id, by };
}
