import { type ASTNode, ParseError, parse } from "@marcbachmann/cel-js";
import { SORT_PAIRS } from "../functions/lists.ts";
import { isNode, nodesIn, rootOf, type TreeNode, visit } from "./node.ts";

/** What `sortBy` stands for, with its own list, variable and key put in. The library makes nodes by parsing alone. */
const MEANING = `[].map(x, [x, x]).${SORT_PAIRS}()`;

/**
 * Expands `list.sortBy(x, key)`: the elements in the order of what the key comes to for each of them. As in cel-go it is
 * a macro: pairs of a key and an element are made, and sorted. The library's own way to add macros cannot be taken,
 * since it expands them while it parses, and it cannot parse two things at a time.
 * @throws ParseError where the first argument is no name
 */
export function expandSortBy(ast: ASTNode): void {
  visit(rootOf(ast), (node) => {
    if (node.op !== "rcall" || !Array.isArray(node.args) || node.args[0] !== "sortBy") return;
    const [receiver] = nodesIn(node.args[1]);
    const [variable, key, ...others] = nodesIn(node.args[2]);
    if (receiver === undefined || variable === undefined || key === undefined || others.length > 0) return;
    node.setMeta("alternate", expansion(node, receiver, variable, key));
  });
}

function expansion(node: TreeNode, receiver: TreeNode, variable: TreeNode, key: TreeNode): TreeNode {
  if (variable.op !== "id") {
    const { pos, start, end } = variable;
    throw new ParseError("sortBy takes the name of an element first", { pos, start, end });
  }
  const call = rootOf(parse(MEANING).ast);
  const loop = nodesIn(call.args)[0]?.meta.alternate;
  if (!isNode(loop) || !isLoop(loop.args)) throw new TypeError("cel-js changed the shape of its macros");
  loop.args.iterable = receiver;
  loop.args.iterVarName = String(variable.args);
  loop.args.step.args.args = [key, variable];
  for (const made of [call, loop]) {
    made.start = node.start;
    made.end = node.end;
  }
  return call;
}

/** The comprehension that `map(x, [x, x])` is. */
interface Loop {
  iterable: TreeNode;
  iterVarName: string;
  step: TreeNode & { args: TreeNode };
}

function isLoop(args: unknown): args is Loop {
  if (typeof args !== "object" || args === null || !("step" in args) || !("iterVarName" in args))
    return false;
  return isNode(args.step) && isNode(args.step.args);
}
