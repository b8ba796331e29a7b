import { isCollection, isMap, type Node } from "yaml";
import { isJsonObject, type JsonObject, jsonObject } from "../../json.ts";
import type { DiagnosticList } from "../diagnostic.ts";
import type { FrontMatter } from "../document/front-matter.ts";
import { spanOf, toJson, type YamlBlock } from "../document/yaml.ts";
import { FieldReader } from "./reader.ts";

/** What a document's front matter says; null where it does not. */
export interface SkillHeader {
  name: string | null;
  description: string | null;
  version: string | null;
  category: string | null;
  tags: string[];
  triggers: string[];
  modelCompatibility: string[];
  /** Every key, as it stands, the ones that mean nothing here included. */
  frontmatter: JsonObject;
  /** For speaking about the fields; null where nothing could be read. */
  fields: FieldReader | null;
}

const EMPTY: SkillHeader = {
  name: null,
  description: null,
  version: null,
  category: null,
  tags: [],
  triggers: [],
  modelCompatibility: [],
  frontmatter: jsonObject(),
  fields: null,
};

/**
 * Fields that are one text in every reader of skills; a list written there (`[city]`) is kept as it was
 * typed.
 */
const TEXT_FIELDS = new Set(
  "name description version category license compatibility author homepage argument-hint".split(" "),
);

/** Reads the fields of the Agent Skills layer. */
export function readHeader(front: FrontMatter, diagnostics: DiagnosticList): SkillHeader {
  const { block } = front;
  const contents = block?.contents ?? null;
  if (block === null || contents === null) return EMPTY;
  if (!isMap(contents)) {
    const message = "the front matter is a text or a list, not fields such as name: and description:";
    diagnostics.add("front-matter-not-a-mapping", spanOf(block, contents), message);
    return EMPTY;
  }
  const fields = FieldReader.at({ block, node: contents, diagnostics }, "");
  if (fields === null) return EMPTY;
  const json = toJson(block, contents);
  const frontmatter = isJsonObject(json) ? json : jsonObject();
  const text = (key: string): string | null => headerText(fields, key, block, diagnostics);
  for (const key of TEXT_FIELDS) {
    const value = fields.has(key) ? text(key) : null;
    if (value !== null) frontmatter[key] = value;
  }
  const get = (key: string): string | null =>
    typeof frontmatter[key] === "string" ? frontmatter[key] : null;
  return {
    name: get("name"),
    description: get("description")?.trim() ?? null,
    version: get("version"),
    category: get("category"),
    tags: fields.texts("tags"),
    triggers: fields.texts("triggers"),
    modelCompatibility: fields.texts("model_compatibility"),
    frontmatter,
    fields,
  };
}

/** The source text of a field that is known to be one text; empty fields are said by the reader. */
function headerText(
  fields: FieldReader,
  key: string,
  block: YamlBlock,
  diagnostics: DiagnosticList,
): string | null {
  const place = fields.at(key);
  if (place === null) return null;
  const node: Node = place.node;
  if (!isCollection(node)) return fields.text(key);
  const range = node.range;
  const written =
    range === null || range === undefined ? "" : block.excerpt.text.slice(range[0], range[1]).trim();
  if (!node.flow) return fields.text(key);
  const fix = `${key}: ${JSON.stringify(written)}`;
  diagnostics.add(
    "text-kept-as-written",
    spanOf(block, node),
    `${key} is one text; it was kept as written`,
    fix,
  );
  return written;
}
