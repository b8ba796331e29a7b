import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { shorten } from "../../shorten.ts";
import { conjuncts } from "../conjuncts.ts";
import { quoteValue } from "../quote.ts";
import { referenced } from "../walk.ts";
import type { MemberNames } from "./names.ts";
import { listed, plainRules } from "./rules.ts";

/** What one shape is called, in characters: a model has to tell it from the others, not to know all of it. */
const MAX_SHAPE_CHARACTERS = 160;

const MAX_SHAPE_MEMBERS = 8;

/** Members of one table of properties that are looked through for telling ones. */
const MAX_MEMBERS_LOOKED_AT = 64;

const MAX_SHAPE_VALUES = 5;
const MAX_SHAPE_RULES = 3;

/** How many lists within lists are named by what is in them. */
const MAX_ITEM_NESTING = 2;

/** The document that schemas stand in, and what its members are called. */
export interface ShapeNames {
  root: JsonObject;
  names: MemberNames;
}

/** What a schema asks for, in a few words: its title, values, type, members that must be there, and plain rules. */
export function describeShape(document: ShapeNames, schema: JsonValue | undefined, nesting = 0): string {
  if (!isJsonObject(schema)) return schema === false ? "nothing" : "anything";
  const { root } = document;
  if (referenced(root, schema.$ref) === false) return "nothing";
  const parts = conjuncts(root, schema);
  const title = titleOf(parts);
  const words = [valuesOrType(document, parts, nesting), ...rulesOf(parts)].filter((word) => word !== "");
  const content = words.length > 0 ? words.join(", ") : otherwise(document, parts, nesting);
  return shorten(title === "" ? content : `${title} (${content})`, MAX_SHAPE_CHARACTERS);
}

/** The title that somebody gave it, or the name of the definition that it is. */
function titleOf(parts: readonly JsonObject[]): string {
  const [own] = parts;
  const reference = typeof own?.$ref === "string" ? (own.$ref.split("/").at(-1) ?? "") : "";
  const [title] = parts.flatMap((part) => (typeof part.title === "string" ? [part.title] : []));
  return title ?? reference.replace("#", "");
}

function valuesOrType(document: ShapeNames, parts: readonly JsonObject[], nesting: number): string {
  const fixed = parts.find((part) => part.const !== undefined)?.const;
  if (fixed !== undefined) return quoteValue(document.names.inValue(fixed));
  const values = parts.find((part) => Array.isArray(part.enum))?.enum;
  if (values !== undefined) return listed(values, MAX_SHAPE_VALUES, " or ");
  const written = parts.find((part) => part.type !== undefined)?.type;
  const type = Array.isArray(written) ? written.join(" or ") : String(written ?? "");
  const members = memberWords(parts, document.names);
  const items = parts.find((part) => isJsonObject(part.items))?.items;
  const of =
    items !== undefined && nesting < MAX_ITEM_NESTING ? describeShape(document, items, nesting + 1) : "";
  const list = of === "" || of === "anything" ? "" : `${type === "" ? "array" : type} of ${of}`;
  if (members !== "") return `${type === "" ? "object" : type} ${members}`;
  return list === "" ? type : list;
}

/** The members that must be there, with those values that only one is right for; else those that may be. */
function memberWords(parts: readonly JsonObject[], { of }: MemberNames): string {
  const tables = parts.flatMap(({ properties }) => (isJsonObject(properties) ? [properties] : []));
  const wanted = parts.flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []));
  const known = tables.flatMap((table) => Object.keys(table).slice(0, MAX_MEMBERS_LOOKED_AT));
  const told = known.filter((name) => valueWords(tables, name) !== "");
  const names = [...new Set([...told, ...wanted])];
  const named = (list: readonly string[]) =>
    list
      .slice(0, MAX_SHAPE_MEMBERS)
      .map((name) => of(name) + valueWords(tables, name))
      .join(", ") + (list.length > MAX_SHAPE_MEMBERS ? ", …" : "");
  if (names.length > 0) return `with ${named(names)}`;
  return known.length > 0 ? `that may have ${named([...new Set(known)])}` : "";
}

/** The one value of a member, or the few. */
function valueWords(tables: readonly JsonObject[], name: string): string {
  for (const table of tables) {
    const member = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!isJsonObject(member)) continue;
    if (member.const !== undefined) return ` ${quoteValue(member.const)}`;
    if (Array.isArray(member.enum)) return ` ${listed(member.enum, MAX_SHAPE_VALUES, " or ")}`;
  }
  return "";
}

function rulesOf(parts: readonly JsonObject[]): string[] {
  const told = parts.flatMap((part) =>
    [...plainRules].flatMap(([keyword, describe]) => {
      const rule = part[keyword];
      return rule === undefined ? [] : [describe(rule, part)];
    }),
  );
  return told.slice(0, MAX_SHAPE_RULES);
}

/** A schema that has none of these things. */
function otherwise(document: ShapeNames, parts: readonly JsonObject[], nesting: number): string {
  const excluded = parts.find((part) => part.not !== undefined)?.not;
  if (excluded !== undefined && nesting < MAX_ITEM_NESTING)
    return `anything but ${describeShape(document, excluded, nesting + 1)}`;
  const union = parts.map(({ anyOf, oneOf }) => anyOf ?? oneOf).find(Array.isArray);
  if (union !== undefined && nesting < MAX_ITEM_NESTING)
    return union.map((one) => describeShape(document, one, nesting + 1)).join(" or ");
  return parts.every((part) => Object.keys(part).length === 0) ? "anything" : "a certain shape";
}
