/**
 * The one place that knows how cel-js (version 8, pinned exactly) lays out its syntax trees. Five things are
 * done to a tree between parsing and its first run, none of which the library offers as an option:
 *
 * - calls are pointed at the functions that stand in for the library's own, and literal patterns are checked at once;
 * - a branch of `c ? x : null` may be null whatever type the other branch has;
 * - members of maps that a schema describes have the types, and no other names, than it gives;
 * - a map's keys are texts, numbers or booleans (cel-spec, "Values");
 * - every loop and every call pays into a meter (see `meter.ts`), so that no expression runs past its budget.
 */
import type { ASTNode } from "@marcbachmann/cel-js";

/** What the engine calls to evaluate or to check a node. */
export type Run = (...values: unknown[]) => unknown;

/** The parts of a node that are used here; `check` and `evaluate` sit in its meta data. */
export interface TreeNode {
  op: string;
  args: unknown;
  input?: string;
  pos: number;
  start: number;
  end: number;
  meta: { alternate?: unknown; macro?: unknown; check: Run; evaluate: Run };
  handle?: Run;
  setMeta(key: string, value: unknown): TreeNode;
}

/** Whether something is a node of a syntax tree. */
export function isNode(value: unknown): value is TreeNode {
  return typeof value === "object" && value !== null && "op" in value && "setMeta" in value;
}

/** The nodes directly below one, whatever the container that the library keeps them in. */
export function children(node: TreeNode): TreeNode[] {
  if (isNode(node.meta.alternate)) return [node.meta.alternate];
  return nodesIn(node.meta.macro ?? node.args);
}

/** The outermost nodes within something that a node is made of. */
export function nodesIn(value: unknown): TreeNode[] {
  const nodes: TreeNode[] = [];
  collectNodes(value, nodes);
  return nodes;
}

function collectNodes(value: unknown, nodes: TreeNode[]): void {
  if (isNode(value)) nodes.push(value);
  else if (Array.isArray(value)) for (const member of value) collectNodes(member, nodes);
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value))
      if (isNode(member) || Array.isArray(member)) collectNodes(member, nodes);
  }
}

/**
 * Does something with each node of a tree, once.
 * @param action is told within how many loops the node stands
 */
export function visit(root: TreeNode, action: (node: TreeNode, loops: number) => void): void {
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

/** The root of a syntax tree, as it is seen here. @throws TypeError where it is another library's */
export function rootOf(ast: ASTNode): TreeNode {
  const root: unknown = ast;
  if (!isNode(root)) throw new TypeError("cel-js changed the shape of its syntax tree");
  return root;
}

/** What only hands on a value that there is already costs nothing beyond the turn that it is part of. */
export const HANDING_ON = new Set([".", ".?", "[]", "[?]", "?:"]);

/** The library's type checker, as far as it is used here. */
export interface Checker {
  check(node: TreeNode, context: unknown): unknown;
  createError(code: string, message: string, node: TreeNode): Error;
  getType(name: string): { matchesValueType(value: unknown, evaluator: unknown): boolean };
  dynType: unknown;
}

/** A variable that an expression makes for itself, with the nodes that see it and those that do not. */
export interface Binding {
  variable: string;
  outside: TreeNode[];
  inside: TreeNode[];
}

/** The variable that a comprehension or `cel.bind` makes, and where it can be seen. */
export function bindingOf(node: TreeNode): Binding | null {
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

/** The `name` of `value.name`, `value["name"]` and of both with a question mark; null for any other node. */
export function memberOf(node: TreeNode): string | null {
  if (!HANDING_ON.has(node.op) || !Array.isArray(node.args) || node.args.length !== 2) return null;
  const right: unknown = node.args[1];
  if (typeof right === "string") return right;
  return isNode(right) && right.op === "value" && typeof right.args === "string" ? right.args : null;
}
