import { Hono } from "hono";
import { failed, type Result, success } from "../../errors.ts";
import { type Call, dryRun, invoke, parseJson } from "../../invoke/index.ts";
import type { JsonValue } from "../../json.ts";
import { MAX_INVOKE_BYTES, MAX_NESTING } from "../../limits.ts";
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
      const found = await catalog.function(context.req.valid("param").function);
      if (!found.ok) return replyFailure(context, found.failure);
      const given = await readArguments(context.req.raw);
      if (!given.ok) return replyFailure(context, given.failure);
      const { record, definition, source } = found.value;
      const { signal } = context.req.raw;
      const call: Call = { id: requestId, skill: record.skill, definition, arguments: given.value, signal };
      const outcome = await run(call, context.req.valid("query").dry_run === "1", gateway);
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
