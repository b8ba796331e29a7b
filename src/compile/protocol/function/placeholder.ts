import { probablyMeant } from "../../../nearest.ts";
import { type Place, spanWithin } from "../reading/place.ts";

/**
 * Says that a `{name}` of a text names no parameter.
 * @param where how messages name the text
 * @param known the names that would have been right
 */
export function reportUnknownPlaceholder(
  place: Place,
  where: string,
  { name, start, end }: { name: string; start: number; end: number },
  known: Iterable<string>,
): void {
  if (place.diagnostics.isFull) return;
  const meant = probablyMeant(name, known);
  const message = `${where} names {${name}}, which is not a parameter`;
  const fix = meant === null ? null : `{${meant}}`;
  place.diagnostics.add("parameter-unknown", spanWithin(place, start, end), message, fix);
}
