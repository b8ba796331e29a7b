import { Hono } from "hono/tiny";
import { canonicalHost, type SecretLine } from "../../access/index.ts";
import { administering } from "../administration.ts";
import type { Gateway } from "../gateway.ts";
import { readJsonBody } from "../json-body.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { secretBody, secretParameter, tenantQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `/v1/secrets`: a tenant's secrets go in and never come out. */
export function secretRoutes({ secrets, log }: Gateway): Hono {
  const one = [
    validated("param", secretParameter),
    validated("query", tenantQuery),
    administering(),
  ] as const;
  return new Hono()
    .get("/v1/secrets", validated("query", tenantQuery), administering(), async (context) => {
      const { tenant } = context.var;
      const listed = await secrets.list(tenant);
      if (!listed.ok) return replyFailure(context, listed.failure);
      const lines = listed.value.map((secret) => ({ ...describe(secret), current: secret.isCurrent }));
      return replyJson(context, { tenant, secrets: lines });
    })
    .put("/v1/secrets/:name", ...one, async (context) => {
      const { caller, tenant, requestId } = context.var;
      const { name } = context.req.valid("param");
      const body = await readJsonBody(context.req.raw, secretBody);
      if (!body.ok) return replyFailure(context, body.failure);
      const hosts = [...new Set(body.value.hosts.flatMap((host) => canonicalHost(host) ?? []))];
      const by = caller.key?.id ?? null;
      const stored = await secrets.put(tenant, { name, value: body.value.value.trim(), hosts, by });
      if (!stored.ok) return replyFailure(context, stored.failure);
      log({ level: "info", event: "secret-set", request_id: requestId, tenant, secret: name, hosts, by });
      const { created } = stored.value;
      return replyJson(context, { tenant, ...describe(stored.value), created }, created ? 201 : 200);
    })
    .delete("/v1/secrets/:name", ...one, async (context) => {
      const { caller, tenant, requestId } = context.var;
      const { name } = context.req.valid("param");
      const deleted = await secrets.delete(tenant, name);
      if (!deleted.ok) return replyFailure(context, deleted.failure);
      const by = caller.key?.id ?? null;
      log({ level: "info", event: "secret-removed", request_id: requestId, tenant, secret: name, by });
      return replyJson(context, { tenant, name, deleted: true });
    });
}

function describe({ name, hosts, updatedAt, updatedBy }: SecretLine) {
  return { name, hosts, updated_at: new Date(updatedAt).toISOString(), updated_by: updatedBy };
}
