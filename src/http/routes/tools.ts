import { Hono } from "hono/tiny";
import {
  type Catalog,
  callableFunctions,
  categoryOf,
  type ListedRecord,
  prepareBody,
  toolsBody,
} from "../../catalog/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import { nearestFirst } from "../../nearest.ts";
import type { DialectName } from "../../vocabulary.ts";
import type { Gateway } from "../gateway.ts";
import { replyFailure, replyTagged } from "../replies.ts";
import { toolsQuery } from "../requests.ts";
import { validated } from "../validation.ts";

interface Selection {
  skills: ReadonlySet<string> | null;
  functions: ReadonlySet<string> | null;
  category: string | null;
}

/** `GET /v1/tools`: for callers with bundled skills only, and no selection, the bytes made at build time. */
export function toolRoutes(gateway: Gateway): Hono {
  return new Hono().get("/v1/tools", validated("query", toolsQuery), async (context) => {
    const { format, skills, functions, category } = context.req.valid("query");
    const selection = { skills: nameSet(skills), functions: nameSet(functions), category: category ?? null };
    const { catalog } = context.var;
    const bundledOnly = await catalog.isBundledOnly();
    if (!bundledOnly.ok) return replyFailure(context, bundledOnly.failure);
    const selectsAll =
      selection.skills === null && selection.functions === null && selection.category === null;
    if (bundledOnly.value && selectsAll) {
      const { body, etag } = gateway.bundled.bundle.tools[format];
      return replyTagged(context, body, etag);
    }
    const tools = await selectTools(catalog, format, selection);
    if (!tools.ok) return replyFailure(context, tools.failure);
    const hash = await catalog.hash();
    if (!hash.ok) return replyFailure(context, hash.failure);
    const wrapped = gateway.wrapTools(format, tools.value);
    const { body, etag } = await prepareBody(toolsBody(format, hash.value, wrapped));
    return replyTagged(context, body, etag);
  });
}

function nameSet(list: string | undefined): ReadonlySet<string> | null {
  if (list === undefined) return null;
  return new Set(
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

/** The encodings of the selected functions; names that nobody has are a failure, not an empty list. */
async function selectTools(
  catalog: Catalog,
  format: DialectName,
  selection: Selection,
): Promise<Result<string[]>> {
  const records = await catalog.records();
  if (!records.ok) return records;
  const unknown = findUnknown(records.value, selection);
  if (unknown !== null) return unknown;
  return success(
    records.value
      .filter(({ record }) => selection.skills?.has(record.skill.name) ?? true)
      .filter(({ record }) => selection.category === null || categoryOf(record.skill) === selection.category)
      .flatMap((found) => encodingsOf(found, format, selection.functions)),
  );
}

function encodingsOf(
  { record, functions }: ListedRecord,
  format: DialectName,
  wanted: ReadonlySet<string> | null,
): string[] {
  const names = callableFunctions(record.skill).map(({ name }) => name);
  return record.tools[format].flatMap(({ json }, index) => {
    const name = names[index] ?? "";
    return functions.has(name) && (wanted?.has(name) ?? true) ? [json] : [];
  });
}

function findUnknown(
  records: readonly ListedRecord[],
  { skills, functions }: Selection,
): Result<never> | null {
  const skillNames = records.map(({ record }) => record.skill.name);
  const strangeSkill = [...(skills ?? [])].find((name) => !skillNames.includes(name));
  if (strangeSkill !== undefined) {
    return failed({
      code: "UNKNOWN_SKILL",
      skill: strangeSkill,
      known: nearestFirst(strangeSkill, skillNames),
    });
  }
  const functionNames = records.flatMap(({ functions: own }) => [...own]);
  const strangeFunction = [...(functions ?? [])].find((name) => !functionNames.includes(name));
  if (strangeFunction === undefined) return null;
  return failed({
    code: "UNKNOWN_FUNCTION",
    function: strangeFunction,
    known: nearestFirst(strangeFunction, functionNames),
  });
}
