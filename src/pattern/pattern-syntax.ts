import {
  ASSERTION_ESCAPES,
  type Assertion,
  BACKSPACE,
  type CharacterTest,
  CLASS_ESCAPES,
  CONTROL_ESCAPES,
  caseVariants,
  characterProperty,
  ECMASCRIPT_CLASS_ESCAPES,
  END,
  foldCase,
  isEcmaScriptLineEnd,
  LINE_FEED,
  not,
  POSIX_CLASSES,
} from "./characters.ts";

/** RE2's syntax, or that of ECMA-262 in Unicode mode. */
export type PatternSyntax = "re2" | "ecmascript";

/**
 * What a pattern is made of; `test` and `assertion` are asked for each character and each place between two.
 * `cost` is what one test takes, in steps.
 */
export type PatternNode =
  | { kind: "empty" }
  | { kind: "read"; test: CharacterTest; cost: number }
  | { kind: "assert"; assertion: Assertion }
  | { kind: "sequence"; items: PatternNode[] }
  | { kind: "choice"; options: PatternNode[] }
  | { kind: "repeat"; item: PatternNode; least: number; most: number };

/**
 * RE2's flags: case-insensitive, `^ $` at line ends, `.` matches a line feed. `U` (ungreedy) changes nothing
 * here.
 */
interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

/** A class as it is read: its items one after the other, and what one test of all of them takes, in steps. */
interface CharacterClass {
  test: CharacterTest;
  cost: number;
}

/** A character or range of a class is two comparisons of numbers; an escape such as `\p{Lu}` is a step. */
const RANGE_COST = 1 / 8;

/** With the flag `i`, a class is tried with a character and up to three other cases of it. */
const FOLDED_COST = 4;

/** RE2 allows a repetition of at most 1,000. */
const MAX_REPEAT = 1_000;
const MAX_DEPTH = 50;
/**
 * Reads a pattern.
 * @param syntax of ECMA-262 only what `new RegExp(source, "u")` takes is told apart from RE2's
 * @throws PatternError where the text is not a pattern that is read here, with the offset of the fault
 */
export function parsePattern(source: string, syntax: PatternSyntax): PatternNode {
  return new PatternParser(source, syntax).parse();
}

/** Says what is wrong with a pattern, and where (an offset in UTF-16 units). */
export class PatternError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.name = "PatternError";
    this.offset = offset;
  }
}

class PatternParser {
  readonly #source: string;
  readonly #isEcmaScript: boolean;
  #offset = 0;
  #flags: Flags = { i: false, m: false, s: false };
  #depth = 0;

  constructor(source: string, syntax: PatternSyntax) {
    this.#source = source;
    this.#isEcmaScript = syntax === "ecmascript";
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#offset < this.#source.length) throw this.#fault("unmatched )");
    return node;
  }

  #fault(message: string, offset = this.#offset): PatternError {
    return new PatternError(message, offset);
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#offset);
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#offset += text.length;
    return true;
  }

  #point(): number {
    const point = this.#source.codePointAt(this.#offset);
    if (point === undefined) throw this.#fault("the pattern ends too early");
    this.#offset += point > 0xffff ? 2 : 1;
    return point;
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (this.#offset < this.#source.length && !this.#peek("|") && !this.#peek(")")) {
      if (this.#take("\\Q")) items.push(...this.#quoted());
      else items.push(this.#repeated(this.#offset, this.#atom()));
    }
    return items.length === 0 ? { kind: "empty" } : { kind: "sequence", items };
  }

  #repeated(start: number, atom: PatternNode): PatternNode {
    let node = atom;
    for (let count = 0; ; count++) {
      const bounds = this.#bounds();
      if (bounds === null) return node;
      if (count > 0) throw this.#fault("a repetition of a repetition", start);
      this.#take("?");
      node = { kind: "repeat", item: node, ...bounds };
    }
  }

  #bounds(): { least: number; most: number } | null {
    if (this.#take("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { least: 0, most: 1 };
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#offset, this.#offset + 16));
    if (match === null) return null;
    const least = Number(match[1]);
    const most =
      match[2] === undefined ? least : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (least > MAX_REPEAT || (most > MAX_REPEAT && most !== Number.POSITIVE_INFINITY) || least > most) {
      throw this.#fault(`a repetition goes from 0 to at most ${MAX_REPEAT}`);
    }
    this.#offset += match[0].length;
    return { least, most };
  }

  #atom(): PatternNode {
    const start = this.#offset;
    if (this.#take("(")) return this.#group(start);
    if (this.#take("[")) return { kind: "read", ...this.#characterClass(start) };
    if (this.#take("^")) return this.#lineAssertion((before) => before);
    if (this.#take("$")) return this.#lineAssertion((_before, after) => after);
    if (this.#take(".")) return this.#read(this.#anyCharacter());
    if (this.#take("\\")) return this.#escape(start);
    if (this.#bounds() !== null) throw this.#fault("nothing to repeat", start);
    if (this.#isEcmaScript && this.#peek("{")) throw this.#fault("a repetition that is too long", start);
    return this.#literal(this.#point());
  }

  #read(test: CharacterTest): PatternNode {
    return { kind: "read", test, cost: 1 };
  }

  #anyCharacter(): CharacterTest {
    if (this.#isEcmaScript) return not(isEcmaScriptLineEnd);
    return this.#flags.s ? () => true : (point) => point !== LINE_FEED;
  }

  #literal(point: number): PatternNode {
    const folded = foldCase(point);
    return this.#read(
      this.#flags.i ? (candidate) => foldCase(candidate) === folded : (candidate) => candidate === point,
    );
  }

  /** With the flag `i`, a test also takes the other cases of a character. */
  #folded(test: CharacterTest): CharacterTest {
    if (!this.#flags.i) return test;
    return (point) => test(point) || caseVariants(point).some(test);
  }

  #lineAssertion(side: Assertion | ((before: number, after: number) => number)): PatternNode {
    const multiline = this.#flags.m;
    return {
      kind: "assert",
      assertion: (before, after) => {
        const neighbour = side(before, after);
        return neighbour === END || (multiline && neighbour === LINE_FEED);
      },
    };
  }

  #group(start: number): PatternNode {
    if (++this.#depth > MAX_DEPTH) throw this.#fault(`groups are nested more than ${MAX_DEPTH} deep`, start);
    const outer = this.#flags;
    if (this.#take("?") && !this.#groupPrefix(start)) {
      this.#depth--;
      return { kind: "empty" };
    }
    const node = this.#choice();
    if (!this.#take(")")) throw this.#fault("missing )", start);
    this.#flags = outer;
    this.#depth--;
    return node;
  }

  /** Reads what follows `(?`; false when it was flags for the rest of the enclosing group. */
  #groupPrefix(start: number): boolean {
    const rest = this.#source.slice(this.#offset);
    const name = /^P?<[A-Za-z_]\w*>/.exec(rest);
    if (name !== null) {
      this.#offset += name[0].length;
      return true;
    }
    const flags = /^([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
    if (flags === null || (this.#isEcmaScript && flags[0] !== ":")) {
      throw this.#fault(
        `look-around, back references and the like do not exist in ${this.#isEcmaScript ? "patterns that take linear time" : "this syntax (RE2)"}`,
        start,
      );
    }
    this.#offset += flags[0].length;
    this.#flags = { ...this.#flags };
    for (const flag of flags[1] ?? "") if (flag !== "U") this.#flags[flag as keyof Flags] = true;
    for (const flag of flags[2] ?? "") if (flag !== "U") this.#flags[flag as keyof Flags] = false;
    return flags[3] === ":";
  }

  #escape(start: number): PatternNode {
    const letter = this.#source[this.#offset] ?? "";
    const assertion = ASSERTION_ESCAPES.get(letter);
    if (assertion !== undefined) {
      this.#offset++;
      return { kind: "assert", assertion };
    }
    const test = this.#classEscape(start);
    return test !== null ? this.#read(test) : this.#literal(this.#escapedPoint(start));
  }

  /** Reads up to `\E`; a repetition behind it is one of the last character. */
  #quoted(): PatternNode[] {
    const items: PatternNode[] = [];
    while (this.#offset < this.#source.length && !this.#take("\\E")) items.push(this.#literal(this.#point()));
    const last = items.pop();
    return last === undefined ? items : [...items, this.#repeated(this.#offset, last)];
  }

  /** `\d`, `\pL`, `\p{Han}` and the like, behind the backslash; null when it is another escape. */
  #classEscape(start: number): CharacterTest | null {
    const letter = this.#source[this.#offset] ?? "";
    const test = (this.#isEcmaScript ? ECMASCRIPT_CLASS_ESCAPES : CLASS_ESCAPES).get(letter);
    if (test !== undefined) {
      this.#offset++;
      return test;
    }
    if (letter !== "p" && letter !== "P") return null;
    const match = /^[pP](?:\{(\^?)([\w=]+)\}|(\w))/.exec(this.#source.slice(this.#offset));
    if (match === null) throw this.#fault("a property is written \\pL or \\p{Han}", start);
    this.#offset += match[0].length;
    const property = this.#property(match[2] ?? match[3] ?? "", start);
    return (letter === "P") === (match[1] === "^") ? property : not(property);
  }

  /** A general category or a script, tested one character at a time by the engine's own tables. */
  #property(name: string, start: number): CharacterTest {
    for (const property of [name, `Script=${name}`]) {
      const test = characterProperty(property);
      if (test !== null) return test;
    }
    throw this.#fault(`there is no character property ${name}`, start);
  }

  #escapedPoint(start: number): number {
    const rest = this.#source.slice(this.#offset);
    const code = /^x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(rest);
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? "", 16);
      if (point > 0x10ffff) throw this.#fault("there is no character of this number", start);
      this.#offset += code[0].length;
      return point;
    }
    const unit = this.#isEcmaScript ? this.#ecmaScriptPoint() : null;
    if (unit !== null) return unit;
    const point = this.#point();
    const character = String.fromCodePoint(point);
    const control = CONTROL_ESCAPES.get(character);
    if (control !== undefined) return control;
    if (/[\dA-Za-z]/.test(character)) throw this.#fault(`there is no escape \\${character} (RE2)`, start);
    return point;
  }

  /** `\u{1F600}`, `\u6F6E` (two of them for a surrogate pair), `\cJ` and `\0`, behind the backslash. */
  #ecmaScriptPoint(): number | null {
    const rest = this.#source.slice(this.#offset);
    const match =
      /^u\{(?<long>[0-9A-Fa-f]+)\}|^u(?<high>[Dd][89ABab]\w\w)\\u(?<low>[Dd][C-Fc-f]\w\w)|^u(?<short>\w{4})|^c(?<control>[A-Za-z])|^0/.exec(
        rest,
      );
    if (match === null) return null;
    this.#offset += match[0].length;
    const { long, high, low, short, control } = match.groups ?? {};
    if (control !== undefined) return control.charCodeAt(0) % 32;
    if (high === undefined || low === undefined) return Number.parseInt(long ?? short ?? "0", 16);
    return 0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff);
  }

  #characterClass(start: number): CharacterClass {
    const negated = this.#take("^");
    const tests: CharacterTest[] = [];
    let cost = 0;
    for (let first = !this.#isEcmaScript; first || !this.#take("]"); first = false) {
      if (this.#offset >= this.#source.length) throw this.#fault("missing ]", start);
      const item = this.#classItem();
      tests.push(item.test);
      cost += item.cost;
    }
    const any = this.#folded((point) => tests.some((test) => test(point)));
    if (this.#flags.i) cost *= FOLDED_COST;
    return { test: negated ? not(any) : any, cost: Math.max(1, Math.floor(cost)) };
  }

  #classItem(): CharacterClass {
    const start = this.#offset;
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.#source.slice(start, start + 16));
    if (posix !== null && !this.#isEcmaScript) {
      const test = POSIX_CLASSES.get(posix[2] ?? "");
      if (test === undefined) throw this.#fault(`there is no class [:${posix[2]}:]`);
      this.#offset += posix[0].length;
      return { test: posix[1] === "^" ? not(test) : test, cost: 1 };
    }
    if (this.#take("\\")) {
      const test = this.#classEscape(start);
      if (test !== null) return { test, cost: 1 };
      const isBackspace = this.#isEcmaScript && this.#take("b");
      return {
        test: this.#range(isBackspace ? BACKSPACE : this.#escapedPoint(start), start),
        cost: RANGE_COST,
      };
    }
    return { test: this.#range(this.#point(), start), cost: RANGE_COST };
  }

  #range(low: number, start: number): CharacterTest {
    const next = this.#source[this.#offset + 1];
    if (!this.#peek("-") || next === "]" || next === undefined) return (point) => point === low;
    this.#offset++;
    const high = this.#take("\\") ? this.#escapedPoint(start) : this.#point();
    if (high < low) throw this.#fault("a range that runs backwards", start);
    return (point) => point >= low && point <= high;
  }
}
