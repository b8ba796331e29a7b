import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import type { JsonValue } from "../../json.ts";
import { probablyMeant } from "../../nearest.ts";
import type { DiagnosticCode, DiagnosticList } from "../diagnostic.ts";
import type { Span } from "../document/source.ts";
import { keyText, resolved, spanOf, toJson, type YamlBlock } from "../document/yaml.ts";
import { offsetInSource } from "./written.ts";

/** A node of a protocol block with what is needed to read it and to speak about it. */
export interface Place {
  block: YamlBlock;
  node: Node;
  diagnostics: DiagnosticList;
}

/** Says something about a place. */
export function report(place: Place, code: DiagnosticCode, message: string, fix: string | null = null): void {
  place.diagnostics.add(code, spanOf(place.block, place.node), message, fix);
}

/** What a node is, in the words that people use for YAML. */
function kindOf(node: unknown): string {
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

/** Reads a mapping field by field, and at the end says which keys nobody asked for. */
export class FieldReader {
  readonly place: Place;
  /** How messages name the mapping, e.g. `functions[0]`. */
  readonly name: string;
  readonly #pairs = new Map<string, Pair<Node, Node | null>>();
  readonly #asked = new Set<string>();

  private constructor(place: Place, map: YAMLMap<Node, Node | null>, name: string) {
    this.place = place;
    this.name = name;
    for (const pair of map.items) this.#pairs.set(keyText(pair.key), pair);
  }

  /** A reader of a place's mapping; null, with a diagnostic, where it is none. */
  static at(place: Place, name: string): FieldReader | null {
    const node = place.node;
    if (isMap<Node, Node | null>(node)) return new FieldReader(place, node, name);
    report(place, "wrong-type", `${name} is a mapping, not ${kindOf(node)}`);
    return null;
  }

  get keys(): string[] {
    return [...this.#pairs.keys()];
  }

  has(key: string): boolean {
    this.#asked.add(key);
    return this.#pairs.has(key);
  }

  /** The place of a field's value, or null where the field is absent or empty (which is said). */
  at(key: string): Place | null {
    this.#asked.add(key);
    const pair = this.#pairs.get(key);
    if (pair === undefined) return null;
    const node = resolved(this.place.block, pair.value);
    if (node === null || (isScalar(node) && node.value === null)) {
      report(this.keyPlace(key), "empty-field", `${this.nameOf(key)} has no value`);
      return null;
    }
    return { ...this.place, node };
  }

  /** The place of a key itself, or of the whole mapping where the key is absent. */
  keyPlace(key: string): Place {
    const node = this.#pairs.get(key)?.key;
    return node === undefined ? this.place : { ...this.place, node };
  }

  /**
   * The place of a field's value where there is one, otherwise that of its key; null where the field is
   * absent.
   */
  valuePlace(key: string): Place | null {
    const pair = this.#pairs.get(key);
    return pair === undefined
      ? null
      : { ...this.place, node: resolved(this.place.block, pair.value) ?? pair.key };
  }

  nameOf(key: string): string {
    return this.name === "" ? key : `${this.name}.${key}`;
  }

  text(key: string): string | null {
    const place = this.at(key);
    return place === null ? null : textAt(place, this.nameOf(key));
  }

  requiredText(key: string): string | null {
    if (!this.has(key)) {
      report(this.place, "missing-field", `${this.nameOf(key)} is missing`);
      return null;
    }
    return this.text(key);
  }

  boolean(key: string): boolean | null {
    const place = this.at(key);
    if (place === null) return null;
    if (isScalar(place.node) && typeof place.node.value === "boolean") return place.node.value;
    report(place, "wrong-type", `${this.nameOf(key)} is true or false, not ${kindOf(place.node)}`);
    return null;
  }

  /** A number within bounds (inclusive). */
  number(key: string, least: number, most: number, whole: boolean): number | null {
    const place = this.at(key);
    if (place === null) return null;
    const value = isScalar(place.node) ? place.node.value : undefined;
    const kind = whole ? "whole number" : "number";
    if (typeof value !== "number" || (whole && !Number.isInteger(value))) {
      report(place, "wrong-type", `${this.nameOf(key)} is a ${kind}, not ${kindOf(place.node)}`);
      return null;
    }
    if (value >= least && value <= most) return value;
    report(
      place,
      "value-out-of-range",
      `${this.nameOf(key)} is a ${kind} from ${least} to ${most}, not ${value}`,
    );
    return null;
  }

  /** Milliseconds from `10` (seconds), `2.5`, `500ms` or `10s`. */
  milliseconds(key: string, least: number, most: number): number | null {
    const place = this.at(key);
    if (place === null) return null;
    const match = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(textAt(place, this.nameOf(key)) ?? "");
    const value = match === null ? Number.NaN : Math.round(Number(match[1]) * (match[2] === "ms" ? 1 : 1000));
    if (value >= least && value <= most) return value;
    const message = `${this.nameOf(key)} is a time from ${least} ms to ${most / 1000} s, like 500ms, 10s or 10 (seconds)`;
    report(place, "value-out-of-range", message);
    return null;
  }

  oneOf<Choice extends string>(key: string, choices: readonly Choice[]): Choice | null {
    const place = this.at(key);
    const text = place === null ? null : textAt(place, this.nameOf(key));
    if (place === null || text === null) return null;
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    const meant = probablyMeant(text, choices);
    const fix = meant === null ? null : `${key}: ${meant}`;
    report(place, "not-one-of", `${this.nameOf(key)} is one of ${choices.join(", ")}, not ${text}`, fix);
    return null;
  }

  mapping(key: string): FieldReader | null {
    const place = this.at(key);
    return place === null ? null : FieldReader.at(place, this.nameOf(key));
  }

  /**
   * The places of a list's items; empty, with a diagnostic where it is present but no list.
   * @param most how many it may have; the rest is left out, with a diagnostic
   */
  items(key: string, most = Number.POSITIVE_INFINITY): { place: Place; name: string }[] {
    const place = this.at(key);
    if (place === null) return [];
    const { node } = place;
    if (!isSeq<Node>(node)) {
      report(place, "wrong-type", `${this.nameOf(key)} is a list, not ${kindOf(node)}`);
      return [];
    }
    const overMany = node.items[most];
    if (overMany !== undefined)
      report(
        { ...this.place, node: overMany },
        "value-out-of-range",
        `${this.nameOf(key)} has at most ${most} items`,
      );
    return node.items.slice(0, most).map((item, index) => ({
      place: { ...this.place, node: resolved(this.place.block, item) ?? item },
      name: `${this.nameOf(key)}[${index}]`,
    }));
  }

  /** A list of texts; one text alone is a list of one. */
  texts(key: string): string[] {
    const place = this.at(key);
    if (place === null) return [];
    if (isScalar(place.node)) return [textAt(place, this.nameOf(key))].filter((text) => text !== null);
    return this.items(key).flatMap((item) => textAt(item.place, item.name) ?? []);
  }

  json(key: string): JsonValue | undefined {
    const place = this.at(key);
    return place === null ? undefined : jsonAt(place);
  }

  /** Warns of keys that nobody asked for, with the one that was probably meant. */
  finish(): void {
    for (const key of this.keys) {
      if (this.#asked.has(key)) continue;
      const meant = probablyMeant(key, this.#asked);
      const message = `${this.nameOf(key)} is not a field that means anything here`;
      report(this.keyPlace(key), "unknown-field", message, meant === null ? null : `${meant}:`);
    }
  }
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
