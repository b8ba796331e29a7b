import type { BrokenObject } from "./broken-objects.ts";
import type { FoundObjects } from "./json-objects.ts";

const BRACE = /[{}]/g;

/**
 * Says in which broken object a place in a text stands, the innermost; null in none. Asked for one place after the
 * other, in their order. Up to where a broken object goes wrong its braces are those of JSON; behind that, any.
 */
export class OpenBraces {
  readonly #braces: Iterator<RegExpExecArray, undefined>;
  readonly #objects: FoundObjects;
  /** Where those begin that are open at the brace at hand. */
  readonly #open: number[] = [];
  #brace: RegExpExecArray | undefined;
  #nextWhole = 0;

  constructor(text: string, objects: FoundObjects) {
    this.#braces = text.matchAll(BRACE);
    this.#objects = objects;
    this.#brace = this.#next();
  }

  around(place: number): BrokenObject | null {
    for (; this.#brace !== undefined && this.#brace.index < place; this.#brace = this.#next())
      if (!this.#isInWhole(this.#brace.index)) this.#pass(this.#brace);
    return this.#innermost();
  }

  #innermost(): BrokenObject | null {
    const start = this.#open.at(-1);
    return start === undefined ? null : this.#objects.broken.at(start);
  }

  #next(): RegExpExecArray | undefined {
    return this.#braces.next().value;
  }

  #isInWhole(place: number): boolean {
    const { whole } = this.#objects;
    while ((whole[this.#nextWhole]?.end ?? Number.POSITIVE_INFINITY) <= place) this.#nextWhole += 1;
    return (whole[this.#nextWhole]?.start ?? Number.POSITIVE_INFINITY) <= place;
  }

  #pass({ index, 0: brace }: RegExpExecArray): void {
    const around = this.#innermost();
    const isJson = around !== null && index < around.fault.at;
    if (brace === "{") {
      const object = this.#objects.broken.at(index);
      const isInString = isJson && object?.root !== around.root;
      if (object !== null && !isInString) this.#open.push(index);
    } else if (!isJson) this.#open.pop();
  }
}
