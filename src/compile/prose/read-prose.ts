import type { SkillSection } from "../../ir.ts";
import type { DiagnosticList } from "../diagnostic.ts";
import { describeHidden, REMOVE_HIDDEN, removingHidden } from "../document/hidden.ts";
import type { MarkdownStructure } from "../document/markdown.ts";
import type { SourceText, Span } from "../document/source.ts";
import { readOutline } from "./outline.ts";
import { Prose } from "./prose.ts";
import { readReferences } from "./references.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** What a document says to its readers, with its structure and what it refers to. */
export interface ProseSection {
  prose: string;
  outline: SkillSection[];
  references: string[];
}

/**
 * Reads the parts of a document that are prose.
 * @param spans those parts, in order: the body without protocol blocks
 * @param folder what stands beside the document; null where that is not known
 */
export function readProse(
  source: SourceText,
  structure: MarkdownStructure,
  spans: readonly Span[],
  folder: SkillFolder | null,
  diagnostics: DiagnosticList,
): ProseSection {
  const hiding = spans.filter((span) => reportHidden(source, span, diagnostics));
  const prose = new Prose(source.text, spans, hiding.length > 0);
  return {
    prose: prose.text,
    outline: readOutline(source, structure, prose, diagnostics),
    references: readReferences(source, structure, folder, diagnostics),
  };
}

/** @returns whether there is anything hidden */
function reportHidden(source: SourceText, { start, end }: Span, diagnostics: DiagnosticList): boolean {
  const text = source.text.slice(start, end);
  const hidden = describeHidden(text);
  if (hidden === null) return false;
  const replacements = removingHidden(text, start);
  const at = replacements[0]?.span.start ?? start;
  const fix = { advice: REMOVE_HIDDEN, replacements };
  diagnostics.add("invisible-characters", { start: at, end: at + 1 }, `${hidden}; taken out`, fix);
  return true;
}
