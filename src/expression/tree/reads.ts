import type { ASTNode } from "@marcbachmann/cel-js";
import { bindingOf, children, isNode, memberOf, nodesIn, rootOf, type TreeNode, visit } from "./node.ts";

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
  collectReads(rootOf(ast), "args", new Set(), ({ name, member }) => {
    use.names.add(member ?? name);
    use.all ||= name === "args" && member === null;
  });
  return use;
}

/** One place where an expression reads a variable, or one member of it. Offsets are UTF-16 units. */
export interface MemberRead {
  /** The `x` of `variable.x` and `variable["x"]`; null where the variable is read as a whole. */
  member: string | null;
  start: number;
  end: number;
}

/** Every place where an expression reads a variable of its surroundings. */
export function memberReads(ast: ASTNode, variable: string): MemberRead[] {
  const reads: MemberRead[] = [];
  collectReads(rootOf(ast), variable, new Set(), ({ name, member, node }) => {
    if (name === variable) reads.push({ member, start: node.start, end: node.end });
  });
  return reads;
}

/** A text that an expression holds a member of a variable against. Offsets are UTF-16 units. */
export interface ComparedText {
  text: string;
  start: number;
  end: number;
}

const COMPARING = new Set(["==", "!=", "in"]);

/** The texts, written out, that an expression compares `variable.member` with. */
export function comparedTexts(ast: ASTNode, variable: string, member: string): ComparedText[] {
  const texts: ComparedText[] = [];
  visit(rootOf(ast), (node) => {
    if (!COMPARING.has(node.op) || !Array.isArray(node.args)) return;
    const sides = node.args.filter(isNode);
    if (!sides.some((side) => isMemberOf(side, variable, member))) return;
    for (const { op, args, start, end } of sides.flatMap((side) =>
      side.op === "list" ? nodesIn(side.args) : [side],
    ))
      if (op === "value" && typeof args === "string") texts.push({ text: args, start, end });
  });
  return texts;
}

function isMemberOf(node: TreeNode, variable: string, member: string): boolean {
  const [owner]: unknown[] = Array.isArray(node.args) ? node.args : [];
  return isNode(owner) && owner.op === "id" && owner.args === variable && memberOf(node) === member;
}

/** A free name that an expression reads, with the member where it is the variable that is asked about. */
interface Read {
  name: string;
  member: string | null;
  node: TreeNode;
}

function collectReads(
  node: TreeNode,
  variable: string,
  bound: ReadonlySet<string>,
  found: (read: Read) => void,
): void {
  const inner = bindingOf(node);
  if (inner !== null) {
    const within = new Set([...bound, inner.variable]);
    for (const child of inner.outside) collectReads(child, variable, bound, found);
    for (const child of inner.inside) collectReads(child, variable, within, found);
    return;
  }
  if (node.op === "id" && node.meta.alternate === undefined) {
    const name = String(node.args);
    if (!bound.has(name)) found({ name, member: null, node });
    return;
  }
  const member = bound.has(variable) ? null : memberRead(node, variable);
  if (member !== null) found({ name: variable, member, node });
  else for (const child of children(node)) if (child !== node) collectReads(child, variable, bound, found);
}

/** The `name` of `variable.name` and `variable["name"]`; null for any other node. */
function memberRead(node: TreeNode, variable: string): string | null {
  if (!Array.isArray(node.args)) return null;
  const [left]: unknown[] = node.args;
  return isNode(left) && left.op === "id" && left.args === variable ? memberOf(node) : null;
}
