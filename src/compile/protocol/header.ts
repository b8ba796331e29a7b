import { isCollection, isMap, isScalar, type Node } from "yaml";
import { isJsonObject, type JsonObject, jsonObject } from "../../json.ts";
import type { Overridable } from "../../vocabulary.ts";
import type { DiagnosticList } from "../diagnostic.ts";
import type { FrontMatter } from "../document/front-matter.ts";
import { keyText, resolved, spanOf, toJson, type YamlBlock } from "../document/yaml.ts";
import { readOverridable } from "./overridable.ts";
import { replacing } from "./reading/corrections.ts";
import { type Place, report } from "./reading/place.ts";
import { FieldReader } from "./reading/reader.ts";

/** What a document's front matter says; null where it does not. */
export interface SkillHeader {
  name: string | null;
  description: string | null;
  version: string | null;
  category: string | null;
  tags: string[];
  triggers: string[];
  modelCompatibility: string[];
  overridable: Overridable | null;
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
  overridable: null,
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

/** Fields in which a `#` is more likely meant as part of the text than as the beginning of a comment. */
const PROSE_FIELDS = new Set(["description", "compatibility", "argument-hint"]);

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
  const frontmatter = readFields(fields, contents, block);
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
    overridable: readOverridable(fields),
    frontmatter,
    fields,
  };
}

/** Every field as JSON, but for those that are known to hold texts, which are kept as they were written. */
function readFields(fields: FieldReader, contents: Node, block: YamlBlock): JsonObject {
  const json = toJson(block, contents);
  const frontmatter = isJsonObject(json) ? json : jsonObject();
  for (const key of TEXT_FIELDS) {
    const value = fields.has(key) ? headerText(fields, key, block) : null;
    if (value !== null) frontmatter[key] = value;
  }
  const { metadata } = frontmatter;
  if (isJsonObject(metadata)) keepSpelling(metadata, fields, block);
  // Read for what is wrong with it: a restriction that cannot be read must not pass for none.
  fields.texts("allowed-tools");
  return frontmatter;
}

/**
 * `metadata` maps texts to texts (agentskills.io specification), so numbers in it keep the digits that they were
 * written with; what real skills nest there stays as it is.
 */
function keepSpelling(metadata: JsonObject, fields: FieldReader, block: YamlBlock): void {
  const node = fields.at("metadata")?.node;
  if (!isMap<Node, Node | null>(node)) return;
  for (const { key, value } of node.items) {
    const item = resolved(block, value);
    if (isScalar(item) && typeof item.value === "number")
      metadata[keyText(key)] = item.source ?? String(item.value);
  }
}

/** The source text of a field that is known to be one text; empty fields are said by the reader. */
function headerText(fields: FieldReader, key: string, block: YamlBlock): string | null {
  const place = fields.at(key);
  if (place === null) return null;
  const node: Node = place.node;
  if (PROSE_FIELDS.has(key)) reportComment(place, key);
  if (!isCollection(node)) return fields.text(key);
  const range = node.range;
  const written =
    range === null || range === undefined ? "" : block.excerpt.text.slice(range[0], range[1]).trim();
  if (!node.flow) return fields.text(key);
  const quoted = JSON.stringify(written);
  const fix = { advice: `${key}: ${quoted}`, replacements: [replacing(place, quoted)] };
  report(place, "text-kept-as-written", `${key} is one text; it was kept as written`, fix);
  return written;
}

/** Warns where a text ends at a ` #`, behind which YAML sees a comment. */
function reportComment(place: Place, key: string): void {
  const { block, node } = place;
  const [start, end] = node.range ?? [0, 0];
  const written = block.excerpt.text.slice(start, end);
  const comment = /^[ \t]+#.*/.exec(block.excerpt.text.slice(end))?.[0] ?? "";
  if (!isScalar(node) || node.type !== "PLAIN" || comment === "") return;
  const advice = `${key}: ${JSON.stringify(written + comment.trimEnd())}`;
  const message = `${key} ends here, for what stands behind # is a comment`;
  const hash = block.excerpt.toSource(end) + comment.indexOf("#");
  const span = { start: hash, end: hash + comment.trim().length };
  place.diagnostics.add("text-cut-by-comment", span, message, advice);
}
