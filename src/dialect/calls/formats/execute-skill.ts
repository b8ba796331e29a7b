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
import { misplacedArguments, strangeMessage } from "../items.ts";
import { type FoundObjects, objectsIn } from "../json-objects.ts";
import { OpenBraces } from "../open-braces.ts";

const ACTION = "execute_skill";

/** How a call is to be written, as a message to a model has it. */
const FORM = `{"action":"${ACTION}","skill_id":"NAME","parameters":{}}`;

/** What means to be a call, however it is written: quotes of any kind or none, and colons of Chinese too. */
const ATTEMPT = new RegExp(`action["'“”‘’\`]?\\s*[:：=]\\s*["'“”‘’\`]?${ACTION}`, "giu");

/** The other member that a call has, so that the action alone is a mention of it. */
const NAMED = /skill_id["'“”‘’`]?\s*[:：=]/iu;

/** How far from the action the name is looked for, in UTF-16 units. */
const NEARBY = 300;

interface Placed {
  start: number;
  call: ModelCall;
}

function readCalls(text: JsonValue): ReadCalls {
  if (typeof text !== "string") return strangeMessage(text, "the text that the model wrote");
  if (!text.includes(ACTION)) return { ok: true, calls: [] };
  const objects = objectsIn(text, { key: '"action"', value: JSON.stringify(ACTION) }, MAX_NESTING);
  const calls = objects.having.flatMap(({ start, end }) => {
    const call = callIn(text.slice(start, end));
    return call === null ? [] : [{ start, call }];
  });
  const all = [...calls, ...attemptsIn(text, objects)].sort((left, right) => left.start - right.start);
  return { ok: true, calls: all.map(({ call }) => call) };
}

function callIn(json: string): ModelCall | null {
  const parsed = parseJson(json, MAX_NESTING);
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { skill_id: name, parameters } = parsed.value;
  if (typeof name !== "string") {
    const got = name === undefined ? "nothing" : quoteValue(name);
    return malformed({ path: "/skill_id", rule: "type", expected: "the name of a function, as text", got });
  }
  const [misplaced] = misplacedArguments(parsed.value, "", "parameters");
  return misplaced === undefined
    ? { id: null, name, arguments: readArguments(parameters) }
    : malformed(misplaced, name);
}

/**
 * What means to be a call and is none that can be read, once for each object that is not JSON. All go through the text
 * in its order, so none is searched for another.
 */
function attemptsIn(text: string, objects: FoundObjects): Placed[] {
  const attempts = new Map<number, Placed>();
  const braces = new OpenBraces(text, objects);
  let nextCall = 0;
  for (const { index, 0: match } of text.matchAll(ATTEMPT)) {
    while ((objects.having[nextCall]?.end ?? text.length) <= index) nextCall += 1;
    if ((objects.having[nextCall]?.start ?? text.length) < index) continue;
    const around = braces.around(index);
    if (around === null && !isNamed(text, index)) continue;
    const start = around?.start ?? index;
    const fault = around === null ? bareFault(match) : syntaxFault(text, around.fault);
    attempts.set(start, { start, call: malformed(fault) });
  }
  return [...attempts.values()];
}

/** Whether what stands around an action in no object names a function too. */
function isNamed(text: string, index: number): boolean {
  return NAMED.test(text.slice(Math.max(0, index - NEARBY), index + NEARBY));
}

function bareFault(got: string): ArgumentFault {
  return { path: "", rule: "json", expected: "one JSON object", got: JSON.stringify(got) };
}

/** A call that has to be made again: the fault says how, since often all that is known of it is that it was one. */
function malformed({ expected, ...fault }: ArgumentFault, name = ACTION): ModelCall {
  const how = `${expected}. Write the whole call again as ${FORM}, without comments, with double quotes`;
  return { id: null, name, arguments: { ok: false, fault: { ...fault, expected: how } } };
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

/** The signs of a text that is JSON as a whole: that may be one call and nothing else. */
const signs: Signs = { isCall, isItem: isCall, isMessage: isCall, list: null, inResponse: null };

export const executeSkill: CallCodec = { reads: "text", signs, readCalls, writeResults };
