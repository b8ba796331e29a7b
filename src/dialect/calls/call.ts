/** Calls as models make them, and their results as models read them: what all formats have in common. */
import type { ArgumentFault } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { ReadArguments } from "./arguments.ts";

/** One call that a model made, in words of its tools: names may still be those that a provider was given. */
export interface ModelCall {
  /** What the provider calls the call; null where its calls have no ids. */
  id: string | null;
  name: string;
  arguments: ReadArguments;
}

/** An object that is to become JSON. */
export type Writable = Readonly<Record<string, unknown>>;

/** What came of a call. `content` is what the model is to read: a result, or a failure in the one form. */
export interface CallResult {
  call: ModelCall;
  content: Writable;
  isFailure: boolean;
}

/** The calls of a message in their order, or why it is no message of that format. */
export type ReadCalls = { ok: true; calls: ModelCall[] } | { ok: false; faults: ArgumentFault[] };

/** By what a message is known to be of a format, whichever it was sent as. What two formats share is a sign of neither. */
export interface Signs {
  /** Whether an item can only be a call of this format. */
  isCall(item: JsonValue): boolean;
  /** Whether an item, a call or not, can only be of this format. */
  isItem(item: JsonValue): boolean;
  /** Whether an object may be a whole message of this format. */
  isMessage(message: JsonObject): boolean;
  /** The member of a message that has its calls; null where that is no list. */
  list: string | null;
  /** Where a whole response of the provider has the message; null where it is one itself, or has none. */
  inResponse: readonly (string | number)[] | null;
}

/** How a provider writes calls and reads results. */
export interface CallCodec {
  /** Whether the message is JSON, or the very text that a model wrote. */
  reads: "json" | "text";
  signs: Signs;
  /** Reads an assistant's message, or the list of its calls alone. Members that nobody knows are passed over. */
  readCalls(message: JsonValue): ReadCalls;
  /** Messages that answer the calls, ready to be appended to the conversation; none where there were no calls. */
  writeResults(results: readonly CallResult[]): Writable[];
}
