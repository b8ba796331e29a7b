import { Hono } from "hono/tiny";
import type { Catalog, FoundFunction } from "../../catalog/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import { type Call, dryRun, invoke } from "../../invoke/index.ts";
import type { FunctionDefinition } from "../../ir.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import { MAX_INVOKE_BYTES, MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import type { DialectName } from "../../vocabulary.ts";
import { readText } from "../body.ts";
import type { Gateway } from "../gateway.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { functionParameter, invokeQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `POST /v1/invoke/:function`. */
export function invokeRoutes(gateway: Gateway): Hono {
  return new Hono().post(
    "/v1/invoke/:function",
    validated("param", functionParameter),
    validated("query", invokeQuery),
    async (context) => {
      const started = gateway.now();
      const { requestId, catalog } = context.var;
      const { format, dry_run } = context.req.valid("query");
      const found = await findFunction(context.req.valid("param").function, format, catalog, gateway);
      if (!found.ok) return replyFailure(context, found.failure);
      const given = await readArguments(context.req.raw);
      if (!given.ok) return replyFailure(context, given.failure);
      const { record, definition, source } = found.value;
      const { signal } = context.req.raw;
      const args = restored(given.value, definition, format, gateway);
      const call: Call = { id: requestId, skill: record.skill, definition, arguments: args, signal };
      const outcome = await run(call, dry_run === "1", gateway);
      if (!outcome.ok) return replyFailure(context, outcome.failure);
      const { data, attempts } = outcome.value;
      const meta = {
        request_id: requestId,
        skill: record.skill.name,
        function: definition.name,
        source,
        attempts,
        duration_ms: gateway.now() - started,
      };
      return replyJson(context, { data, meta });
    },
  );
}

/** A function by its own name or, where a format is given, by the name that its tool has there. */
async function findFunction(
  name: string,
  format: DialectName | undefined,
  catalog: Catalog,
  gateway: Gateway,
): Promise<Result<FoundFunction>> {
  if (format === undefined) return catalog.function(name);
  const listed = await catalog.list();
  if (!listed.ok) return listed;
  const known = new Set(listed.value.flatMap(({ functions }) => functions.map((other) => other.name)));
  return catalog.function(gateway.functionName(format, name, known) ?? name);
}

/** Arguments as the function declares them; what is no object stays, to be refused. */
function restored(
  given: JsonValue,
  definition: FunctionDefinition,
  format: DialectName | undefined,
  gateway: Gateway,
): JsonValue {
  if (format === undefined || !isJsonObject(given)) return given;
  return gateway.restoreArguments(format, definition, given);
}

async function run(
  call: Call,
  isDryRun: boolean,
  gateway: Gateway,
): Promise<Result<{ data: JsonValue; attempts: number }>> {
  if (!isDryRun) return invoke(call, gateway.invocation);
  const planned = dryRun(call, gateway.invocation);
  return planned.ok ? success({ data: planned.value, attempts: 0 }) : planned;
}

/** The body is the arguments; an empty one is no arguments. A number that would be rounded comes as text. */
async function readArguments(request: Request): Promise<Result<JsonValue>> {
  const text = await readText(request, MAX_INVOKE_BYTES, "The body");
  if (!text.ok) return text;
  if (text.value.trim() === "") return success({});
  const json = parseJson(text.value, MAX_NESTING);
  if (json.ok) return success(json.value);
  return failed({ code: "INVALID_REQUEST", message: `The body ${json.fault}.`, faults: [] });
}
