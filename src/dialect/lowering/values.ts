/** Values that a schema lists, held against its type: what contradicts the type contradicts every provider's. */

import type { JsonObject, JsonValue } from "../../json.ts";
import { isLargeInteger } from "../../schema/keywords/large-integers.ts";
import { typesOf, without } from "../schema/keywords.ts";
import { isOfType } from "../schema/types.ts";
import { lose, type Node } from "./node.ts";
import { sentenceFor } from "./sentences.ts";

/**
 * Leaves in `enum` and `const` what the type lets through, and in the type what a value is left of. Whole numbers of
 * 64 bits that are written as texts are texts.
 */
export function fitValues(node: Node): void {
  for (const keyword of ["const", "enum"]) {
    const value = node.input[keyword];
    const values = keyword === "const" && value !== undefined ? [value] : value;
    if (!Array.isArray(values) || typesOf(node.input).length === 0) continue;
    letLargeIntegersIn(values, node);
    const types = typesOf(node.input);
    const fitting = values.filter((each) => isOfType(each, types));
    if (fitting.length === 0) {
      sayInWords(keyword, node);
      continue;
    }
    if (fitting.length < values.length) {
      node.input.enum = fitting;
      lose(node, "enum", "dropped", {
        note: "Values of other types than those of the schema are never valid.",
      });
    }
    const used = types.filter((type) => fitting.some((each) => isOfType(each, [type])));
    setTypes(node.input, used);
  }
}

/** Says a default and examples in words that are not of the finished node's type. */
export function tellMisfits(node: Node): void {
  for (const keyword of ["default", "examples"]) {
    const { output } = node;
    const types = [...typesOf(output), ...(output.nullable === true ? ["null"] : [])];
    const value = output[keyword];
    if (value === undefined || typesOf(output).length === 0) continue;
    const values = keyword === "examples" && Array.isArray(value) ? value : [value];
    if (values.every((each) => isOfType(each, types))) continue;
    node.output = without(output, keyword);
    sayInWords(keyword, node);
  }
}

/** Writes the `type` keyword; nothing where there are no types to write. */
export function setTypes(schema: JsonObject, types: readonly string[]): void {
  const [first, ...others] = types;
  if (first !== undefined) schema.type = others.length === 0 ? first : [...types];
}

/** Takes a keyword out of the node and says it in the description. */
function sayInWords(keyword: string, node: Node): void {
  const sentence = sentenceFor(keyword, node.input[keyword] ?? null, node.input, node.walk);
  node.input = without(node.input, keyword);
  lose(node, keyword, "described", sentence === null ? {} : { sentence });
}

/** The values decide what is valid, so the format, which is one of numbers, has nothing to add. */
function letLargeIntegersIn(values: readonly JsonValue[], node: Node): void {
  const types = typesOf(node.input);
  const isNumeric = types.includes("integer") || types.includes("number");
  if (node.input.format !== "int64" || !isNumeric || types.includes("string")) return;
  if (!values.some(isLargeInteger)) return;
  setTypes(node.input, [...types, "string"]);
  node.input = without(node.input, "format");
}
