/**
 * The one place that knows how cel-js (version 8, pinned exactly) lays out its syntax trees. Four things are
 * done to a tree between parsing and its first run, none of which the library offers as an option:
 *
 * - `matches` is pointed at the linear-time engine, and literal patterns are checked at once;
 * - a branch of `c ? x : null` may be null whatever type the other branch has;
 * - a map's keys are texts, numbers or booleans (cel-spec, "Values");
 * - every loop and every call pays into a meter (see `meter.ts`), so that no expression runs past its budget.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import { MAX_COMPREHENSION_NESTING } from "../limits.ts";
import { compilePattern, PatternError } from "../pattern/index.ts";
import { callCost, LINEAR_MATCHES, type Meter, operandsCost, weight } from "./meter.ts";

/** Something wrong with an expression; offsets are UTF-16 units of its source. */
export interface ExpressionFault {
  message: string;
  start: number;
  end: number;
  /** The name that is not in scope, where that is what is wrong. */
  unknownName?: string;
}

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

/**
 * Before the type check: redirects `matches`, settles what it leaves open, refuses what could never be
 * afforded.
 */
export function prepareTree(ast: ASTNode): ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(rootOf(ast), (node, loops) => {
    if (node.op === "comprehension" && loops >= MAX_COMPREHENSION_NESTING) {
      faults.push(faultAt(node, `loops are nested more than ${MAX_COMPREHENSION_NESTING} deep`));
    }
    if (node.op === "call" || node.op === "rcall") faults.push(...redirectMatches(node));
    if (node.op === "?:") loosenNullBranch(node);
    if (node.op === "map") {
      restrictKeys(node);
      faults.push(...lostKeys(node));
    }
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
  createError(code: string, message: string, node: TreeNode): Error;
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

/** A type that is not known yet reads as a single capital. */
const KEY_TYPE = /^(?:dyn<)?(?:string|int|uint|bool|double|dyn|[A-Z])>?$/;

/**
 * Otherwise the name of a map's type, which holds that of its keys, could double at every level of nesting.
 */
function restrictKeys(node: TreeNode): void {
  const { check } = node.meta;
  node.setMeta("check", (checker: Checker, self: TreeNode, context: unknown) => {
    const entries = Array.isArray(self.args) ? self.args : [];
    for (const entry of entries) {
      const [key] = nodesIn(entry);
      const type = key === undefined ? "dyn" : String(checker.check(key, context));
      if (KEY_TYPE.test(type)) continue;
      throw checker.createError(
        "invalid_map_key",
        `a map's keys are texts or numbers, not ${type}`,
        key ?? self,
      );
    }
    return check(checker, self, context);
  });
}

/** Keys that the engine leaves out of the maps it makes, without a word. */
const LOST_KEYS = new Set<unknown>(["__proto__", "constructor", "prototype"]);

function lostKeys(node: TreeNode): ExpressionFault[] {
  const entries = Array.isArray(node.args) ? node.args : [];
  return entries
    .flatMap((entry) => nodesIn(entry).slice(0, 1))
    .filter((key) => key.op === "value" && LOST_KEYS.has(key.args))
    .map((key) => faultAt(key, `a map made here cannot have the key ${String(key.args)}`));
}

function errorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

/** Which arguments an expression takes. */
export interface ArgumentUse {
  /** Names that it takes from its surroundings, and those that it reads as `args.name` or `args["name"]`. */
  names: Set<string>;
  /** Whether it takes `args` as a whole. */
  all: boolean;
}

/** What an expression takes from its surroundings; variables that it binds itself are left out. */
export function argumentUse(ast: ASTNode): ArgumentUse {
  const use: ArgumentUse = { names: new Set(), all: false };
  collectUse(rootOf(ast), new Set(), use);
  return use;
}

function collectUse(node: TreeNode, bound: ReadonlySet<string>, use: ArgumentUse): void {
  const inner = bindingOf(node);
  if (inner !== null) {
    const within = new Set([...bound, inner.variable]);
    for (const child of inner.outside) collectUse(child, bound, use);
    for (const child of inner.inside) collectUse(child, within, use);
    return;
  }
  if (node.op === "id" && node.meta.alternate === undefined) {
    const name = String(node.args);
    if (bound.has(name)) return;
    use.names.add(name);
    if (name === "args") use.all = true;
    return;
  }
  const member = bound.has("args") ? null : argumentRead(node);
  if (member !== null) use.names.add(member);
  else for (const child of children(node)) if (child !== node) collectUse(child, bound, use);
}

/** The `name` of `args.name` and `args["name"]`; null for any other node. */
function argumentRead(node: TreeNode): string | null {
  if (!HANDING_ON.has(node.op) || !Array.isArray(node.args) || node.args.length !== 2) return null;
  const [left, right]: unknown[] = node.args;
  if (!isNode(left) || left.op !== "id" || left.args !== "args") return null;
  if (typeof right === "string") return right;
  return isNode(right) && right.op === "value" && typeof right.args === "string" ? right.args : null;
}

interface Binding {
  variable: string;
  outside: TreeNode[];
  inside: TreeNode[];
}

/** The variable that a comprehension or `cel.bind` makes, and where it can be seen. */
function bindingOf(node: TreeNode): Binding | null {
  const parts: unknown = node.op === "comprehension" ? node.args : node.meta.macro;
  if (typeof parts !== "object" || parts === null) return null;
  if ("iterVarName" in parts && "iterable" in parts && "step" in parts)
    return {
      variable: String(parts.iterVarName),
      outside: nodesIn(parts.iterable),
      inside: nodesIn(parts.step),
    };
  if ("var" in parts && "val" in parts && "exp" in parts)
    return { variable: String(parts.var), outside: nodesIn(parts.val), inside: nodesIn(parts.exp) };
  return null;
}

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

/** What only hands on a value that there is already costs nothing beyond the turn that it is part of. */
const HANDING_ON = new Set([".", ".?", "[]", "[?]", "?:"]);

function meterHandle(node: TreeNode, handle: Run, meter: Meter): void {
  if (HANDING_ON.has(node.op)) return;
  const isCall = node.op === "call" || node.op === "rcall";
  const name = isCall && Array.isArray(node.args) ? String(node.args[0]) : node.op;
  node.handle = (...values) => {
    if (isCall) callCost(name, Array.isArray(values[0]) ? values[0] : [], meter);
    else operandsCost(name, values[0], values[1], meter);
    const result = handle(...values);
    meter.payForResult(result);
    return result;
  };
}
