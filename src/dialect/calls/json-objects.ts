/** The JSON objects that stand in a text of any kind, found by reading over it once. */
import { BrokenObjects } from "./broken-objects.ts";
import { type JsonFault, nestedTooDeep, scanJson } from "./json-syntax.ts";

/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

export interface FoundObjects {
  /** The objects that have the member looked for, the outermost of each nest, in their order. */
  having: Stretch[];
  /** All objects, the outermost of each nest, in their order. */
  whole: Stretch[];
  /** What begins with a brace and is none. */
  broken: BrokenObjects;
  /** How many tokens were read: no more than twice the characters of the text. */
  tokens: number;
}

/** A member by its JSON text: `"action"` and `"execute_skill"`. */
export interface MemberText {
  key: string;
  value: string;
}

/**
 * Finds the objects in a text. An object that holds others is read once with them, whether it turns out whole or
 * broken. Braces that stand in its strings are tried too, as a text with a quote out of place has its objects there:
 * since every quote ends a string for one reading and begins one for the other, that is a second time at most.
 */
export function objectsIn(text: string, member: MemberText, maxNesting: number): FoundObjects {
  const reader = new ObjectReader(text, member, maxNesting);
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1))
    if (!reader.hasRead(start)) reader.readFrom(start);
  return reader.found();
}

/** An object or a list that is being read. */
interface Open {
  start: number;
  isObject: boolean;
  /** Whether the value to come is the one of the member's key. */
  isAtMember: boolean;
  hasMember: boolean;
  /** Where it becomes nested too deep, or null. */
  tooDeepAt: number | null;
}

class ObjectReader {
  readonly #text: string;
  readonly #member: MemberText;
  readonly #maxNesting: number;
  readonly #isRead: Uint8Array;
  readonly #having: Stretch[] = [];
  readonly #whole: Stretch[] = [];
  readonly #broken: BrokenObjects;
  #open: Open[] = [];
  #root = 0;
  #tokens = 0;

  constructor(text: string, member: MemberText, maxNesting: number) {
    this.#text = text;
    this.#member = member;
    this.#maxNesting = maxNesting;
    this.#isRead = new Uint8Array(text.length);
    this.#broken = new BrokenObjects(text.length);
  }

  hasRead(start: number): boolean {
    return this.#isRead[start] === 1;
  }

  readFrom(start: number): void {
    this.#root = start;
    this.#open = [];
    const scan = scanJson(this.#text, start, Number.POSITIVE_INFINITY, (token, at, isKey) =>
      this.#read(token, at, isKey),
    );
    if (!scan.ok) for (const open of this.#open) this.#addBroken(open, scan);
  }

  found(): FoundObjects {
    return {
      having: outermost(this.#having),
      whole: outermost(this.#whole),
      broken: this.#broken,
      tokens: this.#tokens,
    };
  }

  #read(token: string, at: number, isKey: boolean): void {
    this.#tokens += 1;
    const around = this.#open.at(-1);
    if (token === "}" || token === "]") this.#close(at + 1);
    else if (around !== undefined && isKey) around.isAtMember = token === this.#member.key;
    else if (around?.isAtMember === true && token !== ":") {
      around.hasMember = token === this.#member.value;
      around.isAtMember = false;
    }
    if (token === "{" || token === "[") this.#openAt(at, token === "{");
  }

  #openAt(start: number, isObject: boolean): void {
    if (isObject) this.#isRead[start] = 1;
    this.#open.push({ start, isObject, isAtMember: false, hasMember: false, tooDeepAt: null });
    const outer = this.#open[this.#open.length - 1 - this.#maxNesting];
    if (outer !== undefined) outer.tooDeepAt ??= start;
  }

  #close(end: number): void {
    const closed = this.#open.pop();
    if (closed?.isObject !== true) return;
    const { start, tooDeepAt, hasMember } = closed;
    if (tooDeepAt === null) {
      this.#whole.push({ start, end });
      if (hasMember) this.#having.push({ start, end });
    } else this.#addBroken(closed, nestedTooDeep(tooDeepAt, this.#maxNesting));
  }

  #addBroken({ start, isObject, tooDeepAt }: Open, scan: JsonFault): void {
    if (!isObject) return;
    const fault = tooDeepAt === null ? scan : nestedTooDeep(tooDeepAt, this.#maxNesting);
    this.#broken.add({ start, fault, root: this.#root });
  }
}

/** In their order, without those that begin within another. */
function outermost(stretches: Stretch[]): Stretch[] {
  let end = 0;
  return stretches
    .sort((left, right) => left.start - right.start)
    .filter((stretch) => {
      const isOutside = stretch.start >= end;
      if (isOutside) end = stretch.end;
      return isOutside;
    });
}
