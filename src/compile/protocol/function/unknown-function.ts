import { probablyMeant } from "../../../nearest.ts";
import type { Span } from "../../document/source.ts";
import { spanOf } from "../../document/yaml.ts";
import type { Place } from "../reading/place.ts";

/**
 * Says that a rule or an example is about a function that the document does not define.
 * @param span where its name stands, if that is not all of the place
 */
export function reportUnknownFunction(
  place: Place,
  name: string,
  functions: readonly string[],
  span: Span = spanOf(place.block, place.node),
): void {
  const meant = probablyMeant(name, functions);
  const message = `there is no function ${name} here; there are: ${functions.join(", ") || "none"}`;
  place.diagnostics.add("function-unknown", span, message, meant);
}
