import type { ASTNode } from "@marcbachmann/cel-js";
import { FunctionError } from "../functions/index.ts";
import type { Scope } from "../scope.ts";
import { type CelType, typeName } from "../types.ts";
import { bindingOf, type Checker, children, memberOf, rootOf, type TreeNode } from "./node.ts";
import { type ExpressionFault, faultAt } from "./prepare.ts";

/**
 * Before the type check: gives members of maps the types that their schemas give, and refuses the names that a closed
 * map cannot have. To the engine all of them are maps, which can be counted, looped over and compared as such.
 */
export function declareMembers(ast: ASTNode, scope: Scope): ExpressionFault[] {
  const faults: ExpressionFault[] = [];
  resolve(rootOf(ast), scope, faults);
  return faults;
}

/** The type of a node as far as it is known without the engine; the nodes below are declared on the way. */
function resolve(node: TreeNode, scope: Scope, faults: ExpressionFault[]): CelType {
  if (node.op === "id" && node.meta.alternate === undefined) return scope.get(String(node.args)) ?? "dyn";
  const binding = bindingOf(node);
  if (binding !== null) {
    const [type = "dyn"] = binding.outside.map((child) => resolve(child, scope, faults));
    const bound = node.op === "comprehension" ? elementOf(type) : type;
    const within = new Map(scope).set(binding.variable, bound);
    for (const child of binding.inside) resolve(child, within, faults);
    return "dyn";
  }
  const [type = "dyn"] = children(node)
    .filter((child) => child !== node)
    .map((child) => resolve(child, scope, faults));
  return node.op === "." || node.op === "[]" ? declared(node, type, faults) : "dyn";
}

function elementOf(type: CelType): CelType {
  return typeof type === "object" && "elements" in type ? type.elements : "dyn";
}

/** The type of the member or element that a node reads from a value of this type. */
function declared(node: TreeNode, type: CelType, faults: ExpressionFault[]): CelType {
  if (typeof type === "string" || !("members" in type)) return node.op === "[]" ? elementOf(type) : "dyn";
  const name = memberOf(node);
  if (name === null) return "dyn";
  const member = type.members.get(name);
  if (member === undefined) {
    if (type.isClosed) faults.push(faultAt(node, strangerAmong(name, type.members)));
    return "dyn";
  }
  if (member !== "dyn") declareType(node, name, typeName(member));
  return member;
}

function strangerAmong(name: string, members: ReadonlyMap<string, unknown>): string {
  return `there is no ${name} here, only ${[...members.keys()].join(", ") || "an empty object"}`;
}

/** What the engine takes for granted once a type is known is looked at when the value is there. */
function declareType(node: TreeNode, name: string, type: string): void {
  const { check } = node.meta;
  node.setMeta("check", (checker: Checker, self: TreeNode, context: unknown) => {
    check(checker, self, context);
    const declaredType = checker.getType(type);
    const { handle } = self;
    self.handle = (...values) => {
      const value = handle?.(...values);
      const [, , , evaluator] = values;
      if (declaredType.matchesValueType(value, evaluator)) return value;
      throw new FunctionError(`${name} is not of the type ${type}`);
    };
    return declaredType;
  });
}
