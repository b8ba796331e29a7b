import type { Overridable } from "../../vocabulary.ts";
import { report } from "./reading/place.ts";
import type { FieldReader } from "./reading/reader.ts";

/** How `overridable` is written, and what it then means. */
const MEANINGS: Readonly<Record<"true" | "prose" | "false", Overridable>> = {
  true: "all",
  prose: "prose",
  false: "none",
};

/** What a layer of a document says of those who would override the skill; null where it does not. */
export function readOverridable(fields: FieldReader): Overridable | null {
  const written = fields.oneOf("overridable", ["true", "prose", "false"]);
  return written === null ? null : MEANINGS[written];
}

/** A part of a document that may say whether the skill can be overridden. */
interface Layer {
  overridable: Overridable | null;
  fields: FieldReader | null;
}

/** What both layers say together. A restriction must not be lost to a second word, so they have to agree. */
export function agreedOverridable(header: Layer, meta: Layer | null): Overridable {
  const [first, second] = [header.overridable, meta?.overridable ?? null];
  const place = meta?.fields?.valuePlace("overridable") ?? null;
  if (first !== null && second !== null && first !== second && place !== null)
    report(place, "values-contradict", "the front matter says another overridable than meta");
  return first ?? second ?? "all";
}
