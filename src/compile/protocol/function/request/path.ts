import type { PathPart } from "../../../../ir.ts";
import { type Place, report, spanWithin } from "../../reading/place.ts";
import type { FieldReader } from "../../reading/reader.ts";
import { reportUnknownPlaceholder } from "../placeholder.ts";
import type { Placement } from "./placement.ts";

/** Reads a request's `path`: text, and the parameters that stand in it as `{name}`. */
export function readPath(fields: FieldReader, placement: Placement): PathPart[] {
  const text = fields.requiredText("path");
  const place = fields.at("path");
  if (text === null || place === null) return [];
  const name = fields.nameOf("path");
  if (!isPath(text)) {
    const message = `${name} begins with / and holds no query, space or dot segment`;
    report(place, "path-invalid", message);
    return [];
  }
  return [...text.matchAll(/\{([^{}]*)\}|(?:[^{]|\{(?![^{}]*\}))+/g)].map((match): PathPart => {
    const [part, parameter] = match;
    if (parameter === undefined) return part;
    if (!placement.properties.has(parameter)) {
      const found = { name: parameter, start: match.index, end: match.index + part.length };
      reportUnknownPlaceholder(place, name, found, placement.properties.keys());
    } else if (isOptional(parameter, placement)) reportOptional(place, parameter, match);
    placement.placed.add(parameter);
    return { parameter };
  });
}

function isOptional(parameter: string, { properties, required }: Placement): boolean {
  return !required.has(parameter) && properties.get(parameter)?.default === undefined;
}

/** A path has no place for what is not there: the call is refused where the argument is absent. */
function reportOptional(place: Place, parameter: string, { 0: part, index }: RegExpExecArray): void {
  const span = spanWithin(place, index, index + part.length);
  const message = `${parameter} stands in the path but may be left out, and then the call is refused`;
  place.diagnostics.add("path-parameter-optional", span, message, `required: [${parameter}]`);
}

function isPath(text: string): boolean {
  const hasDotSegment = text.split("/").some((segment) => /^\.\.?$/.test(segment));
  return text.startsWith("/") && !/[?#\s\\]/.test(text) && !hasDotSegment;
}
