import { Hono } from "hono/tiny";
import { failed, type Result, success } from "../../errors.ts";
import { type Call, dryRun, type GivenResult, invoke, type Outcome } from "../../invoke/index.ts";
import type { JsonValue } from "../../json.ts";
import { MAX_INVOKE_BYTES, MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import { readText } from "../body.ts";
import { callOf, functionFinder } from "../calling/functions.ts";
import { describeOutcome, returnsFaultLine } from "../calling/outcome.ts";
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
      const { requestId, catalog, caller } = context.var;
      const query = context.req.valid("query");
      const format = query.format ?? null;
      const find = await functionFinder(format, catalog, gateway);
      if (!find.ok) return replyFailure(context, find.failure);
      const found = await find.value(context.req.valid("param").function);
      if (!found.ok) return replyFailure(context, found.failure);
      const { record, definition, source } = found.value;
      const called = { request_id: requestId, skill: record.skill.name, function: definition.name, source };
      const owner = { tenant: caller.tenant, function: definition.name };
      const reply = ({ data, page }: GivenResult, outcome: Omit<Outcome, "data">) => {
        const meta = { ...describeOutcome(called, outcome, page), duration_ms: gateway.now() - started };
        const headers = outcome.cached ? { Age: String(Math.floor(outcome.ageMs / 1_000)) } : {};
        return replyJson(context, { data, meta }, 200, headers);
      };
      const bound = query.max_chars === undefined ? null : Number(query.max_chars);
      if (query.result !== undefined) {
        const offset = Number(query.offset ?? 0);
        const page = await gateway.resultPages.next(owner, query.result, offset, bound);
        return page.ok ? reply(page.value, NOTHING_DONE) : replyFailure(context, page.failure);
      }
      const given = await readArguments(context.req.raw);
      if (!given.ok) return replyFailure(context, given.failure);
      const { signal } = context.req.raw;
      const from = { requestId, tenant: caller.tenant, catalog, signal, format };
      const call = callOf(found.value, given.value, from, gateway);
      const outcome = await run(call, query.dry_run === "1", gateway);
      if (!outcome.ok) return replyFailure(context, outcome.failure);
      const line = returnsFaultLine(called, outcome.value);
      if (line !== null) gateway.log(line);
      return reply(await gateway.resultPages.first(owner, outcome.value.data, bound), outcome.value);
    },
  );
}

/** What was done for a reply for which no function was called. */
const NOTHING_DONE = { attempts: 0, cached: false, ageMs: 0, pages: null, steps: null, returns: null };

async function run(call: Call, isDryRun: boolean, gateway: Gateway): Promise<Result<Outcome>> {
  if (!isDryRun) return invoke(call, gateway.invocation);
  const planned = await dryRun(call, gateway.invocation);
  if (!planned.ok) return planned;
  return success({ ...NOTHING_DONE, data: planned.value });
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
