import type { Binding, PromptPart } from "../../../../ir.ts";
import type { JsonObject } from "../../../../json.ts";
import { MAX_DIAGNOSTICS } from "../../../../limits.ts";
import { type Place, report } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { declaredParameters } from "../../schema/parameters.ts";
import { keyPlace } from "../../schema/places.ts";
import { reportUnknownPlaceholder } from "../placeholder.ts";
import type { Parameters } from "../request/placement.ts";
import { splitAtPlaceholders } from "./braces.ts";
import { type Clause, clauseKeyPlace, readClauses } from "./clauses.ts";

/**
 * Reads `prompt`: a text in which `{name}` stands for a parameter, or for the clause that an optional
 * parameter has under this key.
 */
export function readPrompt(fields: FieldReader, { schema, place }: Parameters): Binding {
  const text = fields.text("prompt");
  const promptPlace = fields.at("prompt");
  if (text === null || promptPlace === null) return { kind: "declaration" };
  if (text.trim() === "") report(promptPlace, "empty-field", `${fields.nameOf("prompt")} has no text`);
  const properties = declaredParameters(schema);
  const required = Array.isArray(schema.required) ? schema.required.filter(isText) : [];
  const clauses = readClauses(properties, required, place);
  const prompt = new PromptReader(fields.nameOf("prompt"), promptPlace, properties, clauses);
  const parts = prompt.read(text);
  if (place !== null) prompt.reportUnused(text, place);
  return { kind: "prompt", parts };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

class PromptReader {
  readonly #name: string;
  readonly #place: Place;
  readonly #properties: ReadonlyMap<string, JsonObject>;
  readonly #clauses: ReadonlyMap<string, Clause>;
  /** The parameters and the keys of clauses that the prompt names. */
  readonly #placed = new Set<string>();

  constructor(
    name: string,
    place: Place,
    properties: ReadonlyMap<string, JsonObject>,
    clauses: ReadonlyMap<string, Clause>,
  ) {
    this.#name = name;
    this.#place = place;
    this.#properties = properties;
    this.#clauses = clauses;
  }

  read(text: string): PromptPart[] {
    const isName = (name: string): boolean => this.#properties.has(name) || this.#clauses.has(name);
    return splitAtPlaceholders(text, isName).map((piece): PromptPart => {
      if (typeof piece === "string") return piece;
      const { name } = piece;
      this.#placed.add(name);
      const clause = this.#clauses.get(name);
      if (clause !== undefined) return { clause: clause.parameter, pieces: clause.pieces };
      if (!this.#properties.has(name)) this.#reportUnknown(piece);
      return { parameter: name };
    });
  }

  #reportUnknown(piece: { name: string; start: number; end: number }): void {
    const known = [...this.#properties.keys(), ...this.#clauses.keys()];
    reportUnknownPlaceholder(this.#place, this.#name, piece, known);
  }

  /** Says which clauses the prompt does not place, and which parameters neither it nor a clause uses. */
  reportUnused(text: string, parameters: Place): void {
    const unplaced = [...this.#clauses].filter(([key]) => !this.#placed.has(key));
    for (const [key, { parameter }] of unplaced.slice(0, MAX_DIAGNOSTICS)) {
      const message = `the prompt places {${key}} nowhere, so the clause of ${parameter} is never there`;
      report(clauseKeyPlace(parameters, parameter), "clause-not-placed", message, `{${key}} in the prompt`);
    }
    const used = this.#used();
    const unused = [...this.#properties].filter(
      ([name, schema]) => !used.has(name) && schema["x-clause-key"] === undefined,
    );
    for (const [name] of unused.slice(0, MAX_DIAGNOSTICS)) {
      const isEscaped = text.includes(`{{${name}}}`);
      const why = isEscaped ? `: {{${name}}} is the text {${name}} there` : "";
      const message = `${name} stands nowhere in the prompt${why}`;
      const where = keyPlace(parameters, ["properties"], name);
      report(where, "parameter-not-placed", message, isEscaped ? `{${name}}` : null);
    }
  }

  #used(): Set<string> {
    const inClauses = [...this.#clauses.values()].flatMap(({ pieces }) =>
      pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.parameter])),
    );
    return new Set([...this.#placed, ...inClauses]);
  }
}
