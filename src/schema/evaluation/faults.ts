import type { ArgumentFault } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { MAX_FAULTS, MAX_QUOTED_CHARACTERS } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import { firstCharacters } from "../characters.ts";
import { quoteText, quoteValue } from "../quote.ts";
import { pointerTo, type SchemaPath } from "../walk.ts";
import { longNumberWords } from "../wording/long-numbers.ts";
import type { Wording } from "../wording/wording.ts";
import type { SecretMarks } from "./secrets.ts";

/** Where and by what a value is refused. */
interface Refusal {
  path: SchemaPath;
  rule: string;
  /** The schemas that led to the rule, the one that it stands in last. */
  owners: readonly JsonObject[];
  /** The end of what is expected. */
  reason: string;
}

/** The faults of one value, in words. */
export class FaultList {
  readonly found: ArgumentFault[] = [];
  readonly #wording: Wording;
  readonly #secrets: SecretMarks;
  /** Each of many schemas around a large value may refuse it again. */
  readonly #quoted = new WeakMap<object, string>();

  constructor(wording: Wording, secrets: SecretMarks) {
    this.#wording = wording;
    this.#secrets = secrets;
  }

  get isFull(): boolean {
    return this.found.length >= MAX_FAULTS;
  }

  /** Adds what a rule has against a value, and says how many characters had to be read to quote that. */
  refused({ path, rule, owners, reason }: Refusal, value: JsonValue, found: string): number {
    const owner = owners.at(-1) ?? {};
    const isSecret = this.#secrets.mayHold(rule, value, owners);
    const number = isSecret || rule !== "type" || typeof value !== "string" ? null : longNumber(value, owner);
    const expected = this.#wording.rule(rule, owner) + (number?.words ?? "") + reason;
    const { got, characters } = number ?? this.#quote(value, isSecret);
    this.found.push({ path: this.pathTo(path), rule, expected, got: got + found });
    return characters;
  }

  /** Adds that a rule misses a member. */
  missing(path: SchemaPath, name: string, rule: string, expected: string): void {
    this.found.push({ path: this.pathTo([...path, name]), rule, expected, got: "nothing" });
  }

  /** A path as a JSON Pointer; names that nobody would write are cut. */
  pathTo(path: SchemaPath): string {
    return pointerTo(path.map((token) => (typeof token === "string" ? shortName(token) : token)));
  }

  #quote(value: JsonValue, isSecret: boolean): { got: string; characters: number } {
    if (isSecret) return { got: quoteValue(value, true), characters: 0 };
    const isCompound = typeof value === "object" && value !== null;
    const known = isCompound ? this.#quoted.get(value) : undefined;
    if (known !== undefined) return { got: known, characters: 0 };
    const text = JSON.stringify(this.#wording.names.inValue(value));
    const got = quoteText(text, value);
    if (isCompound) this.#quoted.set(value, got);
    return { got, characters: text.length };
  }
}

/** What is to be said of a number that is kept as text, as it was written; null for any other text. */
function longNumber(text: string, owner: JsonObject) {
  const words = longNumberWords(text, owner);
  return words === null ? null : { words, got: quoteText(text, text), characters: text.length };
}

/** A name as messages have it: one that nobody would write is cut. */
export function shortName(name: string): string {
  if (name.length <= MAX_QUOTED_CHARACTERS) return name;
  return shorten(firstCharacters(name, MAX_QUOTED_CHARACTERS + 1), MAX_QUOTED_CHARACTERS);
}
