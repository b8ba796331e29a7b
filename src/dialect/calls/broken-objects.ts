import type { JsonFault } from "./json-syntax.ts";

/** What begins with a brace and is no JSON object. */
export interface BrokenObject {
  start: number;
  fault: JsonFault;
  /** The brace from which it was read: what has the same is nested in each other. */
  root: number;
}

/** Broken objects by their starts, in a few bytes each: a text may be nothing but braces. */
export class BrokenObjects {
  /** Where each goes wrong, which is behind its brace and so never 0. */
  readonly #at: Int32Array;
  readonly #root: Int32Array;
  readonly #expected: Uint8Array;
  readonly #expectations: string[] = [];

  constructor(textLength: number) {
    this.#at = new Int32Array(textLength);
    this.#root = new Int32Array(textLength);
    this.#expected = new Uint8Array(textLength);
  }

  add({ start, fault, root }: BrokenObject): void {
    this.#at[start] = fault.at;
    this.#root[start] = root;
    const known = this.#expectations.indexOf(fault.expected);
    this.#expected[start] = known === -1 ? this.#expectations.push(fault.expected) - 1 : known;
  }

  /** The one that begins at a place; null where none does. */
  at(start: number): BrokenObject | null {
    const at = this.#at[start] ?? 0;
    if (at === 0) return null;
    const expected = this.#expectations[this.#expected[start] ?? 0] ?? "";
    return { start, fault: { ok: false, at, expected }, root: this.#root[start] ?? start };
  }
}
