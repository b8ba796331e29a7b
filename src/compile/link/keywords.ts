import { pointerTokens } from "../../json.ts";
import type { FilePlace, SourceText } from "../document/source.ts";
import { spanOf } from "../document/yaml.ts";
import type { FunctionSection } from "../protocol/function/function.ts";
import type { Place } from "../protocol/reading/place.ts";
import { fieldPlace, keyPlace } from "../protocol/schema/places.ts";

/**
 * Where a keyword of a function's parameters is written: at its name in the schema at `path` (JSON Pointer); where it
 * is the keyword under which that schema stands, or is not written there, at the name of the schema, or of the nearest
 * part of the path that is written. Null where nothing is.
 */
export type KeywordLocator = (functionName: string, path: string, keyword: string) => FilePlace | null;

export function keywordLocator(source: SourceText, functions: readonly FunctionSection[]): KeywordLocator {
  const sections = new Map(functions.map((section) => [section.definition.name, section]));
  return (functionName, path, keyword) => {
    const parameters = sections.get(functionName)?.fields.valuePlace("parameters") ?? null;
    const place = parameters === null ? null : writtenPlace(parameters, pointerTokens(path), keyword);
    return place === null ? null : source.place(spanOf(place.block, place.node));
  };
}

function writtenPlace(parameters: Place, path: readonly string[], keyword: string): Place | null {
  const named = keyPlace(parameters, path, keyword);
  const isWritten = named.node !== fieldPlace(parameters, path).node;
  if (isWritten && path.at(-2) !== keyword) return named;
  const last = path.at(-1);
  return last === undefined ? null : keyPlace(parameters, path.slice(0, -1), last);
}
