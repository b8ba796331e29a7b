import { isJsonObject, type JsonObject, type JsonValue, jsonKind } from "../../json.ts";
import { isNumberInText } from "../../parse-json.ts";
import { conjuncts } from "../conjuncts.ts";
import type { Reason } from "../evaluation/evaluation.ts";
import { shortName } from "../evaluation/faults.ts";
import { quoteValue } from "../quote.ts";
import { resolved } from "../walk.ts";

/** What tells one alternative from the others, as far as that can be seen without checking it. */
interface Outline {
  /** Members that only some values are right for, with these values; a member with one value tells most. */
  members: Map<string, ReadonlySet<JsonValue>>;
  /** The kinds of values that it may take, or null where nothing says that. */
  kinds: ReadonlySet<string> | null;
}

/** The alternative that a value is evidently meant to be. */
export interface Meant {
  index: number;
  /** What tells it, as the end of what its faults expect: `, where kind is "limit"`. */
  because: Reason;
}

/** Members of one alternative that are looked at. */
const MAX_TELLING_MEMBERS = 30;

/** The outlines of the alternatives of one keyword, made when the first value fits none of them. */
export class Outlines {
  readonly #root: JsonObject;
  readonly #schemas: readonly JsonValue[];
  #made: readonly Outline[] | null = null;

  constructor(root: JsonObject, schemas: readonly JsonValue[]) {
    this.#root = root;
    this.#schemas = schemas;
  }

  /** The steps that it takes to find out what is meant. */
  get cost(): number {
    return this.#outlines.reduce((cost, { members }) => cost + members.size + 1, 0);
  }

  /** The one alternative whose telling members a value has, or else the one that takes values of its kind. */
  meant(value: JsonValue): Meant | null {
    if (isJsonObject(value)) {
      for (const most of [1, Number.POSITIVE_INFINITY]) {
        const meant = this.#only((outline) => toldBy(outline, value, most));
        if (meant !== null) return meant;
      }
    }
    return this.#only(({ kinds }) => (kinds === null || hasKind(kinds, value) ? () => "" : null));
  }

  /** The one alternative that something is told by. */
  #only(tell: (outline: Outline) => Reason | null): Meant | null {
    let only: Meant | null = null;
    for (const [index, outline] of this.#outlines.entries()) {
      const because = tell(outline);
      if (because === null) continue;
      if (only !== null) return null;
      only = { index, because };
    }
    return only;
  }

  get #outlines(): readonly Outline[] {
    this.#made ??= this.#schemas.map((schema) => outlineOf(this.#root, schema));
    return this.#made;
  }
}

/**
 * Which member tells that a value is meant to be of an outline, or null where none does or another tells that it is not.
 * @param most how many right values a member may have to be looked at
 */
function toldBy({ members }: Outline, value: JsonObject, most: number): Reason | null {
  let told: Reason | null = null;
  for (const [name, right] of members) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined || right.size > most) continue;
    if (!right.has(member)) return null;
    told ??= ({ names }) => `, where ${shortName(names.of(name))} is ${quoteValue(member)}`;
  }
  return told;
}

/** A number that is kept as text is one of either kind. */
function hasKind(kinds: ReadonlySet<string>, value: JsonValue): boolean {
  const kind = jsonKind(value);
  const isNumber = kind === "integer" || (typeof value === "string" && isNumberInText(value));
  return kinds.has(kind) || (isNumber && (kinds.has("number") || kinds.has("integer")));
}

function outlineOf(root: JsonObject, schema: JsonValue): Outline {
  if (schema === false) return { members: new Map(), kinds: new Set() };
  const parts = conjuncts(root, schema);
  const members = new Map<string, ReadonlySet<JsonValue>>();
  for (const { properties } of parts) {
    for (const [name, member] of isJsonObject(properties) ? Object.entries(properties) : []) {
      if (members.size >= MAX_TELLING_MEMBERS) break;
      const values = isJsonObject(member) ? valuesOf(resolved(root, member)) : null;
      if (values !== null) members.set(name, new Set(values));
    }
  }
  return { members, kinds: kindsOf(parts) };
}

function kindsOf(parts: readonly JsonObject[]): ReadonlySet<string> | null {
  for (const part of parts) {
    const { type } = part;
    if (type !== undefined) return new Set((Array.isArray(type) ? type : [type]).map(String));
    const values = valuesOf(part);
    if (values !== null) return new Set(values.map(jsonKind));
  }
  return null;
}

function valuesOf(schema: JsonObject): readonly JsonValue[] | null {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}
