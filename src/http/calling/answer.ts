/** Runs the calls of a model's message side by side and puts each result into words for the model. */
import type { FoundFunction } from "../../catalog/index.ts";
import type { CallResult, ModelCall, Writable } from "../../dialect/calls/index.ts";
import { type Failure, type FailureCode, failed, type Result, success, toWire } from "../../errors.ts";
import {
  admitTogether,
  type GivenPage,
  invokeTogether,
  type Outcome,
  type ResultPage,
  type Share,
  startShare,
} from "../../invoke/index.ts";
import type { JsonValue } from "../../json.ts";
import { MAX_CALLED_NAME_CHARACTERS, MAX_CALLS_RESULT_CHARACTERS, MAX_OFFERED_NAMES } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import type { Gateway } from "../gateway.ts";
import { type Calling, callOf, type FindFunction, functionFinder, skillFinder } from "./functions.ts";
import { describeOutcome, describePage, describePages, resultText, returnsFaultLine } from "./outcome.ts";
import { argumentsInWords, namesInWords } from "./words.ts";

/** What came of one call, for the model and for whoever sent the message. */
export interface AnsweredCall extends CallResult {
  failure: FailureCode | null;
  /** What goes with a result, as a single call has it; null for a failure. */
  meta: Writable | null;
}

/**
 * Answers calls in their order. They run side by side, and share the time and the requests that one call may take; a
 * call that fails is answered by its failure. Fails itself only where the catalog cannot be read.
 * @param maxCharacters what a model is given of one result; of all of them, `MAX_CALLS_RESULT_CHARACTERS` in equal parts
 */
export async function answerCalls(
  calls: readonly ModelCall[],
  maxCharacters: number,
  calling: Calling,
  gateway: Gateway,
): Promise<Result<AnsweredCall[]>> {
  const { format, catalog } = calling;
  const find =
    format === null ? success(skillFinder(catalog)) : await functionFinder(format, catalog, gateway);
  if (!find.ok) return find;
  const share = startShare(gateway.now());
  const ready = await Promise.all(
    calls.map(async (call) => ({ call, found: await readied(call, find.value, share) })),
  );
  const part = Math.floor(MAX_CALLS_RESULT_CHARACTERS / Math.max(calls.length, 1));
  const answering = new Answering(share, Math.min(maxCharacters, part), calling, gateway);
  return success(await Promise.all(ready.map(({ call, found }) => answering.answer(call, found))));
}

/** A call whose function was found and whose arguments could be read. */
interface ReadyCall {
  found: FoundFunction;
  given: JsonValue;
}

/** Arguments that cannot be read come first: of text that only means to be a call, the name is not known. */
async function readied(call: ModelCall, find: FindFunction, share: Share): Promise<Result<ReadyCall>> {
  // A name may be as long as the message, and would be compared with each of a catalog's.
  const name = shorten(call.name, MAX_CALLED_NAME_CHARACTERS);
  const admitted = admitTogether(name, share);
  if (!admitted.ok) return admitted;
  if (!call.arguments.ok) {
    const faults = [call.arguments.fault];
    return failed({ code: "INVALID_ARGUMENTS", function: name, faults, unlisted: 0 });
  }
  const found = await find(name);
  return found.ok ? success({ found: found.value, given: call.arguments.value }) : found;
}

class Answering {
  readonly #share: Share;
  readonly #maxCharacters: number;
  readonly #calling: Calling;
  readonly #gateway: Gateway;

  constructor(share: Share, maxCharacters: number, calling: Calling, gateway: Gateway) {
    this.#share = share;
    this.#maxCharacters = maxCharacters;
    this.#calling = calling;
    this.#gateway = gateway;
  }

  async answer(call: ModelCall, ready: Result<ReadyCall>): Promise<AnsweredCall> {
    if (!ready.ok) return this.#failed(call, ready.failure);
    const started = this.#gateway.now();
    const { found, given } = ready.value;
    const made = callOf(found, given, this.#calling, this.#gateway);
    const outcome = await invokeTogether(made, this.#share, this.#gateway.invocation);
    return outcome.ok
      ? this.#succeeded(call, found, outcome.value, started)
      : this.#failed(
          call,
          argumentsInWords(this.#calling.format, outcome.failure, found, given, this.#gateway),
        );
  }

  async #succeeded(
    call: ModelCall,
    { record, definition, source }: FoundFunction,
    outcome: Outcome,
    started: number,
  ): Promise<AnsweredCall> {
    const { requestId: request_id, caller } = this.#calling;
    const called = { request_id, skill: record.skill.name, function: definition.name, source };
    const line = returnsFaultLine(called, outcome);
    if (line !== null) this.#gateway.log(line);
    const owner = { tenant: caller.tenant, function: definition.name };
    const text = resultText(outcome);
    const given = await this.#gateway.resultPages.first(owner, text, this.#maxCharacters);
    const described = describeOutcome(called, outcome, given?.page ?? null);
    const meta = { ...described, duration_ms: this.#gateway.now() - started };
    return { call, content: contentOf(given, outcome), isFailure: false, failure: null, meta };
  }

  #failed(call: ModelCall, failure: Failure): AnsweredCall {
    const told = namesInWords(this.#calling.format, nearestIn(failure), this.#gateway);
    const content = { ...toWire(told, this.#calling.requestId) };
    return { call, content, isFailure: true, failure: failure.code, meta: null };
  }
}

/** What a model reads of a result: nothing but the data, unless some of it is missing or old, which it must know. */
function contentOf(given: GivenPage | null, { data, stale, ageMs, pages }: Outcome): Writable {
  return {
    ...(given === null
      ? { data }
      : { data: given.data, page: describePage(given.page), hint: pageHint(given.page) }),
    ...(stale ? { stale, age_ms: ageMs } : {}),
    ...(pages === null || pages.complete ? {} : { pages: describePages(pages) }),
  };
}

function pageHint({ nextOffset, totalCharacters }: ResultPage): string {
  const size = `the first ${nextOffset} of the ${totalCharacters} characters of the result's JSON text`;
  return `This is ${size}. Where that is not enough, call again and ask for less.`;
}

/** A model needs no more than a few of the names that there are. */
function nearestIn(failure: Failure): Failure {
  if (failure.code !== "UNKNOWN_FUNCTION") return failure;
  return { ...failure, known: failure.known.slice(0, MAX_OFFERED_NAMES) };
}
