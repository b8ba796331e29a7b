import type { ASTNode } from "@marcbachmann/cel-js";
import { MAX_COMPREHENSION_NESTING } from "../../limits.ts";
import { cachedPattern, PatternError } from "../../pattern/index.ts";
import { registeredName } from "../functions/index.ts";
import { type Checker, nodesIn, rootOf, type TreeNode, visit } from "./node.ts";

/** Something wrong with an expression; offsets are UTF-16 units of its source. */
export interface ExpressionFault {
  message: string;
  start: number;
  end: number;
  /** The name that is not in scope, where that is what is wrong. */
  unknownName?: string;
}

/**
 * Before the type check: points calls at the functions that stand in for the engine's own, settles what the
 * check leaves open, refuses what could never be afforded.
 */
export function prepareTree(ast: ASTNode): ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  visit(rootOf(ast), (node, loops) => {
    if (node.op === "comprehension" && loops >= MAX_COMPREHENSION_NESTING) {
      faults.push(faultAt(node, `loops are nested more than ${MAX_COMPREHENSION_NESTING} deep`));
    }
    if (node.op === "call" || node.op === "rcall") faults.push(...redirectCall(node));
    if (node.op === "?:") loosenNullBranch(node);
    if (node.op === "value") faults.push(...misreadLiteral(node));
    if (node.op === "map") {
      restrictKeys(node);
      faults.push(...misreadKeys(node));
    }
  });
  return faults;
}

/** A fault that is about a node as a whole. */
export function faultAt(node: TreeNode, message: string): ExpressionFault {
  return { message, start: node.start, end: node.end };
}

function redirectCall(node: TreeNode): ExpressionFault[] {
  if (!Array.isArray(node.args)) return [];
  const name = String(node.args[0]);
  node.args[0] = registeredName(name);
  return name === "matches" ? checkedPattern(node.args.at(-1)) : [];
}

function checkedPattern(argument: unknown): ExpressionFault[] {
  const pattern = nodesIn(argument).at(-1);
  if (pattern?.op !== "value" || typeof pattern.args !== "string") return [];
  try {
    cachedPattern(pattern.args);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [faultAt(pattern, `the pattern ${JSON.stringify(pattern.args)} is not valid: ${error.message}`)];
  }
}

/** `c ? x : null` is of any type: a null that is written out fits the other branch, whatever that is. */
function loosenNullBranch(node: TreeNode): void {
  const branches = nodesIn(node.args).slice(1);
  for (const branch of branches)
    if (branch.op === "value" && branch.args === null)
      branch.setMeta("check", (checker: Checker) => checker.dynType);
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

/** Keys that get lost, and those of which the last one would stay: the engine takes 1 and '1' for the same. */
function misreadKeys(node: TreeNode): ExpressionFault[] {
  const entries = Array.isArray(node.args) ? node.args : [];
  const seen = new Set<string>();
  return entries
    .flatMap((entry) => nodesIn(entry).slice(0, 1))
    .filter((key) => key.op === "value")
    .flatMap((key) => {
      const name = String(key.args);
      if (LOST_KEYS.has(name)) return [faultAt(key, `a map made here cannot have the key ${name}`)];
      if (seen.has(name)) return [faultAt(key, `the key ${name} stands in this map twice`)];
      seen.add(name);
      return [];
    });
}

const LARGEST_INT = 2n ** 63n;

/** Literals that the engine takes for something else than they say. */
function misreadLiteral(node: TreeNode): ExpressionFault[] {
  if (typeof node.args === "bigint" && node.args > LARGEST_INT)
    return [faultAt(node, "a whole number has at most 64 bits")];
  const source = node.input?.slice(node.start, node.end) ?? "";
  if (node.args instanceof Uint8Array && /[^\0-\x7F]/.test(source))
    return [faultAt(node, 'bytes beyond ASCII are written as bytes("…")')];
  return [];
}
