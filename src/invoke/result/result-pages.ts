import { sha256Hex } from "../../digest.ts";
import { failed, type Result, success } from "../../errors.ts";
import { HELD_RESULT_MS, MAX_HELD_CHARACTERS, MAX_HELD_RESULTS } from "../../limits.ts";
import { countCharacters, pageOf, type TextPage } from "../../text-page.ts";
import { ExpiringMap } from "../memory/expiring-map.ts";

/** Where a page stands in its result, which is cut up as JSON text. */
export interface ResultPage extends Omit<TextPage, "text"> {
  /** Names the result, so that other pages of the very same one can be asked for. */
  result: string;
}

/** What is given of a result that is larger than what was asked for: a page of its JSON text. */
export interface GivenPage {
  data: string;
  page: ResultPage;
}

/** Whose result it is; nobody else's pages can be asked for. */
export interface ResultOwner {
  tenant: string;
  function: string;
}

/** Where results are held for all isolates while their pages are read; it may forget any of them at any time. */
export interface HeldResults {
  get(owner: ResultOwner, result: string): Promise<Result<string | null>>;
  put(owner: ResultOwner, result: string, text: string): void;
}

/**
 * Gives results that are larger than what was asked for page by page. An isolate holds them in its memory, and for the
 * others in a store, where there is one.
 */
export class ResultPages {
  readonly #own: ExpiringMap<string>;
  readonly #shared: HeldResults | null;

  constructor(now: () => number, shared: HeldResults | null) {
    this.#own = new ExpiringMap(now, MAX_HELD_RESULTS, MAX_HELD_CHARACTERS);
    this.#shared = shared;
  }

  /** The first page of a result's JSON text; null where all of it has at most so many characters. */
  async first(owner: ResultOwner, text: string, maxCharacters: number): Promise<GivenPage | null> {
    if (text.length <= maxCharacters || countCharacters(text) <= maxCharacters) return null;
    const page = pageOf(text, 0, maxCharacters);
    if (page === null) return null;
    // Named by its content, so that a name can stand for no other result.
    const result = await sha256Hex(text);
    this.#own.set(keyOf(owner, result), text, HELD_RESULT_MS, text.length);
    this.#shared?.put(owner, result, text);
    return given(page, result);
  }

  /** Another page of a result. Fails with RESULT_GONE, with INVALID_REQUEST where it does not reach so far, and with STORE_UNAVAILABLE. */
  async next(
    owner: ResultOwner,
    result: string,
    offset: number,
    maxCharacters: number | null,
  ): Promise<Result<GivenPage>> {
    const held = await this.#text(owner, result);
    if (!held.ok) return held;
    const text = held.value;
    if (text === null) return failed({ code: "RESULT_GONE", function: owner.function });
    const page = pageOf(text, offset, maxCharacters);
    if (page !== null) return success(given(page, result));
    const total = countCharacters(text);
    return failed({
      code: "INVALID_REQUEST",
      message: `The offset ${offset} is beyond the result, which has ${total} characters.`,
      faults: [{ path: "/offset", rule: "maximum", expected: `at most ${total - 1}`, got: `${offset}` }],
    });
  }

  async #text(owner: ResultOwner, result: string): Promise<Result<string | null>> {
    const own = this.#own.get(keyOf(owner, result));
    if (own !== undefined || this.#shared === null) return success(own ?? null);
    return this.#shared.get(owner, result);
  }
}

function given({ text, ...place }: TextPage, result: string): GivenPage {
  return { data: text, page: { ...place, result } };
}

function keyOf({ tenant, function: name }: ResultOwner, result: string): string {
  return JSON.stringify([tenant, name, result]);
}
