import type { ASTNode } from "@marcbachmann/cel-js";
import { Duration } from "@marcbachmann/cel-js/evaluator";
import { compareTexts } from "../functions/comparison.ts";
import { settledDuration } from "../functions/durations.ts";
import { callCost, FunctionError } from "../functions/index.ts";
import { settledTime } from "../functions/times.ts";
import { type Meter, operandsCost, weight } from "../meter.ts";
import { HANDING_ON, isNode, type Run, rootOf, type TreeNode, visit } from "./node.ts";

/** After the type check: makes loops, calls and operators pay for what they touch. */
export function meterTree(ast: ASTNode, meter: Meter): void {
  visit(rootOf(ast), (node) => {
    if (node.op === "comprehension") meterLoop(node, meter);
    else if (node.handle !== undefined) meterHandle(node, node.handle, meter);
  });
}

type Condition = (accumulated: unknown) => boolean;

interface Loop {
  step: TreeNode;
  condition?: Condition;
}

function isLoop(args: unknown): args is Loop {
  return typeof args === "object" && args !== null && "step" in args && isNode(args.step);
}

/**
 * Each turn of a loop pays for all the nodes that it runs, and the keys of a map that is looped over are paid
 * for. `all` and `exists` take a fault for "not known yet" and would go on to the end, so they end with the
 * budget.
 */
function meterLoop(node: TreeNode, meter: Meter): void {
  const loop = node.args;
  if (!isLoop(loop)) throw new TypeError("cel-js changed the shape of its comprehensions");
  let size = 0;
  visit(loop.step, () => size++);
  const { evaluate } = loop.step.meta;
  loop.step.setMeta("evaluate", (...values: unknown[]) => {
    meter.pay(size);
    return evaluate(...values);
  });
  const { condition } = loop;
  if (condition !== undefined) loop.condition = (accumulated) => !meter.isExhausted && condition(accumulated);
  const { handle } = node;
  if (handle === undefined) return;
  node.handle = (items, ...others) => {
    if (!Array.isArray(items)) meter.pay(weight(items));
    return handle(items, ...others);
  };
}

function meterHandle(node: TreeNode, handle: Run, meter: Meter): void {
  if (HANDING_ON.has(node.op)) return;
  const isCall = node.op === "call" || node.op === "rcall";
  const name = isCall && Array.isArray(node.args) ? String(node.args[0]) : node.op;
  const run = textOrder(name, handle);
  node.handle = (...values) => {
    if (isCall) callCost(name, Array.isArray(values[0]) ? values[0] : [], meter);
    else operandsCost(name, values[0], values[1], meter);
    const result = settled(run(...values));
    meter.payForResult(result);
    return result;
  };
}

const ORDERS = new Map<string, (difference: number) => boolean>([
  ["<", (difference) => difference < 0],
  ["<=", (difference) => difference <= 0],
  [">", (difference) => difference > 0],
  [">=", (difference) => difference >= 0],
]);

/** The engine orders texts by their UTF-16 units. */
function textOrder(operator: string, handle: Run): Run {
  const holds = ORDERS.get(operator);
  if (holds === undefined) return handle;
  return (left, right, ...others) =>
    typeof left === "string" && typeof right === "string"
      ? holds(compareTexts(left, right))
      : handle(left, right, ...others);
}

const END_OF_INT = 2n ** 63n;

/**
 * A result in the range of its type, which the engine checks for some operations only, and durations in the one form
 * in which it goes on with them rightly.
 * @throws FunctionError where it is out of range
 */
function settled(result: unknown): unknown {
  if (typeof result === "bigint" && (result >= END_OF_INT || result < -END_OF_INT))
    throw new FunctionError("a whole number has at most 64 bits");
  if (typeof result !== "object") return result;
  if (result instanceof Date) return settledTime(result);
  return result instanceof Duration ? settledDuration(result) : result;
}
