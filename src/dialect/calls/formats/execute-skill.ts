/**
 * Calls in plain text, for models without tools: `{"action": "execute_skill", "skill_id": …, "parameters": …}`,
 * wherever in the text it stands, in code fences or in prose.
 */
import type { ArgumentFault } from "../../../errors.ts";
import { isJsonObject, type JsonValue } from "../../../json.ts";
import { MAX_NESTING } from "../../../limits.ts";
import { parseJson } from "../../../parse-json.ts";
import { quoteValue } from "../../../schema/index.ts";
import { readArguments, syntaxFault } from "../arguments.ts";
import type { CallCodec, CallResult, ModelCall, ReadCalls, Signs, Writable } from "../call.ts";
import { strangeMessage } from "../items.ts";
import { type JsonScan, scanJson } from "../json-syntax.ts";

const ACTION = "execute_skill";

/** How a call is to be written, as a message to a model has it. */
const FORM = `{"action":"${ACTION}","skill_id":"NAME","parameters":{}}`;

/** What means to be a call, however it is written: quotes of any kind or none, and colons of Chinese too. */
const ATTEMPT = new RegExp(`action["'“”‘’\`]?\\s*[:：=]\\s*["'“”‘’\`]?${ACTION}`, "giu");

/** A stretch of the text, from an opening brace on. */
interface Stretch {
  start: number;
  scan: JsonScan;
}

interface Placed {
  start: number;
  end: number;
  call: ModelCall;
}

function readCalls(text: JsonValue): ReadCalls {
  if (typeof text !== "string") return strangeMessage(text, "the text that the model wrote");
  if (!text.includes(ACTION)) return { ok: true, calls: [] };
  const { calls, broken } = objectsIn(text);
  const all = [...calls, ...attemptsIn(text, calls, broken)].sort((left, right) => left.start - right.start);
  return { ok: true, calls: all.map(({ call }) => call) };
}

/** The calls that can be read, and where an object begins that is not JSON. Objects that are no calls may hold some. */
function objectsIn(text: string): { calls: Placed[]; broken: Stretch[] } {
  const calls: Placed[] = [];
  const broken: Stretch[] = [];
  for (let start = text.indexOf("{"); start !== -1; ) {
    const scan = scanJson(text, start, MAX_NESTING);
    const call = scan.ok ? callIn(text.slice(start, scan.end)) : null;
    if (!scan.ok) broken.push({ start, scan });
    else if (call !== null) calls.push({ start, end: scan.end, call });
    start = text.indexOf("{", scan.ok && call !== null ? scan.end : start + 1);
  }
  return { calls, broken };
}

function callIn(json: string): ModelCall | null {
  if (!json.includes(ACTION)) return null;
  const parsed = parseJson(json, MAX_NESTING);
  if (!parsed.ok || !isJsonObject(parsed.value) || parsed.value.action !== ACTION) return null;
  const { skill_id: name, parameters } = parsed.value;
  if (typeof name === "string") return { id: null, name, arguments: readArguments(parameters) };
  const got = name === undefined ? "nothing" : quoteValue(name);
  return malformed({ path: "/skill_id", rule: "type", expected: "the name of a function, as text", got });
}

/**
 * What means to be a call and is none that can be read, once for each object that is not JSON. All three go through
 * the text in its order, so none is searched for another.
 */
function attemptsIn(text: string, calls: readonly Placed[], broken: readonly Stretch[]): Placed[] {
  const attempts = new Map<number, Placed>();
  let around: Stretch | undefined;
  let nextBroken = 0;
  let nextCall = 0;
  for (const { index, 0: match } of text.matchAll(ATTEMPT)) {
    while ((calls[nextCall]?.end ?? text.length) <= index) nextCall += 1;
    while ((broken[nextBroken]?.start ?? text.length) < index) around = broken[nextBroken++];
    if ((calls[nextCall]?.start ?? text.length) < index) continue;
    const start = around?.start ?? index;
    const fault = around === undefined ? bareFault(match) : syntaxFault(text, around.scan);
    attempts.set(start, { start, end: index + match.length, call: malformed(fault) });
  }
  return [...attempts.values()];
}

function bareFault(got: string): ArgumentFault {
  return { path: "", rule: "json", expected: "one JSON object", got: JSON.stringify(got) };
}

/** A call that has to be made again: the fault says how, since all that is known of it is that it was one. */
function malformed({ expected, ...fault }: ArgumentFault): ModelCall {
  const how = `${expected}. Write the whole call again as ${FORM}, without comments, with double quotes`;
  return { id: null, name: ACTION, arguments: { ok: false, fault: { ...fault, expected: how } } };
}

function result({ call, content }: CallResult): Writable {
  return { skill_id: call.name, ...content };
}

/** The results in one message of the user, as a text, which any model's conversation can hold. */
function writeResults(results: readonly CallResult[]): Writable[] {
  if (results.length === 0) return [];
  return [{ role: "user", content: JSON.stringify({ results: results.map(result) }) }];
}

function isCall(item: JsonValue): boolean {
  return isJsonObject(item) && item.action === ACTION;
}

/** The signs of a call that was taken out of its text. */
const signs: Signs = { isCall, isItem: isCall, isMessage: () => false, list: null, inResponse: null };

export const executeSkill: CallCodec = { reads: "text", signs, readCalls, writeResults };
