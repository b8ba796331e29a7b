import type { SkillSection } from "../../ir.ts";
import { MAX_FIRST_LINE_CHARACTERS, MAX_SECTIONS, MAX_TITLE_CHARACTERS } from "../../limits.ts";
import { shorten } from "../../shorten.ts";
import type { DiagnosticList } from "../diagnostic.ts";
import { withoutHidden } from "../document/hidden.ts";
import type { Heading, MarkdownStructure, TextBlock } from "../document/markdown.ts";
import type { SourceText } from "../document/source.ts";
import { firstPlainLine, plainText } from "./plain-text.ts";
import type { Prose } from "./prose.ts";

/**
 * The sections of a skill's prose, one a heading, in the order of the document. Headings within quotes and
 * lists make none: a section is served as a piece of text of its own, and half a quote or a list is none.
 */
export function readOutline(
  source: SourceText,
  structure: MarkdownStructure,
  prose: Prose,
  diagnostics: DiagnosticList,
): SkillSection[] {
  const headings = structure.headings.slice(0, MAX_SECTIONS);
  const overMany = structure.headings[MAX_SECTIONS];
  if (overMany !== undefined) {
    const message = `from here on headings begin no sections of their own: an outline has at most ${MAX_SECTIONS}`;
    diagnostics.add("too-many-sections", overMany.span, message);
  }
  return sectionsOf(source, { ...structure, headings }, prose);
}

function sectionsOf(source: SourceText, structure: MarkdownStructure, prose: Prose): SkillSection[] {
  const { headings, labels } = structure;
  const starts = codePointOffsets(
    prose.text,
    headings.map(({ span }) => prose.offsetOf(span.start)),
  );
  const ends = sectionEnds(headings, starts.heads, starts.total);
  const firstLines = firstLinesOf(source, structure);
  return headings.map(({ level, span }, index) => {
    const text = plainText(source.text.slice(span.start, span.end), labels);
    const title = withoutHidden(text).replace(/\s+/g, " ");
    return {
      title: shorten(title, MAX_TITLE_CHARACTERS),
      level,
      start: starts.heads[index] ?? 0,
      end: ends[index] ?? starts.total,
      firstLine: firstLines[index] ?? "",
    };
  });
}

/** The same offsets counted in code points, and the length of the text; the offsets grow. */
function codePointOffsets(text: string, offsets: readonly number[]): { heads: number[]; total: number } {
  let at = 0;
  let counted = 0;
  const countTo = (offset: number): number => {
    counted += codePoints(text.slice(at, offset));
    at = offset;
    return counted;
  };
  return { heads: offsets.map(countTo), total: countTo(text.length) };
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** A section ends where the next heading of its level or above begins. */
function sectionEnds(headings: readonly Heading[], starts: readonly number[], total: number): number[] {
  const ends = headings.map(() => total);
  const open: number[] = [];
  headings.forEach(({ level }, index) => {
    for (let last = open.at(-1); last !== undefined && (headings[last]?.level ?? 0) >= level; ) {
      ends[last] = starts[index] ?? total;
      open.pop();
      last = open.at(-1);
    }
    open.push(index);
  });
  return ends;
}

/** For each heading the first line of text that stands under it and above the next one. */
function firstLinesOf(source: SourceText, { headings, texts, labels }: MarkdownStructure): string[] {
  let next = 0;
  return headings.map(({ span }, index) => {
    const end = headings[index + 1]?.span.start ?? Number.POSITIVE_INFINITY;
    while ((texts[next]?.span.start ?? end) <= span.start) next++;
    for (let block = texts[next]; block !== undefined && block.span.start < end; block = texts[++next]) {
      const line = firstLine(source, block, labels);
      if (line !== "") return shorten(line, MAX_FIRST_LINE_CHARACTERS);
    }
    return "";
  });
}

/** The first line of a paragraph; a table's says nothing without the others. */
function firstLine(source: SourceText, block: TextBlock, labels: ReadonlySet<string>): string {
  const text = textOf(source, block);
  if (text.startsWith("|")) return "";
  return withoutHidden(firstPlainLine(text, labels)).trim();
}

/** The text of a block, with blanks for the marks of the quotes that it stands in. */
export function textOf(source: SourceText, { span, marks }: TextBlock): string {
  let text = "";
  let from = span.start;
  for (const { start, end } of marks) {
    text += source.text.slice(from, start) + " ".repeat(end - start);
    from = end;
  }
  return text + source.text.slice(from, span.end);
}
