import { Hono } from "hono/tiny";
import { callCodecs, type Misfit, type ModelCall, readMessage } from "../../dialect/calls/index.ts";
import { type ArgumentFault, failed, type Result, success } from "../../errors.ts";
import { LimitReport } from "../../invoke/index.ts";
import { isJsonObject, type JsonValue } from "../../json.ts";
import {
  DEFAULT_CALL_RESULT_CHARACTERS,
  MAX_CALLS_BYTES,
  MAX_CHAIN_CALLS,
  MAX_LISTED_FAULTS,
  MAX_MESSAGE_CALLS,
  MAX_NESTING,
} from "../../limits.ts";
import { parseJson } from "../../parse-json.ts";
import { quoteValue } from "../../schema/index.ts";
import { type CallFormatName, callFormatNames, dialectNames } from "../../vocabulary.ts";
import { readText } from "../body.ts";
import { type AnsweredCall, answerCalls } from "../calling/answer.ts";
import { adviceFor, faultOf } from "../calling/misfit.ts";
import type { Gateway } from "../gateway.ts";
import { rateLimitFields } from "../rate-limit-fields.ts";
import { replyFailure, replyJson } from "../replies.ts";
import { callsQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `POST /v1/calls`: a model's own calls in, the messages that answer them out. */
export function callRoutes(gateway: Gateway): Hono {
  return new Hono().post("/v1/calls", validated("query", callsQuery), async (context) => {
    const query = context.req.valid("query");
    const text = await readText(context.req.raw, MAX_CALLS_BYTES, "The body");
    if (!text.ok) return replyFailure(context, text.failure);
    const received =
      query.format === undefined ? readEnvelope(text.value) : readBare(text.value, query.format);
    if (!received.ok) return replyFailure(context, received.failure);
    const { format, message } = received.value;
    const calls = readCalls(format, message);
    if (!calls.ok) return replyFailure(context, calls.failure);
    const { requestId, caller, catalog } = context.var;
    const limits = new LimitReport();
    const from = {
      requestId,
      caller,
      limits,
      catalog,
      signal: context.req.raw.signal,
      format: dialectNames.find((name) => name === format) ?? null,
    };
    const maxCharacters = Number(query.max_chars ?? DEFAULT_CALL_RESULT_CHARACTERS);
    const answered = await answerCalls(calls.value, maxCharacters, from, gateway);
    if (!answered.ok) return replyFailure(context, answered.failure);
    const messages = callCodecs[format].writeResults(answered.value);
    const reply = { format, messages, calls: answered.value.map(lineOf) };
    return replyJson(context, reply, 200, rateLimitFields(limits.states));
  });
}

/** A message and the format that it is in. */
interface ReceivedMessage {
  format: CallFormatName;
  message: JsonValue;
}

/** A body that is the message itself. One that is no JSON may be what a model without tools wrote. */
function readBare(text: string, format: CallFormatName): Result<ReceivedMessage> {
  if (callCodecs[format].reads === "text") return success({ format, message: text });
  const json = readJson(text);
  if (json.ok) return success({ format, message: json.value });
  const asText = readMessage(format, text);
  return asText.ok || asText.misfit === null ? json : refusedMisfit(asText.misfit, format, text);
}

/** A body that says its format itself. */
function readEnvelope(text: string): Result<ReceivedMessage> {
  const json = readJson(text);
  if (!json.ok) return json;
  const { format: named, message } = isJsonObject(json.value) ? json.value : {};
  const format = callFormatNames.find((name) => name === named);
  if (format !== undefined && message !== undefined) return success({ format, message });
  const names = callFormatNames.join(", ");
  const said = format === undefined ? "does not say which format it is in" : "has no message";
  const example = '{"format": "openai", "message": {"role": "assistant", "tool_calls": [ … ]}}';
  const fault =
    format === undefined
      ? { path: "/format", rule: "enum", expected: `one of ${names}`, got: quoted(named) }
      : { path: "/message", rule: "required", expected: "the assistant's message", got: quoted(message) };
  return refused(
    `The body ${said}. Give the format in the query and send the message alone, or send ${example}.`,
    [fault],
  );
}

function readJson(text: string): Result<JsonValue> {
  if (text.trim() === "") return refused("The body is empty; it is to be the assistant's message.", []);
  const json = parseJson(text, MAX_NESTING);
  return json.ok ? success(json.value) : refused(`The body ${json.fault}.`, []);
}

function readCalls(format: CallFormatName, message: JsonValue): Result<ModelCall[]> {
  const read = readMessage(format, message);
  if (read.ok) return bounded(read.calls);
  if (read.misfit !== null) return refusedMisfit(read.misfit, format, message);
  const listed = read.faults.slice(0, MAX_LISTED_FAULTS);
  const said = listed.map(({ path, expected }) => `${path === "" ? "it" : path} is to be ${expected}`);
  return refused(`This is no assistant's message of the format ${format}: ${said.join("; ")}.`, listed);
}

function refusedMisfit(misfit: Misfit, format: CallFormatName, message: JsonValue): Result<never> {
  const sentence = `This is no assistant's message of the format ${format}. ${adviceFor(misfit)}`;
  return refused(sentence, [faultOf(misfit, format, message)]);
}

/** A message of more calls is refused as a whole: each would want an answer, however short. */
function bounded(calls: ModelCall[]): Result<ModelCall[]> {
  if (calls.length <= MAX_MESSAGE_CALLS) return success(calls);
  const most = `at most ${MAX_MESSAGE_CALLS} are answered, and ${MAX_CHAIN_CALLS} of them made`;
  return refused(`The message has ${calls.length} calls; ${most}.`, []);
}

function refused(message: string, faults: ArgumentFault[]): Result<never> {
  return failed({ code: "INVALID_REQUEST", message, faults });
}

function quoted(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : quoteValue(value);
}

function lineOf({ call: { id, name }, failure, meta }: AnsweredCall) {
  return { id, name, error_code: failure, meta };
}
