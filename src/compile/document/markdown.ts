import type { SyntaxNode, SyntaxNodeRef, Tree } from "@lezer/common";
import { parser } from "@lezer/markdown";
import type { SourceText, Span } from "./source.ts";

/** A fenced code block of the document, wherever it stands (in lists and quotes too). */
export interface Fence {
  /** The whole block, marks included. */
  span: Span;
  /** The text after the opening mark, trimmed, e.g. `yaml title="x"`. */
  info: string;
  /** The content as the runs of the document that hold it, container marks left out. */
  content: Span[];
  closed: boolean;
}

/** A heading of the document itself; one within a quote or a list is a part of that. */
export interface Heading {
  /** 1 to 6. */
  level: number;
  /** The whole heading with its marks, underline included. */
  span: Span;
}

/** A run of text with inline markup: a paragraph, a table, a heading. */
export interface TextBlock {
  span: Span;
  /** Marks of the quotes that the text stands in, where it goes over several lines. */
  marks: Span[];
}

/** The block structure of a document, each list in the order of the document. */
export interface MarkdownStructure {
  fences: Fence[];
  headings: Heading[];
  /** The paragraphs and tables, and the headings as well. */
  texts: TextBlock[];
  /** The destinations of link reference definitions (`[label]: destination`), angle brackets included. */
  destinations: Span[];
  /** The labels of those definitions, in the form that `linkLabel` gives. */
  labels: Set<string>;
}

/** Only the block structure is of interest; leaving out the inline parsers makes this three times as fast. */
const blockParser = parser.configure({
  remove: ["Escape", "Entity", "InlineCode", "HTMLTag", "Emphasis", "HardBreak", "Link", "Image"],
});

/**
 * A line that opens more than a hundred lists and quotes at once. Nobody writes one, and the parser takes
 * time that grows with the square of their number, so such a line counts as plain text.
 */
const DEEP_LINE = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)])){101}/gm;
const blankOut = (marks: string): string => "x".repeat(marks.length);

/** The structure of a document from an offset on, by the rules of CommonMark. */
export function readMarkdown(source: SourceText, from: number): MarkdownStructure {
  const tree = blockParser.parse(source.text.slice(from).replace(DEEP_LINE, blankOut));
  return new StructureReader(source, from).read(tree);
}

/** A label as labels are compared (CommonMark 0.31.2, section 4.7). */
export function linkLabel(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}

const CONTAINERS = new Set(["Blockquote", "BulletList", "OrderedList"]);

class StructureReader {
  readonly #source: SourceText;
  readonly #from: number;
  readonly #structure: MarkdownStructure = {
    fences: [],
    headings: [],
    texts: [],
    destinations: [],
    labels: new Set(),
  };
  /** How many lists and quotes are open. */
  #depth = 0;

  constructor(source: SourceText, from: number) {
    this.#source = source;
    this.#from = from;
  }

  read(tree: Tree): MarkdownStructure {
    tree.iterate({
      enter: (node) => this.#enter(node),
      leave: ({ name }) => {
        if (CONTAINERS.has(name)) this.#depth--;
      },
    });
    return this.#structure;
  }

  /** @returns whether to look into the node */
  #enter(node: SyntaxNodeRef): boolean {
    const { name } = node;
    if (name === "Paragraph") this.#addText(node);
    else if (name.includes("Heading")) this.#addHeading(node);
    else if (name === "FencedCode") this.#structure.fences.push(this.#fence(node.node));
    else if (name === "LinkReference") this.#addDefinition(node.node);
    else if (CONTAINERS.has(name)) this.#depth++;
    return name === "Document" || name === "ListItem" || CONTAINERS.has(name);
  }

  #span({ from, to }: { from: number; to: number }): Span {
    return { start: from + this.#from, end: to + this.#from };
  }

  #slice({ from, to }: { from: number; to: number }): string {
    return this.#source.text.slice(from + this.#from, to + this.#from);
  }

  #addText(node: SyntaxNodeRef): void {
    const marks = this.#depth === 0 ? [] : node.node.getChildren("QuoteMark");
    this.#structure.texts.push({ span: this.#span(node), marks: marks.map((mark) => this.#span(mark)) });
  }

  #addHeading(node: SyntaxNodeRef): void {
    this.#addText(node);
    const span = this.#span(node);
    if (this.#depth === 0) this.#structure.headings.push({ level: Number(node.name.at(-1)), span });
  }

  #addDefinition(node: SyntaxNode): void {
    const label = node.getChild("LinkLabel");
    const destination = node.getChild("URL");
    if (label !== null) this.#structure.labels.add(linkLabel(this.#slice(label).slice(1, -1)));
    if (destination !== null) this.#structure.destinations.push(this.#span(destination));
  }

  #fence(node: SyntaxNode): Fence {
    const info = node.getChild("CodeInfo");
    return {
      span: this.#span(node),
      info: info === null ? "" : this.#slice(info).trim(),
      content: node.getChildren("CodeText").map((part) => this.#span(part)),
      closed: node.getChildren("CodeMark").length > 1,
    };
  }
}
