/**
 * What an evaluation costs, counted in steps and never in time: the clock stands still inside a Worker's
 * computation, and a count is the same on every machine.
 */
import { MAX_EXPRESSION_OUTPUT, MAX_EXPRESSION_STEPS } from "../limits.ts";
import { cachedPattern } from "../pattern/index.ts";

/** The name under which the linear-time engine is registered; it reads as `matches` in messages. */
export const LINEAR_MATCHES = "matches_in_linear_time";

/** Says that an expression would cost more than it may. */
export class BudgetError extends Error {}

/** Counts what one evaluation does. */
export class Meter {
  #left = 0;
  #refusal: BudgetError | null = null;

  start(): void {
    this.#left = MAX_EXPRESSION_STEPS;
    this.#refusal = null;
  }

  /** Why the evaluation went too far, or null. CEL's `||` and `exists` swallow faults, but not this one. */
  get refusal(): BudgetError | null {
    return this.#refusal;
  }

  get isExhausted(): boolean {
    return this.#refusal !== null;
  }

  /** @throws BudgetError where the steps are used up */
  pay(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) this.#refuse(`it takes more than ${MAX_EXPRESSION_STEPS} steps`);
  }

  /** @throws BudgetError where something of this size may not be built */
  allow(size: number): void {
    if (size > MAX_EXPRESSION_OUTPUT)
      this.#refuse(`it builds more than ${MAX_EXPRESSION_OUTPUT} characters or elements`);
  }

  payForResult(result: unknown): void {
    this.allow(lengthOf(result));
    this.pay(weight(result));
  }

  #refuse(message: string): never {
    this.#refusal ??= new BudgetError(message);
    throw this.#refusal;
  }
}

/** Texts and bytes are handled many at a time, elements and members one at a time. */
export function weight(value: unknown): number {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length >> 6;
  if (Array.isArray(value)) return value.length;
  return isPlainObject(value) ? Object.keys(value).length : 0;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" || Array.isArray(value) || value instanceof Uint8Array ? value.length : 0;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Makes an operator pay before it runs. */
export function operandsCost(operator: string, left: unknown, right: unknown, meter: Meter): void {
  if (operator === "==" || operator === "!=") payForComparison(left, right, meter);
  else if (operator === "in") payForSearch(left, right, meter);
  else meter.pay(weight(left) + weight(right));
}

function isComposite(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** A comparison may go to the bottom of both sides; it goes no further than the smaller one. */
function payForComparison(left: unknown, right: unknown, meter: Meter): void {
  if (isComposite(left) && isComposite(right)) payForDepths(left, meter);
  else if (typeof left === "string" && typeof right === "string")
    meter.pay(Math.min(weight(left), weight(right)));
}

function payForSearch(needle: unknown, list: unknown, meter: Meter): void {
  if (!Array.isArray(list)) return;
  if (isComposite(needle)) payForDepths(list, meter);
  else meter.pay(list.length);
}

/**
 * Pays for everything in a value, one level after another, so that a value that shares its parts ends here
 * too.
 */
function payForDepths(value: unknown, meter: Meter): void {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    meter.pay(1 + weight(next));
    if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (isPlainObject(next)) for (const member of Object.values(next)) pending.push(member);
  }
}

/** A date in a named time zone goes through the platform's calendar, which takes some 50 microseconds. */
const ZONED_DATE_STEPS = 500;

/** Makes a function pay before it runs: for what it is given, and for what it would do with it. */
export function callCost(name: string, operands: unknown[], meter: Meter): void {
  for (const operand of operands) meter.pay(weight(operand));
  const [first, second] = operands;
  if (name === LINEAR_MATCHES) payForMatch(first, second, meter);
  else if (name === "join") payForJoin(first, second, meter);
  else if (first instanceof Date && typeof second === "string") meter.pay(ZONED_DATE_STEPS);
}

/** @throws PatternError, as the match itself would */
function payForMatch(text: unknown, pattern: unknown, meter: Meter): void {
  if (typeof text !== "string" || typeof pattern !== "string") return;
  const { size } = cachedPattern(pattern);
  meter.pay(size + ((text.length * size) >> 3));
}

function payForJoin(list: unknown, separator: unknown, meter: Meter): void {
  if (!Array.isArray(list)) return;
  let characters = list.length * lengthOf(separator);
  for (const item of list) characters += lengthOf(item);
  meter.allow(characters);
}
