import type { Meter } from "../meter.ts";

/** A function of the language, as it is registered with the engine. */
export interface AddedFunction {
  /** As cel-js reads it, e.g. `list.slice(int, int): list`; what precedes the dot is the receiver's type. */
  signature: string;
  /** Gets the receiver, where there is one, before the arguments. @throws FunctionError */
  run: (...values: never[]) => unknown;
  /**
   * Pays for what the function will do beyond reading its operands once and handing over its result, which
   * are paid for anyway. Other functions of the name share it, so operands may be of any type.
   */
  cost?: Cost;
}

/** Makes a meter pay for a call with these operands. @throws BudgetError */
export type Cost = (operands: readonly unknown[], meter: Meter) => void;

/** Says why a function has no value for what it was given. */
export class FunctionError extends Error {}

/** The name that a signature is about. */
export function nameOf({ signature }: AddedFunction): string {
  return /(\w+)\(/.exec(signature)?.[1] ?? signature;
}

/** Texts that are walked character by character cost more than those that are only copied. */
export const walkedText: Cost = (operands, meter) => {
  for (const operand of operands) if (typeof operand === "string") meter.pay(operand.length >> 3);
};
