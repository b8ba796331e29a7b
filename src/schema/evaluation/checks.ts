import type { JsonObject, JsonValue } from "../../json.ts";
import { isJsonObject } from "../../json.ts";
import { keywords } from "../keywords/keywords.ts";
import { referenced } from "../walk.ts";
import type { Check, Evaluation, KeywordCheck } from "./evaluation.ts";

/**
 * Makes the check of one keyword, or null where it asks nothing.
 * @param rule what the keyword holds
 * @param schema the schema that it stands in, for what other keywords there say about it
 */
export type MakeCheck = (rule: JsonValue, schema: JsonObject, checks: SchemaChecks) => Check | null;

/** The checks of the schemas of one document, each made when it is first asked for, and then kept. */
export class SchemaChecks {
  readonly root: JsonObject;
  readonly #made = new Map<JsonObject, Check>();

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** The check of a schema by all its keywords. */
  of(schema: JsonObject): Check {
    let check = this.#made.get(schema);
    if (check === undefined) {
      check = this.#make(schema);
      this.#made.set(schema, check);
    }
    return check;
  }

  /** As `of`, where the schema may also be `true` or `false`: then it is the keyword holding it that refuses. */
  under(keyword: string, schema: JsonValue | undefined): Check {
    if (isJsonObject(schema)) return this.of(schema);
    return schema === false ? (evaluation, value) => evaluation.refuse(keyword, value) : anything;
  }

  /** The check of the schema that a reference leads to. */
  referenced(reference: JsonValue): Check {
    return this.under("$ref", referenced(this.root, reference));
  }

  #make(schema: JsonObject): Check {
    let checks: readonly KeywordCheck[] | null = null;
    return (evaluation: Evaluation, value: JsonValue) => {
      checks ??= this.#keywordChecks(schema);
      return evaluation.schema(schema, checks, value);
    };
  }

  #keywordChecks(schema: JsonObject): KeywordCheck[] {
    return keywords.flatMap(([keyword, make]) => {
      const rule = schema[keyword];
      const check = rule === undefined ? null : make(rule, schema, this);
      return check === null ? [] : [{ keyword, check }];
    });
  }
}

/** Asks nothing, and is paid for all the same: it may be asked of every member of a value, by many schemas. */
const anything: Check = (evaluation) => evaluation.pay(1);
