import type { MiddlewareHandler } from "hono";
import { Hono } from "hono/tiny";
import type { Catalog } from "../../catalog/index.ts";
import { makeRecord } from "../../catalog/index.ts";
import { type Failure, success } from "../../errors.ts";
import { MAX_SKILL_BYTES } from "../../limits.ts";
import { nearestFirst } from "../../nearest.ts";
import { readBytes } from "../body.ts";
import type { Gateway } from "../gateway.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { putSkillQuery, skillParameter } from "../requests.ts";
import { validated } from "../validation.ts";

/** `PUT` and `DELETE /v1/skills/:name`: a tenant's own skills, compiled as they arrive. */
export function overrideRoutes(gateway: Gateway): Hono {
  return new Hono()
    .put(
      "/v1/skills/:name",
      unconditional(),
      validated("param", skillParameter),
      validated("query", putSkillQuery),
      async (context) => {
        const { name } = context.req.valid("param");
        const { caller, catalog } = context.var;
        const writable = await catalog.checkWritable(name);
        if (!writable.ok) return replyFailure(context, writable.failure);
        const bytes = await readBytes(context.req.raw, MAX_SKILL_BYTES, "The skill");
        if (!bytes.ok) return replyFailure(context, bytes.failure);
        const { compileUpload } = await gateway.uploads();
        const compiled = await compileUpload(name, bytes.value, { caller, catalog }, gateway);
        if (!compiled.ok) return replyFailure(context, compiled.failure);
        const { source, skill, warnings } = compiled.value;
        const record = await makeRecord(source, skill, gateway.encodeTool);
        const isDryRun = context.req.valid("query").dry_run === "1";
        const stored = isDryRun
          ? success({ created: false })
          : await gateway.skills.put(caller.tenant, record);
        if (!stored.ok) return replyFailure(context, stored.failure);
        const { created } = stored.value;
        const overrides = Object.hasOwn(gateway.bundled.bundle.records, name);
        const reply = { name, digest: record.digest, created, stored: !isDryRun, overrides, warnings };
        return replyJson(context, reply, created ? 201 : 200);
      },
    )
    .delete("/v1/skills/:name", unconditional(), validated("param", skillParameter), async (context) => {
      const { name } = context.req.valid("param");
      const { caller, catalog } = context.var;
      const writable = await catalog.checkWritable(name);
      if (!writable.ok) return replyFailure(context, writable.failure);
      const removed = await gateway.skills.delete(caller.tenant, name);
      if (!removed.ok) return replyFailure(context, removed.failure);
      if (!removed.value.deleted) return replyFailure(context, await unknownOwnSkill(name, catalog));
      const now = Object.hasOwn(gateway.bundled.bundle.records, name) ? "bundled" : "gone";
      return replyJson(context, { name, deleted: true, now });
    });
}

/** A condition that is not understood must not be passed over: the caller counts on it (RFC 9110, 13.1.1). */
function unconditional(): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.header("If-Match") === undefined) return next();
    const message = "If-Match is not understood here yet, so nothing was changed.";
    return replyFailure(context, { code: "INVALID_REQUEST", message, faults: [] });
  };
}

async function unknownOwnSkill(name: string, catalog: Catalog): Promise<Failure> {
  const listed = await catalog.list();
  if (!listed.ok) return listed.failure;
  const known = listed.value.filter(({ source }) => source === "user").map((entry) => entry.name);
  return { code: "UNKNOWN_SKILL", skill: name, known: nearestFirst(name, known) };
}
