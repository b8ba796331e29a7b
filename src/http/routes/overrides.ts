import type { MiddlewareHandler } from "hono";
import { Hono } from "hono/tiny";
import type { Catalog } from "../../catalog/index.ts";
import { makeRecord } from "../../catalog/index.ts";
import type { Diagnostic } from "../../compile/index.ts";
import { type Failure, failed, type Result, success } from "../../errors.ts";
import type { Skill } from "../../ir.ts";
import type { JsonValue } from "../../json.ts";
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
        const bytes = await readBytes(context.req.raw, MAX_SKILL_BYTES, "The skill");
        if (!bytes.ok) return replyFailure(context, bytes.failure);
        const compiled = await compileUpload(name, bytes.value, catalog, gateway);
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

/** What an upload is called in its diagnostics; it has no path of its own. */
const FILE = "SKILL.md";

interface CompiledUpload {
  source: string;
  skill: Skill;
  warnings: JsonValue[];
}

/**
 * Compiles an upload and checks what the document alone cannot tell: its name, its functions, its secrets.
 */
async function compileUpload(
  name: string,
  bytes: Uint8Array,
  catalog: Catalog,
  gateway: Gateway,
): Promise<Result<CompiledUpload>> {
  const refuse = (faults: readonly Diagnostic[]) =>
    failed({ code: "INVALID_SKILL", skill: name, diagnostics: faults.map(wireDiagnostic) });
  const { compileSkill, decodeDocument, linkUpload, wholeDocument } = await gateway.compiler();
  const source = decodeDocument(bytes, FILE);
  if (typeof source !== "string") return refuse([source]);
  const { skill, places, diagnostics } = compileSkill(source, {
    file: FILE,
    folder: name,
    mayNameBaseUrlVariable: gateway.mayNameBaseUrlVariable,
  });
  if (skill === null || places === null) return refuse(diagnostics.filter(isError));
  if (skill.name !== name) {
    const message = `the document names the skill ${skill.name}, the address names it ${name}`;
    return refuse([wholeDocument("name-mismatch", FILE, message)]);
  }
  const refusal = gateway.uploadRefusal(skill);
  if (refusal !== null) return refuse([wholeDocument("secret-not-bound", FILE, refusal)]);
  const listed = await catalog.list();
  if (!listed.ok) return listed;
  const owners = new Map(
    listed.value
      .filter((entry) => entry.name !== name)
      .flatMap((entry) => entry.functions.map((definition) => [definition.name, entry.name] as const)),
  );
  const linked = linkUpload({ file: FILE, skill, places }, owners);
  if (linked.some(isError)) return refuse(linked.filter(isError));
  return success({ source, skill, warnings: [...diagnostics, ...linked].map(wireDiagnostic) });
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function wireDiagnostic({ code, severity, line, column, message, fix }: Diagnostic): JsonValue {
  return { code, severity, line, column, message, fix };
}
