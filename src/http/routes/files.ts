import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { failed, type Result } from "../../errors.ts";
import { MAX_SKILL_FILE_BYTES } from "../../limits.ts";
import { nearestFirst } from "../../nearest.ts";
import { filePath } from "../authoring/bundle/file-path.ts";
import { readBytes } from "../body.ts";
import type { Gateway } from "../gateway.ts";
import { tagOfDigest } from "../own/entity-tag.ts";
import { replyBytes, replyFailure, replyJson } from "../replies.ts";
import { skillParameter, writeQuery } from "../requests.ts";
import { validated } from "../validation.ts";
import { replyWritten } from "./own-skills.ts";

/** The files beside a skill's document: `/v1/skills/:name/files` and what is below it. */
export function fileRoutes(gateway: Gateway): Hono {
  const address = "/v1/skills/:name/files/:path{.+}";
  return new Hono()
    .get("/v1/skills/:name/files", validated("param", skillParameter), async (context) => {
      const found = await context.var.catalog.skill(context.req.valid("param").name);
      if (!found.ok) return replyFailure(context, found.failure);
      const files = (found.value.own?.files ?? []).map(({ path, bytes, digest }) => ({
        path,
        bytes,
        digest,
      }));
      return replyJson(context, { name: found.value.record.skill.name, files });
    })
    .get(address, validated("param", skillParameter), async (context) => {
      const path = requestedPath(context);
      if (!path.ok) return replyFailure(context, path.failure);
      const found = await context.var.catalog.skill(context.req.valid("param").name);
      if (!found.ok) return replyFailure(context, found.failure);
      const { name } = found.value.record.skill;
      const files = found.value.own?.files ?? [];
      const file = files.find((one) => one.path === path.value);
      if (file === undefined) {
        const known = nearestFirst(
          path.value,
          files.map((one) => one.path),
        );
        return replyFailure(context, { code: "UNKNOWN_FILE", skill: name, path: path.value, known });
      }
      const bytes = await gateway.skills.content(context.var.caller.tenant, name, file.digest);
      if (!bytes.ok) return replyFailure(context, bytes.failure);
      if (bytes.value === null)
        return replyFailure(context, { code: "STORE_UNAVAILABLE", operation: "find the file" });
      return replyBytes(context, bytes.value, tagOfDigest(file.digest));
    })
    .put(address, validated("param", skillParameter), validated("query", writeQuery), async (context) => {
      const path = requestedPath(context);
      if (!path.ok) return replyFailure(context, path.failure);
      const bytes = await readBytes(context.req.raw, MAX_SKILL_FILE_BYTES, "The file");
      if (!bytes.ok) return replyFailure(context, bytes.failure);
      const authoring = await gateway.authoring();
      const { name } = context.req.valid("param");
      const request = { name, file: path.value, isDryRun: context.req.valid("query").dry_run === "1" };
      return replyWritten(context, authoring, request, authoring.fileDraft(path.value, bytes.value), gateway);
    })
    .delete(address, validated("param", skillParameter), validated("query", writeQuery), async (context) => {
      const path = requestedPath(context);
      if (!path.ok) return replyFailure(context, path.failure);
      const authoring = await gateway.authoring();
      const { name } = context.req.valid("param");
      const request = { name, file: path.value, isDryRun: context.req.valid("query").dry_run === "1" };
      return replyWritten(context, authoring, request, authoring.withoutFileDraft(path.value), gateway);
    });
}

/**
 * The path that a request names, decoded once from the address as it was sent. A slash that came encoded would be
 * another path here than to whoever stands in front of the gateway, so none is taken.
 */
function requestedPath(context: Context): Result<string> {
  const { pathname } = new URL(context.req.url);
  const [, written = ""] = /^\/v1\/skills\/[^/]+\/files\/(.*)$/.exec(pathname) ?? [];
  if (/%2f/i.test(written)) return unreadable("has an encoded slash in it");
  try {
    return filePath(decodeURIComponent(written));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return unreadable("is not percent-encoded UTF-8");
  }
}

function unreadable(said: string): Result<never> {
  return failed({ code: "INVALID_REQUEST", message: `The path ${said}.`, faults: [] });
}
