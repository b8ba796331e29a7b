/** Rules about the names of properties, where the provider sees some of them under another name. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { PatternError } from "../../pattern/index.ts";
import { schemaValidator } from "../../schema/index.ts";
import type { Aliases } from "./shown.ts";

/** Renamed keys that a rule is tried on; where there are more, it is taken to tell them apart. */
const MAX_KEYS_TRIED = 100;

/** Keywords of which a rule may be made to be tried; one with schemas inside is taken to tell them apart. */
const tried = ["maxLength", "minLength", "pattern", "type"];

/**
 * Whether `propertyNames` or `patternProperties` judge a renamed key otherwise than what it is renamed to: as they are,
 * they would refuse what the author allows, or no longer hold for what they are about.
 */
export function tellsAliasesApart(keyword: string, value: JsonValue, aliases: Aliases): boolean {
  if (aliases.size === 0 || !isJsonObject(value)) return false;
  if (keyword === "propertyNames") return judgesApart(value, aliases);
  const sources = keyword === "patternProperties" ? Object.keys(value) : [];
  return sources.some((pattern) => judgesApart({ pattern }, aliases));
}

function judgesApart(names: JsonObject, aliases: Aliases): boolean {
  if (aliases.size > MAX_KEYS_TRIED || !Object.keys(names).every((key) => tried.includes(key))) return true;
  const validator = schemaValidator(names);
  const accepts = (name: string): boolean => validator.validate(name).length === 0;
  try {
    return [...aliases].some(([key, alias]) => accepts(key) !== accepts(alias));
  } catch (fault) {
    // A pattern that is none, or is too large: what it would judge is not known.
    if (fault instanceof SyntaxError || fault instanceof PatternError) return true;
    throw fault;
  }
}
