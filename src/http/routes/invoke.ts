import { Hono } from "hono/tiny";
import { failed, type Result, retryAfterMs, success } from "../../errors.ts";
import {
  type Call,
  dryRun,
  type GivenPage,
  invoke,
  LimitReport,
  type Outcome,
  type ResultPage,
} from "../../invoke/index.ts";
import type { JsonValue } from "../../json.ts";
import { MAX_INVOKE_BYTES, MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import { readText } from "../body.ts";
import { callOf, functionFinder } from "../calling/functions.ts";
import { describeOutcome, resultText, returnsFaultLine } from "../calling/outcome.ts";
import { argumentsInWords, namesInWords } from "../calling/words.ts";
import type { Gateway } from "../gateway.ts";
import { rateLimitFields } from "../rate-limit-fields.ts";
import { replyFailure, replyResult } from "../replies.ts";
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
      if (!found.ok) return replyFailure(context, namesInWords(format, found.failure, gateway));
      const { record, definition, source } = found.value;
      const called = { request_id: requestId, skill: record.skill.name, function: definition.name, source };
      const limits = new LimitReport();
      const owner = { tenant: caller.tenant, function: definition.name };
      const reply = (
        json: string | Uint8Array,
        page: ResultPage | null,
        outcome: Omit<Outcome, "data" | "json">,
      ) => {
        const meta = { ...describeOutcome(called, outcome, page), duration_ms: gateway.now() - started };
        const ageMs = outcome.cached ? outcome.ageMs : null;
        return replyResult(context, { json, meta, ageMs }, rateLimitFields(limits.states));
      };
      const replyPage = ({ data, page }: GivenPage, outcome: Omit<Outcome, "data" | "json">) =>
        reply(JSON.stringify(data), page, outcome);
      const bound = query.max_chars === undefined ? null : Number(query.max_chars);
      if (query.result !== undefined) {
        const offset = Number(query.offset ?? 0);
        const page = await gateway.resultPages.next(owner, query.result, offset, bound);
        return page.ok ? replyPage(page.value, NOTHING_DONE) : replyFailure(context, page.failure);
      }
      const given = await readArguments(context.req.raw);
      if (!given.ok) return replyFailure(context, given.failure);
      const { signal } = context.req.raw;
      const from = { requestId, caller, limits, catalog, signal, format };
      const call = callOf(found.value, given.value, from, gateway);
      const outcome = await run(call, query.dry_run === "1", gateway);
      if (!outcome.ok) {
        const { failure } = outcome;
        const fields = rateLimitFields(limits.states, retryAfterMs(failure));
        const told = argumentsInWords(format, failure, found.value, given.value, gateway);
        return replyFailure(context, told, fields);
      }
      const line = returnsFaultLine(called, outcome.value);
      if (line !== null) gateway.log(line);
      const { value } = outcome;
      const page = bound === null ? null : await gateway.resultPages.first(owner, resultText(value), bound);
      return page === null
        ? reply(value.json ?? JSON.stringify(value.data), null, value)
        : replyPage(page, value);
    },
  );
}

/** What was done for a reply for which no function was called. */
const NOTHING_DONE = {
  attempts: 0,
  cached: false,
  stale: false,
  ageMs: 0,
  pages: null,
  steps: null,
  returns: null,
};

async function run(call: Call, isDryRun: boolean, gateway: Gateway): Promise<Result<Outcome>> {
  if (!isDryRun) return invoke(call, gateway.invocation);
  const planned = await dryRun(call, gateway.invocation);
  if (!planned.ok) return planned;
  return success({ ...NOTHING_DONE, data: planned.value, json: null });
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
