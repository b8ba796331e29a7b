import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/markdown";
import { MAX_PLAIN_TEXT_CHARACTERS } from "../../limits.ts";
import { linkLabel } from "../document/markdown.ts";

/** Text of one line, or a heading of one, without a character that could be markup. */
const UNMARKED = /^(?:#{1,6}[ \t]+)?([^\\`*_[\]<>&#\n]+)$/;

/**
 * The text of a heading or a paragraph without its markup, as people see it: emphasis, code spans, links and
 * images give their words, escapes and character references what they stand for, HTML nothing. Lines stay
 * lines. Of a long block only the beginning is read, because inline markup takes time that grows with the
 * square of its length.
 * @param block the source of one block that is not within another
 * @param labels of the document's link reference definitions: brackets with another label are brackets
 */
export function plainText(block: string, labels: ReadonlySet<string>): string {
  const plain = UNMARKED.exec(block)?.[1];
  if (plain !== undefined) return plain.trim();
  const text = block.slice(0, MAX_PLAIN_TEXT_CHARACTERS);
  return new PlainTextReader(text, labels).read().trim();
}

/** The first line of the same. Where it has no markup in it, none that goes over lines begins before its end. */
export function firstPlainLine(block: string, labels: ReadonlySet<string>): string {
  const end = block.indexOf("\n");
  const first = end === -1 ? block : block.slice(0, end);
  const [line = ""] = plainText(UNMARKED.test(first) ? first : block, labels).split("\n");
  return line.trim();
}

/** What is gone where markup is: marks, and what stands for something that is not text. */
const MARKUP = new Set(
  "HeaderMark EmphasisMark CodeMark LinkMark QuoteMark URL LinkTitle LinkLabel HTMLTag Comment ProcessingInstruction".split(
    " ",
  ),
);

class PlainTextReader {
  readonly #text: string;
  readonly #labels: ReadonlySet<string>;

  constructor(text: string, labels: ReadonlySet<string>) {
    this.#text = text;
    this.#labels = labels;
  }

  read(): string {
    return this.#within(parser.parse(this.#text).topNode, this.#text.length);
  }

  #slice({ from, to }: { from: number; to: number }): string {
    return this.#text.slice(from, to);
  }

  #plain(node: SyntaxNode): string {
    const { name } = node;
    if (MARKUP.has(name)) return "";
    if (name === "Escape") return this.#slice(node).slice(1);
    if (name === "Entity") return characterOf(this.#slice(node));
    if (name === "HardBreak") return "\n";
    if (name === "Autolink") return this.#slice(node).slice(1, -1);
    return name === "Link" || name === "Image" ? this.#link(node) : this.#within(node, node.to);
  }

  /** The text between a node's children as it stands, with what the children give. */
  #within(node: SyntaxNode, end: number): string {
    let plain = "";
    let at = node.from;
    for (let child = node.firstChild; child !== null && child.to <= end; child = child.nextSibling) {
      plain += this.#text.slice(at, child.from) + this.#plain(child);
      at = child.to;
    }
    return plain + this.#text.slice(at, end);
  }

  /** The parser takes any brackets for a link; without a destination it takes a definition to make them one. */
  #link(node: SyntaxNode): string {
    const [opening, closing, parenthesis] = node.getChildren("LinkMark");
    const end = closing?.from ?? node.to;
    const label = node.getChild("LinkLabel");
    const own = this.#text.slice(opening?.to ?? node.from, end);
    const named = label === null ? own : this.#slice(label).slice(1, -1) || own;
    const isLink = parenthesis !== undefined || this.#labels.has(linkLabel(named));
    return isLink ? this.#within(node, end) : this.#slice(node);
  }
}

/** The character references that people type; HTML knows two thousand more, which stay as they stand. */
const CHARACTERS = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: "\u00A0",
    copy: "©",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    rarr: "→",
    larr: "←",
    times: "×",
  }),
);

/** What a character reference stands for, e.g. `&amp;` or `&#x2192;`. */
export function characterOf(reference: string): string {
  const [, digits, hex] = /^&#(?:(\d{1,7})|x([\da-f]{1,6}));$/i.exec(reference) ?? [];
  if (digits === undefined && hex === undefined) return CHARACTERS.get(reference.slice(1, -1)) ?? reference;
  const code = digits === undefined ? Number.parseInt(hex ?? "", 16) : Number(digits);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
