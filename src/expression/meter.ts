/**
 * What an evaluation costs, counted in steps and never in time: the clock stands still inside a Worker's
 * computation, and a count is the same on every machine.
 */
import { MAX_EXPRESSION_OUTPUT, MAX_EXPRESSION_STEPS } from "../limits.ts";

/** Says that an expression would cost more than it may. */
export class BudgetError extends Error {}

/** Counts what one evaluation does. */
export class Meter {
  #left = 0;
  #refusal: BudgetError | null = null;
  readonly #paid = new Set<string>();

  start(): void {
    this.#left = MAX_EXPRESSION_STEPS;
    this.#paid.clear();
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

  /** Pays for what is done once in an evaluation and then kept. @throws BudgetError as `pay` */
  payOnce(what: string, steps: number): void {
    if (this.#paid.has(what)) return;
    this.#paid.add(what);
    this.pay(steps);
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
  if (value instanceof Map) return value.size;
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
export function payForDepths(value: unknown, meter: Meter): void {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    meter.pay(1 + weight(next));
    if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (next instanceof Map) for (const member of next.values()) pending.push(member);
    else if (isPlainObject(next)) for (const member of Object.values(next)) pending.push(member);
  }
}
