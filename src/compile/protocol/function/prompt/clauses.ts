import type { PromptPiece } from "../../../../ir.ts";
import type { JsonObject } from "../../../../json.ts";
import { type Place, report } from "../../reading/place.ts";
import { fieldPlace, keyPlace } from "../../schema/places.ts";
import { reportUnknownPlaceholder } from "../placeholder.ts";
import { splitAtPlaceholders } from "./braces.ts";

/** What an optional parameter adds to a prompt where it is given. */
export interface Clause {
  parameter: string;
  pieces: PromptPiece[];
}

const KEY = "x-clause-key";
const TEMPLATE = "x-clause-template";

/** Reads the clauses of a function's parameters, by the keys that stand for them in the prompt. */
export function readClauses(
  properties: ReadonlyMap<string, JsonObject>,
  required: readonly string[],
  place: Place | null,
): Map<string, Clause> {
  const clauses = new Map<string, Clause>();
  if (place === null) return clauses;
  const reader = new ClauseReader(properties, place);
  for (const [name, schema] of properties) {
    const key = reader.key(name, schema, clauses);
    if (schema[KEY] !== undefined && isNeverAbsent(schema, required.includes(name)))
      reader.reportAlwaysPresent(name);
    const pieces = reader.template(name, schema);
    if (key !== null) clauses.set(key, { parameter: name, pieces });
  }
  return clauses;
}

/** Where a parameter's own words about its clause stand. */
export function clauseKeyPlace(place: Place, name: string): Place {
  return fieldPlace(place, ["properties", name, KEY]);
}

/** A default is filled in before anything sees the arguments; one that has no text leaves the clause out. */
function isNeverAbsent(schema: JsonObject, isRequired: boolean): boolean {
  return isRequired || (schema.default !== undefined && schema.default !== null && schema.default !== "");
}

class ClauseReader {
  readonly #properties: ReadonlyMap<string, JsonObject>;
  readonly #place: Place;

  constructor(properties: ReadonlyMap<string, JsonObject>, place: Place) {
    this.#properties = properties;
    this.#place = place;
  }

  /** The key of a parameter's clause; null where it has none that can be used. */
  key(name: string, schema: JsonObject, others: ReadonlyMap<string, Clause>): string | null {
    const key = schema[KEY];
    if (key === undefined) return null;
    if (schema[TEMPLATE] === undefined) this.#reportIncomplete(name, KEY, `${TEMPLATE}: "… {value} …"`);
    if (typeof key !== "string" || !/^[^{}\n]+$/.test(key)) {
      report(clauseKeyPlace(this.#place, name), "wrong-type", `${KEY} is a name without braces`);
      return null;
    }
    const owner = others.get(key)?.parameter;
    if (owner === undefined && !this.#properties.has(key)) return key;
    const message = owner === undefined ? `${key} is a parameter` : `${key} is the key of ${owner} already`;
    const where = clauseKeyPlace(this.#place, name);
    report(where, "clause-key-taken", `${message}, so {${key}} would mean two things`);
    return null;
  }

  template(name: string, schema: JsonObject): PromptPiece[] {
    const template = schema[TEMPLATE];
    if (template === undefined) return [];
    if (schema[KEY] === undefined) this.#reportIncomplete(name, TEMPLATE, `${KEY}: ${name}_clause`);
    const place = (): Place => fieldPlace(this.#place, ["properties", name, TEMPLATE]);
    if (typeof template !== "string") {
      report(place(), "wrong-type", `${TEMPLATE} is a text`);
      return [];
    }
    const pieces = splitAtPlaceholders(template, (candidate) => this.#properties.has(candidate));
    return pieces.map((piece): PromptPiece => {
      if (typeof piece === "string") return piece;
      if (piece.name === "value") return { parameter: name };
      if (!this.#properties.has(piece.name))
        reportUnknownPlaceholder(place(), `the clause of ${name}`, piece, [
          "value",
          ...this.#properties.keys(),
        ]);
      return { parameter: piece.name };
    });
  }

  reportAlwaysPresent(name: string): void {
    const message = `${name} is never absent, so its clause is always there`;
    report(keyPlace(this.#place, ["properties", name], KEY), "clause-always-present", message);
  }

  #reportIncomplete(name: string, keyword: string, fix: string): void {
    const other = keyword === KEY ? TEMPLATE : KEY;
    const message = `${name} has an ${keyword} and no ${other}`;
    report(keyPlace(this.#place, ["properties", name], keyword), "clause-incomplete", message, fix);
  }
}
