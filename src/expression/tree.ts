/**
 * The one place that knows how cel-js (version 8, pinned exactly) lays out its syntax trees. Three things are
 * done to a tree between parsing and its first run, none of which the library offers as an option:
 *
 * - `matches` is pointed at the linear-time engine, and literal patterns are checked at once;
 * - a branch of `c ? x : null` may be null whatever type the other branch has;
 * - every loop and every call pays into a meter, so that no expression runs past its budget.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import { MAX_COMPREHENSION_NESTING, MAX_EXPRESSION_OUTPUT, MAX_EXPRESSION_STEPS } from "../limits.ts";
import { compilePattern, PatternError } from "./pattern.ts";

/** The name under which the linear-time engine is registered; no user can type it as a function of their own. */
export const LINEAR_MATCHES = "matches_in_linear_time";

/** Something wrong with an expression; offsets are UTF-16 units of its source. */
export interface ExpressionFault {
  message: string;
  start: number;
  end: number;
}

/** Counts what one evaluation does. */
export class Meter {
  #left = 0;
  start(): void {
    this.#left = MAX_EXPRESSION_STEPS;
  }
  pay(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetError(`it takes more than ${MAX_EXPRESSION_STEPS} steps`);
  }
}

/** Says that an expression would cost more than it may. */
export class BudgetError extends Error {}

type Run = (...values: unknown[]) => unknown;

/** The parts of a node that are used here; `check` and `evaluate` sit in its meta data. */
interface TreeNode {
  op: string;
  args: unknown;
  start: number;
  end: number;
  meta: { alternate?: unknown; macro?: unknown; check: Run; evaluate: Run };
  handle?: Run;
  setMeta(key: string, value: unknown): TreeNode;
}

function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && "op" in value && "setMeta" in value;
}

/** The nodes directly below one, whatever the container that the library keeps them in. */
function children(node: TreeNode): TreeNode[] {
  if (isNode(node.meta.alternate)) return [node.meta.alternate];
  return nodesIn(node.meta.macro ?? node.args);
}

function nodesIn(value: unknown): TreeNode[] {
  if (isNode(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member) =>
    isNode(member) || Array.isArray(member) ? nodesIn(member) : [],
  );
}

function visit(root: TreeNode, action: (node: TreeNode, loops: number) => void): void {
  const seen = new Set<TreeNode>();
  const pending: [TreeNode, number][] = [[root, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, loops] = next;
    if (seen.has(node)) continue;
    seen.add(node);
    action(node, loops);
    const deeper = node.op === "comprehension" ? loops + 1 : loops;
    for (const child of children(node)) pending.push([child, deeper]);
  }
}

/** Before the type check: redirects `matches`, loosens null branches, refuses what could never be afforded. */
export function prepareTree(ast: ASTNode): ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(rootOf(ast), (node, loops) => {
    if (node.op === "comprehension" && loops >= MAX_COMPREHENSION_NESTING) {
      faults.push(faultAt(node, `loops are nested more than ${MAX_COMPREHENSION_NESTING} deep`));
    }
    if (node.op === "call" || node.op === "rcall") faults.push(...redirectMatches(node));
    if (node.op === "?:") loosenNullBranch(node);
  });
  return faults;
}

function rootOf(ast: ASTNode): TreeNode {
  const root: unknown = ast;
  if (!isNode(root)) throw new TypeError("cel-js changed the shape of its syntax tree");
  return root;
}

function faultAt(node: TreeNode, message: string): ExpressionFault {
  return { message, start: node.start, end: node.end };
}

function redirectMatches(node: TreeNode): ExpressionFault[] {
  const parts = node.args;
  if (!Array.isArray(parts) || parts[0] !== "matches") return [];
  parts[0] = LINEAR_MATCHES;
  const pattern = nodesIn(parts.at(-1)).at(-1);
  if (pattern?.op !== "value" || typeof pattern.args !== "string") return [];
  try {
    compilePattern(pattern.args);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [faultAt(pattern, `the pattern ${JSON.stringify(pattern.args)} is not valid: ${error.message}`)];
  }
}

interface Checker {
  check(node: TreeNode, context: unknown): unknown;
  dynType: unknown;
}

/** `c ? x : null` is of any type; the condition and the branches are still checked. */
function loosenNullBranch(node: TreeNode): void {
  const branches = nodesIn(node.args).slice(1);
  if (!branches.some((branch) => branch.op === "value" && branch.args === null)) return;
  const { check } = node.meta;
  node.setMeta("check", (checker: Checker, self: TreeNode, context: unknown) => {
    const [condition, ...others] = nodesIn(self.args);
    if (condition === undefined) return checker.dynType;
    for (const branch of others) checker.check(branch, context);
    try {
      return check(checker, self, context);
    } catch (error) {
      if (errorCode(error) !== "incompatible_ternary_branches") throw error;
      return checker.dynType;
    }
  });
}

function errorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** After the type check: makes loops, calls and operators pay for what they touch. */
export function meterTree(ast: ASTNode, meter: Meter): void {
  visit(rootOf(ast), (node) => {
    if (node.op === "comprehension") meterLoop(node, meter);
    else if (node.handle !== undefined) meterHandle(node, node.handle, meter);
  });
}

/** Each turn of a loop pays for all the nodes that it runs. */
function meterLoop(node: TreeNode, meter: Meter): void {
  const step =
    typeof node.args === "object" && node.args !== null && "step" in node.args ? node.args.step : null;
  if (!isNode(step)) throw new TypeError("cel-js changed the shape of its comprehensions");
  let size = 0;
  visit(step, () => size++);
  const { evaluate } = step.meta;
  step.setMeta("evaluate", (...values: unknown[]) => {
    meter.pay(size);
    return evaluate(...values);
  });
}

/** Each call pays for the texts and lists that it is given and that it makes. */
function meterHandle(node: TreeNode, handle: Run, meter: Meter): void {
  const isMatch = Array.isArray(node.args) && node.args[0] === LINEAR_MATCHES;
  node.handle = (...values) => {
    const operands = Array.isArray(values[0]) && node.op.endsWith("call") ? values[0] : values.slice(0, 2);
    for (const operand of operands) meter.pay(weight(operand));
    if (isMatch) meter.pay(matchSteps(operands));
    const result = handle(...values);
    if (magnitude(result) > MAX_EXPRESSION_OUTPUT) {
      throw new BudgetError(`it builds more than ${MAX_EXPRESSION_OUTPUT} characters or elements`);
    }
    meter.pay(weight(result));
    return result;
  };
}

/** Texts are handled many characters at a time, lists one element at a time. */
function weight(value: unknown): number {
  return typeof value === "string" ? value.length >> 6 : Array.isArray(value) ? value.length : 0;
}

function magnitude(value: unknown): number {
  return typeof value === "string" || Array.isArray(value) ? value.length : 0;
}

/** A match costs its pattern's size for each character; a bad pattern costs nothing, for it fails at once. */
function matchSteps([text, pattern]: unknown[]): number {
  if (typeof text !== "string" || typeof pattern !== "string") return 0;
  return (text.length * pattern.length) >> 6;
}
