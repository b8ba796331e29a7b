/** What becomes of a keyword that a provider does not take. */
import type { JsonValue } from "../../json.ts";
import { plainKeywords, schemaKeywords } from "../schema/keywords.ts";
import { tellsAliasesApart } from "./key-rules.ts";
import { lose, type Node } from "./node.ts";
import { sentenceFor } from "./sentences.ts";

/** A sentence where one is needed; for words that are not JSON Schema's, only the loss. */
export function giveUp(keyword: string, value: JsonValue, node: Node): void {
  // `then`, `else`, `minContains` and `maxContains` are in the sentence of the keyword that they belong to.
  if (["then", "else", "minContains", "maxContains"].includes(keyword)) return;
  const sentence = sentenceFor(keyword, value, node.input, node.walk);
  if (sentence !== null) {
    const isOfOriginals = tellsAliasesApart(keyword, value, node.walk.aliases);
    lose(node, keyword, "described", {
      sentence: isOfOriginals ? `By their original names: ${sentence}` : sentence,
    });
    return;
  }
  const isSchemaKeyword = schemaKeywords.has(keyword);
  // `deprecated: false` and its like say what is so in any case.
  if (value === false && !isSchemaKeyword) return;
  const isKnown = isSchemaKeyword || plainKeywords.has(keyword);
  const note = isKnown
    ? "The provider does not accept it here."
    : "It is not a keyword of JSON Schema 2020-12.";
  lose(node, keyword, "dropped", { note });
}
