import { isJsonObject, type JsonObject } from "../../../json.ts";
import { MAX_DIAGNOSTICS } from "../../../limits.ts";
import { whatWasMeant } from "../../../nearest.ts";
import {
  backtrackingPatterns,
  checkSchema,
  knownKeywords,
  type SchemaFault,
  type SchemaPath,
  walkSchema,
} from "../../../schema/index.ts";
import { respelling } from "../reading/corrections.ts";
import { jsonAt, type Place, report } from "../reading/place.ts";
import { rewriteHabits } from "./habits.ts";
import type { Moves } from "./moves.ts";
import { checkOwnValues } from "./own-values.ts";
import { fieldPlace, keyPlace } from "./places.ts";
import { settleReferences } from "./references.ts";
import { checkRequired } from "./required.ts";

/**
 * Reads a JSON Schema and checks it, and the values that it gives for itself. Null where it is a bad one.
 * @param isUpload whether patterns that may take exponential time make it a bad one
 */
export function readSchema(place: Place, name: string, isUpload: boolean): JsonObject | null {
  const schema = jsonAt(place);
  if (!isJsonObject(schema)) {
    report(place, "wrong-type", `${name} is a JSON Schema, a mapping`);
    return null;
  }
  const moves = rewriteHabits(place, schema);
  settleReferences(place, schema, moves);
  const faults = checkSchema(schema);
  for (const fault of faults.slice(0, MAX_DIAGNOSTICS)) reportSchemaFault(place, fault, moves);
  walkSchema(schema, (subschema, path) => warnOfKeywords(place, subschema, moves.written(path)));
  if (faults.length > 0 || !mayUsePatterns(place, schema, isUpload, moves)) return null;
  walkSchema(schema, (subschema, path) => {
    checkRequired(place, name, subschema, path, moves);
    checkOwnValues(place, schema, subschema, path, moves);
  });
  return schema;
}

const FAULT_CODES = {
  keyword: "schema-keyword-invalid",
  pattern: "schema-pattern-invalid",
  reference: "schema-reference-invalid",
} as const;

function reportSchemaFault(place: Place, { kind, path, message, fix }: SchemaFault, moves: Moves): void {
  report(fieldPlace(place, moves.written(path)), FAULT_CODES[kind], message, fix);
}

/**
 * Whoever uploads a slow pattern can also choose the text that it is slow on; a bundled skill is only warned.
 */
function mayUsePatterns(place: Place, schema: JsonObject, isUpload: boolean, moves: Moves): boolean {
  const slow = backtrackingPatterns(schema);
  const code = isUpload ? "schema-pattern-forbidden" : "schema-pattern-backtracks";
  for (const { path, message } of slow) {
    const written = moves.written(path);
    const where =
      written.at(-2) === "patternProperties"
        ? keyPlace(place, written.slice(0, -1), String(written.at(-1)))
        : fieldPlace(place, written);
    report(where, code, `this pattern may take exponential time: ${message}`);
  }
  return slow.length === 0 || !isUpload;
}

function warnOfKeywords(place: Place, schema: JsonObject, written: SchemaPath): void {
  for (const keyword of Object.keys(schema)) {
    if (keyword.startsWith("x-") || knownKeywords.has(keyword)) continue;
    if (!place.diagnostics.takes("unknown-field")) return;
    const absent = [...knownKeywords].filter((known) => schema[known] === undefined);
    const meant = whatWasMeant(keyword, absent);
    if (meant === null) continue;
    const key = keyPlace(place, written, keyword);
    const fix = respelling(key, meant, (name) => `${name}:`);
    report(key, "unknown-field", `${keyword} means nothing in JSON Schema 2020-12`, fix);
  }
}
