import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import type { JsonValue } from "../../../json.ts";
import { whatWasMeant } from "../../../nearest.ts";
import { keyText, resolved } from "../../document/yaml.ts";
import { respelling } from "./corrections.ts";
import { jsonAt, kindOf, type Place, report, textAt } from "./place.ts";

/** Units of time, in milliseconds. */
const UNITS = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

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
      const why = node?.comment == null ? "" : ": what stands behind # is a comment";
      report(this.keyPlace(key), "empty-field", `${this.nameOf(key)} has no value${why}`);
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

  /** Milliseconds from `10` (seconds), `2.5`, `500ms`, `10s`, `5m`, `1h` or `1d`. */
  milliseconds(key: string, least: number, most: number): number | null {
    const place = this.at(key);
    if (place === null) return null;
    const [, amount, unit = "s"] =
      /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(textAt(place, this.nameOf(key)) ?? "") ?? [];
    const value = amount === undefined ? Number.NaN : Math.round(Number(amount) * (UNITS.get(unit) ?? 1));
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
    const fix = respelling(place, whatWasMeant(text, choices), (meant) => `${key}: ${meant}`);
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
    return this.textItems(key).map(({ text }) => text);
  }

  /** As `texts`, each with its place. */
  textItems(key: string): { text: string; place: Place }[] {
    const place = this.at(key);
    if (place === null) return [];
    const items = isScalar(place.node) ? [{ place, name: this.nameOf(key) }] : this.items(key);
    return items.flatMap((item) => {
      const text = textAt(item.place, item.name);
      return text === null ? [] : [{ text, place: item.place }];
    });
  }

  json(key: string): JsonValue | undefined {
    const place = this.at(key);
    return place === null ? undefined : jsonAt(place);
  }

  /** Warns of keys that nobody asked for, with the one that was probably meant. */
  finish(): void {
    const absent = new Set([...this.#asked].filter((key) => !this.#pairs.has(key)));
    for (const key of this.keys) {
      if (this.#asked.has(key)) continue;
      if (!this.place.diagnostics.takes("unknown-field")) return;
      const place = this.keyPlace(key);
      const meant = whatWasMeant(key, absent);
      // A mapping has no key twice, so two slips of one name are not both written right.
      if (meant !== null) absent.delete(meant.name);
      const fix = respelling(place, meant, (name) => `${name}:`);
      report(place, "unknown-field", `${this.nameOf(key)} is not a field that means anything here`, fix);
    }
  }
}
