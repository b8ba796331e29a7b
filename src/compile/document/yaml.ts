import {
  type Alias,
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
} from "yaml";
import { type JsonValue, jsonObject } from "../../json.ts";
import { MAX_NESTING } from "../../limits.ts";
import type { DiagnosticList, Fix, Replacement } from "../diagnostic.ts";
import { REMOVE_HIDDEN } from "./hidden.ts";
import type { Excerpt, Span } from "./source.ts";
import { keyText, surveyNodes, type YamlFault } from "./survey.ts";

export { keyText, type YamlFault };

/** A YAML (or JSON) text of a document, parsed, with the way back to the document's places. */
export interface YamlBlock {
  contents: Node | null;
  /** What each alias stands for. No alias stands within what it stands for. */
  targets: ReadonlyMap<Alias, Node>;
  excerpt: Excerpt;
}

/** What became of a YAML text. */
export interface YamlParse {
  block: YamlBlock;
  /** Where there are any, the block is not to be read. */
  faults: YamlFault[];
  warnings: YamlFault[];
}

/**
 * Parses YAML 1.2 (core schema, unique keys). Never throws; faults come back with the block. Its nesting, the
 * expansion of its aliases and the characters of its texts are checked here, so that whoever reads it need
 * not.
 */
export function parseYaml(excerpt: Excerpt): YamlParse {
  const { text } = excerpt;
  const tokens = readTokens(text);
  if (typeof tokens === "number") {
    const message = `nested more than ${MAX_NESTING} deep`;
    return unread(excerpt, [{ code: "nesting-limit", message, start: tokens, end: tokens + 1 }]);
  }
  const options = { version: "1.2", uniqueKeys: false, logLevel: "silent" } as const;
  const [document, second] = new Composer(options).compose(tokens, true, text.length);
  const faults = (document?.errors ?? []).map(({ message, pos }) =>
    syntaxFault(plainMessage(message), pos[0], pos[1]),
  );
  if (second !== undefined) {
    const [start] = second.range;
    faults.push(syntaxFault("a second document begins here; a block is one document", start, start + 3));
  }
  const contents = document?.contents ?? null;
  const survey = surveyNodes(contents, text);
  return {
    block: { contents, targets: survey.targets, excerpt },
    faults: faults.length > 0 ? faults : survey.faults,
    warnings: survey.warnings,
  };
}

function unread(excerpt: Excerpt, faults: YamlFault[]): YamlParse {
  return { block: { contents: null, targets: new Map(), excerpt }, faults, warnings: [] };
}

function syntaxFault(message: string, start: number, end: number): YamlFault {
  return { code: "yaml-syntax", message, start, end: Math.max(end, start + 1) };
}

/** The parser's sentence without its advice about its own options, beginning in lower case. */
function plainMessage(message: string): string {
  const [sentence = message] = message.split("\n");
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/**
 * The tokens of a text, or the offset where its nesting passes the limit: both the parser, on its way out of what is
 * nested, and the composer recurse.
 */
function readTokens(text: string): CST.Token[] | number {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length <= MAX_NESTING) continue;
    const tooDeep = parser.stack.filter((token) => "items" in token)[MAX_NESTING];
    if (tooDeep !== undefined) return tooDeep.offset;
  }
  for (const token of parser.end()) tokens.push(token);
  for (const token of tokens) {
    const offset = offsetTooDeep(token, 0);
    if (offset !== null) return offset;
  }
  return tokens;
}

/** Where the nesting passes its limit, in what has been read: a key that is a collection counts from its mapping on. */
function offsetTooDeep(token: CST.Token | null | undefined, depth: number): number | null {
  if (token?.type === "document") return offsetTooDeep(token.value, depth);
  if (token == null || !("items" in token)) return null;
  if (depth >= MAX_NESTING) return token.offset;
  for (const { key, value } of token.items) {
    const offset = offsetTooDeep(key, depth + 1) ?? offsetTooDeep(value, depth + 1);
    if (offset !== null) return offset;
  }
  return null;
}

/**
 * Reports faults or warnings of a block at their places in the document. Of several syntax errors in a line
 * the first is the cause, and the others are what the parser makes of it.
 */
export function reportYamlFaults(
  faults: readonly YamlFault[],
  excerpt: Excerpt,
  diagnostics: DiagnosticList,
): void {
  const broken = new Set<number>();
  for (const { code, message, start, end, earlier, hidden } of faults) {
    const span = { start: excerpt.toSource(start), end: excerpt.toSource(end) };
    const line = diagnostics.lineOf(span.start);
    if (code === "yaml-syntax" && broken.has(line)) continue;
    if (code === "yaml-syntax") broken.add(line);
    const first =
      earlier === undefined ? "" : ` (first on line ${diagnostics.lineOf(excerpt.toSource(earlier))})`;
    diagnostics.add(code, span, message + first, hidden === undefined ? null : removal(hidden, excerpt));
  }
}

/** The removal of hidden characters of an excerpt from its document. */
function removal(hidden: readonly Replacement[], excerpt: Excerpt): Fix {
  const replacements = hidden.map(({ span, was, text }) => {
    const start = excerpt.toSource(span.start);
    return { span: { start, end: start + was.length }, was, text };
  });
  return { advice: REMOVE_HIDDEN, replacements };
}

/** The place of a node in the document. */
export function spanOf(block: YamlBlock, node: Node | null | undefined): Span {
  const [start, end] = node?.range ?? [0, 0];
  return { start: block.excerpt.toSource(start), end: block.excerpt.toSource(end) };
}

/** What an alias stands for; any other node is itself. */
export function resolved(block: YamlBlock, node: Node | null): Node | null {
  return isAlias(node) ? (block.targets.get(node) ?? null) : node;
}

/** A node's value as JSON. Aliases are followed; keys that are not text become text. */
export function toJson(block: YamlBlock, node: Node | null): JsonValue {
  const item = resolved(block, node);
  if (isScalar(item)) return scalarToJson(item);
  if (isSeq<Node>(item)) return item.items.map((member) => toJson(block, member));
  if (!isMap<Node, Node | null>(item)) return null;
  const object = jsonObject();
  for (const { key, value } of item.items) object[keyText(key)] = toJson(block, value);
  return object;
}

/**
 * JSON has neither infinities nor integers beyond 2^53: such numbers keep the text that they were written as.
 */
function scalarToJson(scalar: Scalar): JsonValue {
  const { value } = scalar;
  if (typeof value === "number") {
    const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return exact ? value : (scalar.source ?? String(value));
  }
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  return scalar.source ?? String(value);
}
