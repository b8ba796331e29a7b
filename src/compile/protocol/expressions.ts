import { isMap, isScalar, isSeq, type Node } from "yaml";
import { compileExpression, type Scope, splitTemplate, templateFromText } from "../../expression/index.ts";
import type { Template } from "../../ir.ts";
import { keyText } from "../document/yaml.ts";
import { jsonAt, type Place, spanWithin, textAt } from "./reader.ts";

/** Checks an expression where it stands; its faults are reported at their own columns. */
function checkAt(place: Place, source: string, scope: Scope, name: string, offset = 0): string | null {
  const compilation = compileExpression(source, scope);
  if (compilation.ok) return compilation.expression.type;
  for (const { message, start, end } of compilation.faults) {
    const span = spanWithin(place, offset + start, offset + end);
    place.diagnostics.add("expression-invalid", span, `${name}: ${message}`);
  }
  return null;
}

/** Reads a field that is an expression by nature. Null, with diagnostics, where it is not a good one. */
export function expressionAt(place: Place | null, name: string, scope: Scope): string | null {
  const source = place === null ? null : textAt(place, name);
  if (place === null || source === null) return null;
  return checkAt(place, source, scope, name) === null ? null : source;
}

/** As `expressionAt`, for an expression that must give true or false. */
export function conditionAt(place: Place | null, name: string, scope: Scope): string | null {
  const source = place === null ? null : textAt(place, name);
  if (place === null || source === null) return null;
  const type = checkAt(place, source, scope, name);
  if (type === null) return null;
  if (type === "bool" || type === "dyn") return source;
  const span = spanWithin(place, 0, source.length);
  place.diagnostics.add("expression-not-boolean", span, `${name} gives true or false, not ${type}`);
  return null;
}

/** Reads a template: texts may hold `${ … }`, lists and mappings hold templates, all else is itself. */
export function templateAt(place: Place, name: string, scope: Scope): Template | null {
  const { node } = place;
  if (isMap<Node, Node | null>(node)) {
    const members = node.items.map(({ key, value }): [string, Template | null] => [
      keyText(key),
      value === null
        ? { kind: "literal", value: null }
        : templateAt({ ...place, node: value }, `${name}.${keyText(key)}`, scope),
    ]);
    return {
      kind: "object",
      members: members.flatMap(([key, member]) => (member === null ? [] : [[key, member]])),
    };
  }
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) =>
      templateAt({ ...place, node: item }, `${name}[${index}]`, scope),
    );
    return { kind: "array", items: items.filter((item) => item !== null) };
  }
  if (isScalar(node) && typeof node.value === "string") return textTemplateAt(place, node.value, name, scope);
  const value = jsonAt(place);
  return value === undefined ? null : { kind: "literal", value };
}

function textTemplateAt(place: Place, text: string, name: string, scope: Scope): Template | null {
  const split = splitTemplate(text);
  if (!split.ok) {
    const span = spanWithin(place, split.fault.start, split.fault.end);
    place.diagnostics.add("expression-invalid", span, `${name}: ${split.fault.message}`);
    return null;
  }
  for (const piece of split.pieces) {
    if (typeof piece !== "string") checkAt(place, piece.source, scope, name, piece.start);
  }
  const parsed = templateFromText(text);
  return parsed.ok ? parsed.template : null;
}
