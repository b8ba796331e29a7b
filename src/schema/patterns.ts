import { isJsonObject, type JsonObject } from "../json.ts";
import { MAX_SCHEMA_PATTERN_STATES } from "../limits.ts";
import { cachedPattern, PatternError } from "../pattern/index.ts";
import type { SchemaFault, SchemaPath } from "./walk.ts";

/** What is wrong with the patterns of one document's schema, one schema in it after the other. */
export class PatternChecks {
  #statesLeft = MAX_SCHEMA_PATTERN_STATES;

  /** The faults of a schema's own patterns. After those that are too large in all, no more are looked at. */
  faults({ pattern, patternProperties }: JsonObject, path: SchemaPath): SchemaFault[] {
    const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    const patterns = names.map((name): [string, SchemaPath] => [name, [...path, "patternProperties", name]]);
    if (typeof pattern === "string") patterns.push([pattern, [...path, "pattern"]]);
    return patterns.flatMap(([source, at]) => {
      const message = this.#fault(source);
      return message === null ? [] : [{ kind: "pattern", path: at, message, fix: null }];
    });
  }

  #fault(source: string): string | null {
    if (this.#statesLeft < 0) return null;
    const reason = whyNoPattern(source);
    if (reason !== null) return `the pattern ${source} is not valid: ${reason}`;
    this.#statesLeft -= sizeOf(source);
    return this.#statesLeft >= 0
      ? null
      : `all patterns of this schema together have more than ${MAX_SCHEMA_PATTERN_STATES} states`;
  }
}

/** Why a text is no regular expression of ECMA-262 in Unicode mode, as JSON Schema recommends, or null. */
function whyNoPattern(source: string): string | null {
  try {
    // Whether a pattern is too large for the engine shows when it is first run.
    new RegExp(source, "u").test("");
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.replace(/^.*\/u?: /s, "").toLowerCase();
  }
}

/** The states of a pattern; where only `RegExp` reads it, its characters. */
function sizeOf(source: string): number {
  try {
    return cachedPattern(source, "ecmascript").size;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return source.length;
  }
}
