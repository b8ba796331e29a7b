import { type Document, isAlias, isMap, isScalar, type Node, parseDocument, type Scalar } from "yaml";
import { type JsonValue, jsonObject } from "../../json.ts";
import { MAX_NESTING, MAX_YAML_ALIASES } from "../../limits.ts";
import type { DiagnosticList } from "../diagnostic.ts";
import type { Excerpt, Span } from "./source.ts";

/** A YAML (or JSON) text of a document, parsed, with the way back to the document's places. */
export interface YamlBlock {
  document: Document.Parsed;
  excerpt: Excerpt;
}

/** What the parser found wrong, with offsets in the excerpt. */
export interface YamlFault {
  code: "yaml-syntax" | "duplicate-key";
  message: string;
  start: number;
  end: number;
}

/** Parses YAML 1.2 (core schema, unique keys). Never throws; faults come back with the document. */
export function parseYaml(excerpt: Excerpt): { block: YamlBlock; faults: YamlFault[] } {
  const document = parseDocument(excerpt.text, {
    version: "1.2",
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: "silent",
  });
  const faults = document.errors.map(
    ({ code, message, pos }): YamlFault => ({
      code: code === "DUPLICATE_KEY" ? "duplicate-key" : "yaml-syntax",
      message: code === "DUPLICATE_KEY" ? "this key stands twice in the same mapping" : plainMessage(message),
      start: pos[0],
      end: Math.max(pos[1], pos[0] + 1),
    }),
  );
  return { block: { document, excerpt }, faults };
}

/** The parser's sentence without its advice about its own options, beginning in lower case. */
function plainMessage(message: string): string {
  const [sentence = message] = message.split("\n");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Reports faults of a block at their places in the document. */
export function reportYamlFaults(
  faults: readonly YamlFault[],
  excerpt: Excerpt,
  diagnostics: DiagnosticList,
): void {
  for (const { code, message, start, end } of faults) {
    diagnostics.add(code, { start: excerpt.toSource(start), end: excerpt.toSource(end) }, message);
  }
}

/** The place of a node in the document. */
export function spanOf(block: YamlBlock, node: Node | null | undefined): Span {
  const range = node?.range;
  if (range === null || range === undefined)
    return { start: block.excerpt.toSource(0), end: block.excerpt.toSource(0) };
  return { start: block.excerpt.toSource(range[0]), end: block.excerpt.toSource(range[1]) };
}

/**
 * A node's value as JSON. Aliases are followed, up to a limit; keys that are not text become text.
 * @returns undefined, with a diagnostic, where the limits on aliases or nesting are passed
 */
export function toJson(
  block: YamlBlock,
  node: Node | null,
  diagnostics: DiagnosticList,
): JsonValue | undefined {
  let aliases = 0;
  const convert = (item: unknown, depth: number): JsonValue => {
    if (depth > MAX_NESTING) throw new LimitError("nesting-limit", `nested more than ${MAX_NESTING} deep`);
    if (isAlias(item)) {
      if (++aliases > MAX_YAML_ALIASES)
        throw new LimitError("alias-limit", `more than ${MAX_YAML_ALIASES} aliases`);
      return convert(item.resolve(block.document) ?? null, depth + 1);
    }
    if (isScalar(item)) return scalarToJson(item);
    if (isMap(item)) {
      return jsonObject(
        item.items.map(({ key, value }) => [keyText(key), convert(value, depth + 1)] as const),
      );
    }
    if (isSequenceLike(item)) return item.items.map((member) => convert(member, depth + 1));
    return null;
  };
  try {
    return convert(node, 0);
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    diagnostics.add(error.code, spanOf(block, node), error.message);
    return undefined;
  }
}

class LimitError extends Error {
  readonly code: "alias-limit" | "nesting-limit";
  constructor(code: "alias-limit" | "nesting-limit", message: string) {
    super(message);
    this.code = code;
  }
}

function isSequenceLike(item: unknown): item is { items: unknown[] } {
  return typeof item === "object" && item !== null && "items" in item && Array.isArray(item.items);
}

/** JSON has neither infinities nor integers beyond 2^53: such numbers keep the text that they were written as. */
function scalarToJson(scalar: Scalar): JsonValue {
  const { value } = scalar;
  if (typeof value === "number") {
    const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return exact ? value : (scalar.source ?? String(value));
  }
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  return scalar.source ?? String(value);
}

/** The text of a mapping's key. */
export function keyText(key: unknown): string {
  if (isScalar(key)) return key.source ?? String(key.value);
  return String(key);
}
