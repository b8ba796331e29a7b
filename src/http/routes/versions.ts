import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { type Result, success } from "../../errors.ts";
import { MAX_EDITS_BYTES } from "../../limits.ts";
import type { OwnSkill } from "../../store/index.ts";
import type { Gateway } from "../gateway.ts";
import { readJsonBody } from "../json-body.ts";
import { unknownOwnSkill } from "../own/unknown-skill.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { diffQuery, rollbackTarget, skillParameter, writeQuery } from "../requests.ts";
import { validated } from "../validation.ts";
import { replyWritten } from "./own-skills.ts";

/** What became of a tenant's own skill: `versions`, `rollback`, `diff` and `rebase` below `/v1/skills/:name`. */
export function versionRoutes(gateway: Gateway): Hono {
  return new Hono()
    .get("/v1/skills/:name/versions", validated("param", skillParameter), async (context) => {
      const own = await ownSkill(context, context.req.valid("param").name, gateway);
      if (!own.ok) return replyFailure(context, own.failure);
      const { record, version, former } = own.value;
      const versions = [own.value, ...former].map(lineOf);
      return replyJson(context, { name: record.skill.name, current: version, versions });
    })
    .get(
      "/v1/skills/:name/diff",
      validated("param", skillParameter),
      validated("query", diffQuery),
      async (context) => {
        const own = await ownSkill(context, context.req.valid("param").name, gateway);
        if (!own.ok) return replyFailure(context, own.failure);
        const { describeVersions } = await gateway.authoring();
        const { name } = own.value.record.skill;
        const contentOf = contentsOf(context, name, gateway);
        const bundled = gateway.bundled.record(name);
        const query = context.req.valid("query");
        const described = await describeVersions(own.value, bundled, query, contentOf);
        return described.ok ? replyJson(context, described.value) : replyFailure(context, described.failure);
      },
    )
    .post(
      "/v1/skills/:name/rollback",
      validated("param", skillParameter),
      validated("query", writeQuery),
      async (context) => {
        const body = await readJsonBody(context.req.raw, rollbackTarget, MAX_EDITS_BYTES);
        if (!body.ok) return replyFailure(context, body.failure);
        const { name } = context.req.valid("param");
        const authoring = await gateway.authoring();
        const draft = authoring.formerDraft(body.value.version, contentsOf(context, name, gateway));
        const request = { name, isDryRun: context.req.valid("query").dry_run === "1" };
        return replyWritten(context, authoring, request, draft, gateway);
      },
    )
    .post(
      "/v1/skills/:name/rebase",
      validated("param", skillParameter),
      validated("query", writeQuery),
      async (context) => {
        const { name } = context.req.valid("param");
        const authoring = await gateway.authoring();
        const draft = authoring.rebasedDraft(contentsOf(context, name, gateway));
        const request = { name, isDryRun: context.req.valid("query").dry_run === "1" };
        return replyWritten(context, authoring, request, draft, gateway);
      },
    );
}

function contentsOf(context: Context, name: string, gateway: Gateway) {
  return (digest: string) => gateway.skills.content(context.var.caller.tenant, name, digest);
}

/**
 * The caller's own skill of a name, all of it; UNKNOWN_SKILL with the names of its own where it has none, and FORBIDDEN
 * where it asks for a permission that the caller lacks.
 */
export async function ownSkill(context: Context, name: string, gateway: Gateway): Promise<Result<OwnSkill>> {
  const { caller, catalog } = context.var;
  const found = await catalog.wholeSkill(name);
  if (!found.ok) return found.failure.code === "UNKNOWN_SKILL" ? unknownOwnSkill(name, catalog) : found;
  const own = await gateway.skills.skill(caller.tenant, name);
  if (!own.ok) return own;
  return own.value === null ? unknownOwnSkill(name, catalog) : success(own.value);
}

function lineOf({ version, digest, author, writtenAt, files }: OwnSkill["former"][number]) {
  const paths = files.map(({ path, bytes }) => ({ path, bytes }));
  return { version, digest, author, written_at: new Date(writtenAt).toISOString(), files: paths };
}
