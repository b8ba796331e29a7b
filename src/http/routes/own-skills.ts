import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { success } from "../../errors.ts";
import { MAX_EDITS_BYTES } from "../../limits.ts";
import type * as Authoring from "../authoring/index.ts";
import type { Gateway } from "../gateway.ts";
import { readJsonBody } from "../json-body.ts";
import { checkConditions, conditionsOf, skillTag } from "../own/entity-tag.ts";
import { unknownOwnSkill, withKnownNames } from "../own/unknown-skill.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { editList, putSkillQuery, skillParameter, writeQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `PUT`, `PATCH` and `DELETE /v1/skills/:name`: a tenant's own skills, compiled as they arrive. */
export function ownSkillRoutes(gateway: Gateway): Hono {
  return new Hono()
    .put(
      "/v1/skills/:name",
      validated("param", skillParameter),
      validated("query", putSkillQuery),
      async (context) => {
        const { dry_run, rebased } = context.req.valid("query");
        const authoring = await gateway.authoring();
        const bundle = await authoring.readBundle(context.req.raw);
        if (!bundle.ok) return replyFailure(context, bundle.failure);
        const draft = authoring.bundleDraft(bundle.value, rebased === "1");
        const request = { name: context.req.valid("param").name, isDryRun: dry_run === "1" };
        return replyWritten(context, authoring, request, draft, gateway);
      },
    )
    .patch(
      "/v1/skills/:name",
      validated("param", skillParameter),
      validated("query", writeQuery),
      async (context) => {
        const body = await readJsonBody(context.req.raw, editList, MAX_EDITS_BYTES);
        if (!body.ok) return replyFailure(context, body.failure);
        const authoring = await gateway.authoring();
        const { name } = context.req.valid("param");
        const request = { name, isDryRun: context.req.valid("query").dry_run === "1" };
        const draft = authoring.editedDraft(body.value.edits);
        return replyWritten(context, authoring, request, draft, gateway);
      },
    )
    .delete("/v1/skills/:name", validated("param", skillParameter), async (context) => {
      const { name } = context.req.valid("param");
      const { caller, catalog } = context.var;
      const { tenant } = caller;
      const writable = await catalog.checkWritable(name);
      if (!writable.ok) return replyFailure(context, writable.failure);
      const conditions = conditionsOf(context.req.raw.headers);
      const removed = await gateway.skills.change(tenant, name, tenant, async (own) => {
        const allowed = own === null ? success(null) : checkConditions(name, await skillTag(own), conditions);
        return allowed.ok ? success({ decision: "delete" as const, said: null }) : allowed;
      });
      if (!removed.ok) return replyFailure(context, removed.failure);
      if (removed.value.before === null) {
        const unknown = await unknownOwnSkill(name, catalog);
        if (!unknown.ok) return replyFailure(context, unknown.failure);
      }
      const now = Object.hasOwn(gateway.bundled.bundle.records, name) ? "bundled" : "gone";
      return replyJson(context, { name, deleted: true, now });
    });
}

/** What a route knows of a write. */
interface RoutedWrite {
  name: string;
  isDryRun: boolean;
  /** The path of the file that is written; null or not given where it is the skill. */
  file?: string | null;
}

/** Writes a skill and says what was written. */
export async function replyWritten(
  context: Context,
  { writeSkill }: typeof Authoring,
  { name, isDryRun, file = null }: RoutedWrite,
  draft: ReturnType<typeof Authoring.editedDraft>,
  gateway: Gateway,
): Promise<Response> {
  const { caller, catalog } = context.var;
  const conditions = conditionsOf(context.req.raw.headers);
  const request = { name, caller, catalog, conditions, file, isDryRun };
  const written = await writeSkill(request, draft, gateway);
  if (!written.ok) return replyFailure(context, await withKnownNames(written.failure, catalog));
  const { created, tag, reply } = written.value;
  return replyJson(context, reply, created ? 201 : 200, { ETag: tag });
}
