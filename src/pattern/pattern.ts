/**
 * Regular expressions that run in time linear in the text, for `matches` in expressions and `pattern` in
 * schemas. The syntax is RE2's (github.com/google/re2/wiki/Syntax), which CEL prescribes, or ECMA-262's,
 * which JSON Schema recommends; what needs backtracking (look-around, back references) is not read. A pattern
 * becomes a small program, run as a set of states that all read each character once; only "does it match
 * somewhere" is answered, so greediness has no meaning.
 */
import { MAX_EXPRESSION_CHARACTERS, MAX_PATTERN_INSTRUCTIONS } from "../limits.ts";
import type { Assertion, CharacterTest } from "./characters.ts";
import { PatternError, type PatternNode, type PatternSyntax, parsePattern } from "./pattern-syntax.ts";

export { PatternError };

type Instruction =
  | { kind: "read"; test: CharacterTest; cost: number }
  | { kind: "split"; targets: [number, number] }
  | { kind: "jump"; target: number }
  | { kind: "assert"; assertion: Assertion }
  | { kind: "accept" };

/** A compiled pattern. */
export interface Pattern {
  /**
   * Instructions of the program, large classes counted as several; a search costs at most this many steps for
   * each character.
   */
  readonly size: number;
  /**
   * Whether the pattern matches anywhere in the text. The steps that this really takes are taken from `budget`; once
   * that is below 0 the search is given up.
   */
  test(text: string, budget?: PatternBudget): boolean;
}

/** Steps that searches may take: one for each instruction that is visited, and some for each character. */
export interface PatternBudget {
  left: number;
}

/** What a character takes beside the instructions that are visited for it, in their time. */
const STEPS_A_CHARACTER = 10;

/**
 * Compiles a pattern.
 * @param syntax `ecmascript` for a source that `new RegExp(source, "u")` takes, with the same meaning
 * @throws PatternError with the offset of the fault, when the syntax is wrong or the program too large
 */
export function compilePattern(source: string, syntax: PatternSyntax = "re2"): Pattern {
  if (source.length > MAX_EXPRESSION_CHARACTERS)
    throw new PatternError(`a pattern has at most ${MAX_EXPRESSION_CHARACTERS} characters`, 0);
  const program: Instruction[] = [];
  emit(parsePattern(source, syntax), program);
  push(program, { kind: "accept" });
  const size = program.reduce(
    (sum, instruction) => sum + (instruction.kind === "read" ? instruction.cost : 1),
    0,
  );
  if (size > MAX_PATTERN_INSTRUCTIONS) throw tooLarge();
  return {
    size,
    test: (text, budget) => search(program, text, budget ?? { left: Number.POSITIVE_INFINITY }),
  };
}

const MAX_CACHED_PATTERNS = 100;
const caches = { re2: new Map<string, Pattern>(), ecmascript: new Map<string, Pattern>() };

/**
 * As `compilePattern`, for patterns that are met again and again.
 * @throws PatternError
 */
export function cachedPattern(source: string, syntax: PatternSyntax = "re2"): Pattern {
  const cache = caches[syntax];
  let pattern = cache.get(source);
  if (pattern === undefined) {
    pattern = compilePattern(source, syntax);
    if (cache.size >= MAX_CACHED_PATTERNS) cache.clear();
    cache.set(source, pattern);
  }
  return pattern;
}

function push(program: Instruction[], instruction: Instruction): number {
  if (program.length >= MAX_PATTERN_INSTRUCTIONS) throw tooLarge();
  return program.push(instruction) - 1;
}

function tooLarge(): PatternError {
  return new PatternError(`the pattern needs more than ${MAX_PATTERN_INSTRUCTIONS} steps a character`, 0);
}

function emit(node: PatternNode, program: Instruction[]): void {
  switch (node.kind) {
    case "empty":
      return;
    case "read":
      push(program, { kind: "read", test: node.test, cost: node.cost });
      return;
    case "assert":
      push(program, { kind: "assert", assertion: node.assertion });
      return;
    case "sequence":
      for (const item of node.items) emit(item, program);
      return;
    case "choice":
      emitChoice(node.options, program);
      return;
    case "repeat":
      emitRepeat(node.item, node.least, node.most, program);
  }
}

function emitChoice(options: PatternNode[], program: Instruction[]): void {
  const jumps: Extract<Instruction, { kind: "jump" }>[] = [];
  const last = options.at(-1);
  for (const option of options.slice(0, -1)) {
    const split: Instruction = { kind: "split", targets: [program.length + 1, 0] };
    push(program, split);
    emit(option, program);
    const jump: Instruction = { kind: "jump", target: 0 };
    push(program, jump);
    jumps.push(jump);
    split.targets[1] = program.length;
  }
  if (last !== undefined) emit(last, program);
  for (const jump of jumps) jump.target = program.length;
}

function emitRepeat(item: PatternNode, least: number, most: number, program: Instruction[]): void {
  for (let count = 0; count < least; count++) {
    const before = program.length;
    emit(item, program);
    // What needs no instruction needs none a thousand times either; nested repetitions of nothing would never
    // end.
    if (program.length === before) return;
  }
  if (most === Number.POSITIVE_INFINITY) {
    const start = program.length;
    const split: Instruction = { kind: "split", targets: [start + 1, 0] };
    push(program, split);
    emit(item, program);
    push(program, { kind: "jump", target: start });
    split.targets[1] = program.length;
    return;
  }
  const exits: Extract<Instruction, { kind: "split" }>[] = [];
  for (let count = least; count < most; count++) {
    const split: Instruction = { kind: "split", targets: [program.length + 1, 0] };
    push(program, split);
    exits.push(split);
    emit(item, program);
  }
  for (const split of exits) split.targets[1] = program.length;
}

/** The states alive at one place of the text, each of which is entered at most once. */
class StateSet {
  readonly states: number[] = [];
  readonly #budget: PatternBudget;
  readonly #program: Instruction[];
  readonly #entered: Uint32Array;
  readonly #pending: number[] = [];
  #generation = 0;

  constructor(program: Instruction[], budget: PatternBudget) {
    this.#program = program;
    this.#budget = budget;
    this.#entered = new Uint32Array(program.length);
  }

  clear(): void {
    this.states.length = 0;
    this.#generation++;
  }

  /** Adds a state and all that it reaches without reading; true when it reaches acceptance. */
  follow(from: number, before: number, here: number): boolean {
    const pending = this.#pending;
    pending.length = 0;
    pending.push(from);
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      const instruction = this.#program[state];
      if (instruction === undefined || this.#entered[state] === this.#generation) continue;
      this.#entered[state] = this.#generation;
      this.#budget.left--;
      switch (instruction.kind) {
        case "accept":
          return true;
        case "jump":
          pending.push(instruction.target);
          break;
        case "split":
          pending.push(instruction.targets[0], instruction.targets[1]);
          break;
        case "assert":
          if (instruction.assertion(before, here)) pending.push(state + 1);
          break;
        case "read":
          this.states.push(state);
      }
    }
    return false;
  }
}

function search(program: Instruction[], text: string, budget: PatternBudget): boolean {
  let current = new StateSet(program, budget);
  let next = new StateSet(program, budget);
  let before = -1;
  let offset = 0;
  current.clear();
  for (;;) {
    const here = text.codePointAt(offset) ?? -1;
    if (current.follow(0, before, here)) return true;
    budget.left -= STEPS_A_CHARACTER;
    if (here === -1 || budget.left < 0) return false;
    offset += here > 0xffff ? 2 : 1;
    const after = text.codePointAt(offset) ?? -1;
    next.clear();
    for (const state of current.states) {
      const instruction = program[state];
      if (instruction?.kind !== "read") continue;
      budget.left -= instruction.cost;
      if (!instruction.test(here)) continue;
      if (next.follow(state + 1, here, after)) return true;
    }
    [current, next] = [next, current];
    before = here;
  }
}
