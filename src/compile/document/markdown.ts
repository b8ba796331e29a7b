import type { SyntaxNode } from "@lezer/common";
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

/** The fenced code blocks from an offset on, in order, by the rules of CommonMark. */
export function findFences(source: SourceText, from: number): Fence[] {
  const fences: Fence[] = [];
  blockParser.parse(source.text.slice(from).replace(DEEP_LINE, blankOut)).iterate({
    enter(cursor) {
      if (cursor.name !== "FencedCode") return true;
      fences.push(readFence(source, cursor.node, from));
      return false;
    },
  });
  return fences;
}

function readFence(source: SourceText, node: SyntaxNode, from: number): Fence {
  const spanOf = (part: { from: number; to: number }): Span => ({
    start: part.from + from,
    end: part.to + from,
  });
  const info = node.getChild("CodeInfo");
  return {
    span: spanOf(node),
    info: info === null ? "" : source.text.slice(info.from + from, info.to + from).trim(),
    content: node.getChildren("CodeText").map(spanOf),
    closed: node.getChildren("CodeMark").length > 1,
  };
}
