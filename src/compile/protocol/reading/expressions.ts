import { isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import { compileExpression, type Scope, splitTemplate, templateFromText } from "../../../expression/index.ts";
import type { Template } from "../../../ir.ts";
import { probablyMeant } from "../../../nearest.ts";
import { keyText, resolved } from "../../document/yaml.ts";
import { jsonAt, type Place, spanWithin, textAt } from "./place.ts";

/** Checks an expression where it stands; its faults are reported at their own columns. */
function checkAt(place: Place, source: string, scope: Scope, name: string, offset = 0): string | null {
  const compilation = compileExpression(source, scope);
  if (compilation.ok) return compilation.expression.type;
  for (const { message, start, end, unknownName } of compilation.faults) {
    if (!place.diagnostics.takes("expression-invalid")) break;
    const span = spanWithin(place, offset + start, offset + end);
    const meant = unknownName === undefined ? null : probablyMeant(unknownName, scope.keys());
    place.diagnostics.add("expression-invalid", span, `${name}: ${message}`, meant);
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
  return typedAt(place, name, scope, CONDITION);
}

/** As `expressionAt`, for an expression that must give a list. */
export function listAt(place: Place | null, name: string, scope: Scope): string | null {
  return typedAt(place, name, scope, LIST);
}

/** What an expression must give, and what is said where it does not. */
interface Demand {
  type: RegExp;
  code: "expression-not-boolean" | "expression-not-list";
  is: string;
}

const CONDITION: Demand = { type: /^(?:bool|dyn)\b/, code: "expression-not-boolean", is: "true or false" };
const LIST: Demand = { type: /^(?:list|dyn)\b/, code: "expression-not-list", is: "a list" };

function typedAt(place: Place | null, name: string, scope: Scope, demand: Demand): string | null {
  const source = place === null ? null : textAt(place, name);
  if (place === null || source === null) return null;
  const type = checkAt(place, source, scope, name);
  if (type === null) return null;
  if (demand.type.test(type)) return source;
  const span = spanWithin(place, 0, source.length);
  place.diagnostics.add(demand.code, span, `${name} gives ${demand.is}, not ${type}`);
  return null;
}

/** An expression where it stands: offsets count in the text of the place. */
export interface PlacedExpression {
  place: Place;
  source: string;
  offset: number;
}

/** The expressions of a template, where they stand. */
export function expressionsWithin(place: Place): PlacedExpression[] {
  const node = resolved(place.block, place.node);
  if (isMap<Node, Node | null>(node))
    return node.items.flatMap(({ value }) =>
      value === null ? [] : expressionsWithin({ ...place, node: value }),
    );
  if (isSeq<Node>(node)) return node.items.flatMap((item) => expressionsWithin({ ...place, node: item }));
  if (!isScalar(node) || typeof node.value !== "string") return [];
  const split = splitTemplate(node.value);
  const pieces = split.ok ? split.pieces : [];
  return pieces.flatMap((piece) =>
    typeof piece === "string"
      ? []
      : [{ place: { ...place, node }, source: piece.source, offset: piece.start }],
  );
}

/** Reads a template: texts may hold `${ … }`, lists and mappings hold templates, all else is itself. */
export function templateAt(place: Place, name: string, scope: Scope): Template | null {
  const node = resolved(place.block, place.node);
  if (isMap<Node, Node | null>(node)) return objectTemplateAt({ ...place, node }, node.items, name, scope);
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) =>
      templateAt({ ...place, node: item }, `${name}[${index}]`, scope),
    );
    return { kind: "array", items: items.filter((item) => item !== null) };
  }
  if (isScalar(node) && typeof node.value === "string")
    return textTemplateAt({ ...place, node }, node.value, name, scope);
  return { kind: "literal", value: jsonAt(place) };
}

function objectTemplateAt(
  place: Place,
  items: readonly Pair<Node, Node | null>[],
  name: string,
  scope: Scope,
): Template {
  const members = items.flatMap(({ key, value }): [string, Template][] => {
    const member = keyText(key);
    if (value === null) return [[member, { kind: "literal", value: null }]];
    const template = templateAt({ ...place, node: value }, `${name}.${member}`, scope);
    return template === null ? [] : [[member, template]];
  });
  return { kind: "object", members };
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
