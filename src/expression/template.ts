import type { Template } from "../ir.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../json.ts";
import type { ExpressionFault } from "./tree/prepare.ts";

/** A template, or what is wrong with its text. */
export type TemplateParse = { ok: true; template: Template } | { ok: false; fault: ExpressionFault };

/** A place of an expression within a template's text, for diagnostics. Offsets are UTF-16 units. */
export interface EmbeddedExpression {
  source: string;
  start: number;
}

type Pieces = { ok: true; pieces: (string | EmbeddedExpression)[] } | { ok: false; fault: ExpressionFault };

/**
 * Cuts a text at its `${ … }`. Braces and quotes inside an expression are respected; `$${` is a literal `${`.
 */
export function splitTemplate(text: string): Pieces {
  const pieces: (string | EmbeddedExpression)[] = [];
  let literal = "";
  for (let offset = 0; offset < text.length; ) {
    if (text.startsWith("$${", offset)) {
      literal += "${";
      offset += 3;
    } else if (text.startsWith("${", offset)) {
      const end = expressionEnd(text, offset + 2);
      if (end === -1) {
        return {
          ok: false,
          fault: { message: "`${` is never closed by `}`", start: offset, end: text.length },
        };
      }
      if (literal !== "") pieces.push(literal);
      literal = "";
      pieces.push({ source: text.slice(offset + 2, end), start: offset + 2 });
      offset = end + 1;
    } else {
      literal += text[offset];
      offset++;
    }
  }
  if (literal !== "" || pieces.length === 0) pieces.push(literal);
  return { ok: true, pieces };
}

/**
 * What may hold a brace that is none: texts of CEL (also in triple quotes, where lines may end) and comments.
 */
const OPAQUE =
  /"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\/\/[^\n]*/y;

/** The offset of the `}` that ends an expression, or -1. */
function expressionEnd(text: string, from: number): number {
  let depth = 0;
  let offset = from;
  while (offset < text.length) {
    OPAQUE.lastIndex = offset;
    const opaque = OPAQUE.exec(text);
    const character = text[offset];
    if (opaque !== null) offset += opaque[0].length;
    else if (character === '"' || character === "'") return -1;
    else if (character === "}" && depth === 0) return offset;
    else {
      depth += character === "{" ? 1 : character === "}" ? -1 : 0;
      offset++;
    }
  }
  return -1;
}

/** A template from a text: a single expression keeps its value's type, anything else is spliced into text. */
export function templateFromText(text: string): TemplateParse {
  const split = splitTemplate(text);
  if (!split.ok) return split;
  const [first] = split.pieces;
  if (split.pieces.length === 1 && first !== undefined) {
    const template: Template =
      typeof first === "string"
        ? { kind: "literal", value: first }
        : { kind: "expression", source: first.source };
    return { ok: true, template };
  }
  const parts = split.pieces.map((piece) => (typeof piece === "string" ? piece : { source: piece.source }));
  return { ok: true, template: { kind: "text", parts } };
}

/** The expressions of a template, in order. */
export function templateExpressions(template: Template): string[] {
  switch (template.kind) {
    case "literal":
    case "argument":
      return [];
    case "expression":
      return [template.source];
    case "text":
      return template.parts.flatMap((part) => (typeof part === "string" ? [] : [part.source]));
    case "object":
      return template.members.flatMap(([, member]) => templateExpressions(member));
    case "array":
      return template.items.flatMap(templateExpressions);
  }
}

/** Where a template's values come from; the caller decides in which scope expressions are computed. */
export interface TemplateContext {
  /** An argument by name, null where it was not given. */
  argument(name: string): JsonValue;
  evaluate(source: string): { ok: true; value: JsonValue } | { ok: false; reason: string };
}

/** The value of a template, or which of its expressions has none, and why. */
export type Rendering = { ok: true; value: JsonValue } | { ok: false; source: string; reason: string };

/**
 * Makes a template's value. Within an object, a member that comes out as null is left out; in an array it
 * stays. What an argument contains is never read as a template again.
 */
export function renderTemplate(template: Template, context: TemplateContext): Rendering {
  switch (template.kind) {
    case "literal":
      return { ok: true, value: template.value };
    case "argument":
      return { ok: true, value: context.argument(template.name) };
    case "expression":
      return named(template.source, context);
    case "text":
      return renderText(template.parts, context);
    case "object":
      return renderObject(template.members, context);
    case "array":
      return renderArray(template.items, context);
  }
}

function named(source: string, context: TemplateContext): Rendering {
  const result = context.evaluate(source);
  return result.ok ? result : { ok: false, source, reason: result.reason };
}

function renderText(parts: (string | { source: string })[], context: TemplateContext): Rendering {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const result = named(part.source, context);
    if (!result.ok) return result;
    text += spliced(result.value);
  }
  return { ok: true, value: text };
}

function renderObject(members: [string, Template][], context: TemplateContext): Rendering {
  const object = jsonObject();
  for (const [name, member] of members) {
    const result = renderTemplate(member, context);
    if (!result.ok) return result;
    if (result.value !== null) object[name] = result.value;
  }
  return { ok: true, value: object };
}

function renderArray(items: Template[], context: TemplateContext): Rendering {
  const array: JsonValue[] = [];
  for (const item of items) {
    const result = renderTemplate(item, context);
    if (!result.ok) return result;
    array.push(result.value);
  }
  return { ok: true, value: array };
}

/** How a value reads inside a text: null is nothing, lists and objects are JSON. */
function spliced(value: JsonValue): string {
  if (value === null) return "";
  return Array.isArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}
