import { type JsonObject, pointerTokens } from "../../../json.ts";
import { pointerOfReference, pointerTo, type SchemaPath, walkSchema } from "../../../schema/index.ts";
import { type Place, report } from "../reading/place.ts";
import type { Moves } from "./moves.ts";
import { fieldPlace } from "./places.ts";

/**
 * Makes every reference of a schema a JSON Pointer to where its target stands: those to an `$anchor` (JSON
 * Schema Core, section 8.2.2), which then goes, and those to places that moved.
 * @param schema the caller's own copy; it is changed in place
 */
export function settleReferences(place: Place, schema: JsonObject, moves: Moves): void {
  const anchors = new Map<string, SchemaPath>();
  const referring: JsonObject[] = [];
  walkSchema(schema, (subschema, path) => {
    const { $anchor: anchor, $ref: reference } = subschema;
    if (typeof reference === "string") referring.push(subschema);
    if (typeof anchor !== "string" || !ANCHOR.test(anchor)) return;
    delete subschema.$anchor;
    if (anchors.has(anchor)) {
      const where = fieldPlace(place, moves.written([...path, "$anchor"]));
      report(where, "schema-reference-invalid", `the anchor ${anchor} stands twice in this schema`);
    } else anchors.set(anchor, path);
  });
  for (const subschema of referring) settleReference(subschema, anchors, moves);
}

function settleReference(schema: JsonObject, anchors: ReadonlyMap<string, SchemaPath>, moves: Moves): void {
  const reference = String(schema.$ref);
  const anchored = anchors.get(reference.slice(1));
  if (reference.startsWith("#") && anchored !== undefined) schema.$ref = referenceTo(anchored);
  const pointer = pointerOfReference(reference);
  if (pointer === null) return;
  const written = pointerTokens(pointer);
  const meant = moves.meant(written);
  if (meant !== written) schema.$ref = referenceTo(meant);
}

/** The form of a plain name (JSON Schema Core, section 8.2.2). */
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;

function referenceTo(path: SchemaPath): string {
  return `#${encodeURI(pointerTo(path)).replaceAll("#", "%23")}`;
}
