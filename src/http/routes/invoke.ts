import { Hono } from "hono/tiny";
import type { Catalog, FoundFunction } from "../../catalog/index.ts";
import { failed, type Result, success } from "../../errors.ts";
import {
  type Call,
  type Callable,
  dryRun,
  type GivenResult,
  invoke,
  type Outcome,
} from "../../invoke/index.ts";
import type { FunctionDefinition } from "../../ir.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import { MAX_INVOKE_BYTES, MAX_NESTING } from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import type { DialectName } from "../../vocabulary.ts";
import { readText } from "../body.ts";
import type { Gateway } from "../gateway.ts";
import { describeOutcome, returnsFaultLine } from "../invocation.ts";
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
      const found = await findFunction(context.req.valid("param").function, query.format, catalog, gateway);
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
      const call: Call = {
        ...callable(found.value),
        id: requestId,
        arguments: restored(given.value, definition, query.format, gateway),
        tenant: caller.tenant,
        find: (name) => findCallable(name, catalog),
        signal: context.req.raw.signal,
      };
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

/** How a step of a chain finds a function: by its own name, in the caller's catalog. */
async function findCallable(name: string, catalog: Catalog): Promise<Result<Callable>> {
  const found = await catalog.function(name);
  return found.ok ? success(callable(found.value)) : found;
}

function callable({ record, definition }: FoundFunction): Callable {
  return { skill: record.skill, digest: record.digest, definition };
}

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
