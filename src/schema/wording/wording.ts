import { isJsonObject, type JsonObject, type JsonValue } from "../../json.ts";
import { MAX_EXPECTED_CHARACTERS, MAX_LISTED_VALUES } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import { inPlace } from "../conjuncts.ts";
import { thereAre } from "../quote.ts";
import { type MemberNames, ownNames } from "./names.ts";
import { type Describe, plainRules, valueRules } from "./rules.ts";
import { describeShape } from "./shapes.ts";

/** What the rules of one document's schema expect, in words that a model can correct itself from; each made once. */
export class Wording {
  readonly #root: JsonObject;
  readonly names: MemberNames;
  readonly #rules = new Map<JsonObject, Map<string, string>>();
  readonly #shapes = new Map<JsonObject, string>();

  constructor(root: JsonObject, names: MemberNames = ownNames) {
    this.#root = root;
    this.names = names;
  }

  /**
   * What a keyword expects of a value.
   * @param owner the schema that the keyword stands in
   */
  rule(keyword: string, owner: JsonObject): string {
    let known = this.#rules.get(owner);
    if (known === undefined) {
      known = new Map();
      this.#rules.set(owner, known);
    }
    let words = known.get(keyword);
    if (words === undefined) {
      words = shorten(this.#describe(keyword, owner), MAX_EXPECTED_CHARACTERS);
      known.set(keyword, words);
    }
    return words;
  }

  /** What a schema asks for as a whole, in a few words: `object with kind "limit", price`. */
  shape(schema: JsonValue | undefined): string {
    const document = { root: this.#root, names: this.names };
    if (!isJsonObject(schema)) return describeShape(document, schema);
    let words = this.#shapes.get(schema);
    if (words === undefined) {
      words = describeShape(document, schema);
      this.#shapes.set(schema, words);
    }
    return words;
  }

  #describe(keyword: string, owner: JsonObject): string {
    const rule = owner[keyword];
    if (rule === undefined) return NOTHING;
    const describe = plainRules.get(keyword) ?? valueRules.get(keyword) ?? this.#combining.get(keyword);
    return describe === undefined ? NOTHING : describe(this.#named(keyword, rule), owner);
  }

  /** What a keyword holds; values that it asks for have members too. */
  #named(keyword: string, rule: JsonValue): JsonValue {
    return keyword === "const" || keyword === "enum" ? this.names.inValue(rule) : rule;
  }

  /** The keywords whose rules are schemas. */
  readonly #combining: ReadonlyMap<string, Describe> = new Map<string, Describe>([
    ["anyOf", (rule) => `one of these: ${this.#each(rule)}`],
    ["oneOf", (rule) => `exactly one of these: ${this.#each(rule)}`],
    ["not", (rule) => this.#anythingBut(rule)],
    ["if", (rule, { then }) => (then === false ? this.#anythingBut(rule) : this.shape(rule))],
    ["contains", (rule) => `an item that is: ${this.shape(rule)}`],
    ["minContains", (rule, { contains }) => `at least ${rule} of such items: ${this.shape(contains)}`],
    ["maxContains", (rule, { contains }) => `at most ${rule} of such items: ${this.shape(contains)}`],
    ["properties", () => NO_MEMBER],
    ["patternProperties", () => NO_MEMBER],
    ["additionalProperties", (_rule, owner) => `${NO_MEMBER}${this.#thereAre([owner])}`],
    ["unevaluatedProperties", (_rule, owner) => `${NO_MEMBER}${this.#thereAre(inPlace(this.#root, owner))}`],
    ["propertyNames", () => "an object without members"],
    ["dependentSchemas", () => "no such object"],
    ["prefixItems", () => "no item at this place"],
    ["items", (_rule, owner) => `no further item; ${itemCount([owner])}`],
    ["unevaluatedItems", (_rule, owner) => `no further item; ${itemCount(inPlace(this.#root, owner))}`],
  ]);

  #thereAre(schemas: readonly JsonObject[]): string {
    return thereAre(memberNames(schemas, this.names));
  }

  #anythingBut(rule: JsonValue): string {
    const words = this.shape(rule);
    return words === "anything" ? NOTHING : `anything but ${words}`;
  }

  #each(rule: JsonValue): string {
    const possible = (Array.isArray(rule) ? rule : []).filter((schema) => schema !== false);
    const shapes = [...new Set(possible.map((schema) => this.shape(schema)))];
    if (shapes.length === 0) return NOTHING;
    const more = shapes.length > MAX_LISTED_VALUES ? "; …" : "";
    return shapes.slice(0, MAX_LISTED_VALUES).join("; ") + more;
  }
}

/** What only the schema `false` can say. */
const NOTHING = "nothing, as no value is right here";
const NO_MEMBER = "no member of this name";

function memberNames(schemas: readonly JsonObject[], { of }: MemberNames): string[] {
  const names = schemas.flatMap(({ properties, patternProperties }) => [
    ...(isJsonObject(properties)
      ? Object.keys(properties)
          .filter((name) => properties[name] !== false)
          .map(of)
      : []),
    ...(isJsonObject(patternProperties) ? Object.keys(patternProperties) : []).map(
      (pattern) => `any that match ${pattern}`,
    ),
  ]);
  return [...new Set(names)];
}

/** How many items the schemas about a list describe one by one. */
function itemCount(schemas: readonly JsonObject[]): string {
  const counts = schemas.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0));
  return `at most ${Math.max(0, ...counts)}`;
}
