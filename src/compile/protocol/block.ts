import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { DiagnosticList } from "../diagnostic.ts";
import type { Fence } from "../document/markdown.ts";
import { Excerpt, type SourceText, type Span } from "../document/source.ts";
import { keyText, parseYaml, reportYamlFaults, resolved, type YamlBlock } from "../document/yaml.ts";
import { FieldReader } from "./reading/reader.ts";

/** The keys that make a fenced block a protocol block. */
export const SECTIONS = ["meta", "upstream", "upstreams", "functions", "examples", "constraints"] as const;
/** The name of a section. */
export type Section = (typeof SECTIONS)[number];

/** A fenced block that speaks to the gateway, with its span in the document. */
export interface ProtocolBlock {
  fields: FieldReader;
  sections: Section[];
  span: Span;
}

const LANGUAGES = new Set(["yaml", "yml", "json"]);

function isSection(key: string): key is Section {
  return SECTIONS.some((section) => section === key);
}

/**
 * Reads a fence as a protocol block, or null where it is prose. It is one when its language is YAML or JSON
 * and all its top-level keys are sections; a fence that only looks like one (a deployment file whose
 * `functions` are a mapping, say) stays prose, and that is said.
 */
export function readProtocolBlock(
  source: SourceText,
  fence: Fence,
  diagnostics: DiagnosticList,
): ProtocolBlock | null {
  const [language = ""] = fence.info.toLowerCase().split(/[\s{,]/);
  if (!LANGUAGES.has(language)) return null;
  const excerpt = Excerpt.of(source, fence.content);
  const keys = topLevelKeys(excerpt.text);
  if (keys.length === 0 || !keys.every(isSection)) return null;
  const { block, faults, warnings } = parseYaml(excerpt);
  const mapping = block.contents;
  const pairs = isMap<Node, Node | null>(mapping) ? mapping.items : [];
  const unlike = pairs.find(({ key, value }) => !hasShape(keyText(key), value, block, faults.length > 0));
  if (unlike !== undefined && !pairs.some(({ key, value }) => isTelling(keyText(key), value, block))) {
    const key = keyText(unlike.key);
    diagnostics.add(
      "protocol-like-fence",
      fence.span,
      isSection(key)
        ? `this block was left as prose: its \`${key}\` is not what a skill's \`${key}\` looks like`
        : `this block was left as prose: \`${key}\` is not one of ${SECTIONS.join(", ")}`,
    );
    return null;
  }
  reportYamlFaults(faults.length > 0 ? faults : warnings, excerpt, diagnostics);
  return faults.length > 0 ? null : fieldsOf(block, fence.span, diagnostics);
}

function fieldsOf(block: YamlBlock, span: Span, diagnostics: DiagnosticList): ProtocolBlock | null {
  const { contents } = block;
  if (contents === null) return null;
  const fields = FieldReader.at({ block, node: contents, diagnostics }, "");
  return fields === null ? null : { fields, sections: fields.keys.filter(isSection), span };
}

/** A key at the beginning of a line, in quotes or not. */
const KEY = /^(?:"([^"]*)"|'([^']*)'|([^\s"'#[\]{},-][^"':]*?)) *:(?:\s|$)/;

/**
 * The keys at the left edge, without parsing: most fences are prose, and parsing them all would cost most of
 * a build.
 */
function topLevelKeys(text: string): string[] {
  if (/^\s*\{/.test(text)) return jsonKeys(text);
  const lines = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  const indent = lines[0]?.search(/[^ ]/) ?? 0;
  return lines.flatMap((line) => {
    if (line.search(/[^ ]/) !== indent) return [];
    const [, double, single, plain] = KEY.exec(line.slice(indent, indent + MAX_KEY_LINE)) ?? [];
    return double ?? single ?? plain ?? [];
  });
}

/** A key is looked for so far into a line; the sections' names are short. */
const MAX_KEY_LINE = 200;

/** The first key of what is nearly JSON, with comments before it as configuration files have them. */
const FIRST_KEY = /^\s*\{(?:\s|\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)*"([^"]*)"/;

function jsonKeys(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object.keys(value) : [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, first] = FIRST_KEY.exec(text) ?? [];
    return first === undefined ? [] : [first];
  }
}

/**
 * Whether a section's value has the outline that sections have; a missing value is a fault, not a likeness.
 * @param isBroken whether the block is no YAML: then another key is what the parser made of one further in
 */
function hasShape(key: string, written: Node | null, block: YamlBlock, isBroken: boolean): boolean {
  if (!isSection(key)) return isBroken;
  const value = resolved(block, written);
  if (value === null || (isScalar(value) && value.value === null)) return true;
  if (key === "functions") return isListOfMappings(value, ["name"], block);
  if (key === "examples") return isListOfMappings(value, ["function", "user"], block);
  if (key === "meta") return isMap(value) && value.has("name");
  if (key === "upstream") return isMap(value) && value.has("base_url");
  return isMap(value);
}

/** Whether a section alone shows that a block is a skill's, whatever is wrong with the sections beside it. */
function isTelling(key: string, written: Node | null, block: YamlBlock): boolean {
  const value = resolved(block, written);
  return (
    key === "functions" && isSeq(value) && value.items.length > 0 && hasShape(key, written, block, false)
  );
}

function isListOfMappings(value: Node, telling: string[], block: YamlBlock): boolean {
  if (!isSeq<Node>(value)) return false;
  const items = value.items.map((item) => resolved(block, item));
  if (!items.every((item) => isMap(item))) return false;
  return items.length === 0 || items.some((item) => isMap(item) && telling.some((key) => item.has(key)));
}
