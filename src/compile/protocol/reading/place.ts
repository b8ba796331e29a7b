import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { JsonValue } from "../../../json.ts";
import type { DiagnosticCode, DiagnosticList, Fix } from "../../diagnostic.ts";
import type { Span } from "../../document/source.ts";
import { spanOf, toJson, type YamlBlock } from "../../document/yaml.ts";
import { offsetInSource } from "./written.ts";

/** A node of a protocol block with what is needed to read it and to speak about it. */
export interface Place {
  block: YamlBlock;
  node: Node;
  diagnostics: DiagnosticList;
}

/** Says something about a place. */
export function report(
  place: Place,
  code: DiagnosticCode,
  message: string,
  fix: string | Fix | null = null,
): void {
  place.diagnostics.add(code, spanOf(place.block, place.node), message, fix);
}

/** What a node is, in the words that people use for YAML. */
export function kindOf(node: unknown): string {
  if (isMap(node)) return "a mapping";
  if (isSeq(node)) return "a list";
  if (isScalar(node))
    return node.value === null
      ? "nothing"
      : typeof node.value === "string"
        ? "text"
        : `a ${typeof node.value}`;
  return "an alias";
}

/** A node's JSON value. */
export function jsonAt(place: Place): JsonValue {
  return toJson(place.block, place.node);
}

/**
 * Text as it was written: a number or a date keeps its digits (`version: 1.10` is "1.10").
 * @returns null, with a diagnostic, where the node is no text
 */
export function textAt(place: Place, name: string): string | null {
  const { node } = place;
  if (isScalar(node) && node.value !== null) {
    return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
  }
  if (isScalar(node)) report(place, "empty-field", `${name} has no value`);
  else report(place, "wrong-type", `${name} is a text, not ${kindOf(node)}`);
  return null;
}

/** The part of a text node that an expression's offsets count in, as places of the document. */
export function spanWithin(place: Place, start: number, end: number): Span {
  const { block, node } = place;
  const range = node.range;
  if (range === null || range === undefined || !isScalar(node)) return spanOf(block, node);
  const written = block.excerpt.text.slice(range[0], range[1]);
  const value = typeof node.value === "string" ? node.value : written;
  const toSource = (offset: number): number =>
    block.excerpt.toSource(range[0] + offsetInSource(written, value, offset));
  return { start: toSource(start), end: Math.max(toSource(end), toSource(start) + 1) };
}
