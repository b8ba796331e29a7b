import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { fixSkill, type LinkInput, type Paint } from "../../compile/index.ts";
import {
  type CompileDocument,
  markedText,
  type Outcome,
  optionsFor,
  type SkillDocument,
} from "../skills/document.ts";
import { rewriteFile } from "../skills/rewrite.ts";

/** What fixing changed in a file, or would change. */
export interface Change {
  file: string;
  /** A unified diff, as `patch` and `git apply` take it. */
  diff: string;
  written: boolean;
  /** Why it was not written, or null where it was or was not to be. */
  refusal: string | null;
}

/**
 * Compiles documents after fixing them as far as a machine can.
 * @param onChange is told of each that was fixed, or in a dry run would be
 */
export function fixingFirst(
  compile: CompileDocument<LinkInput>,
  isDryRun: boolean,
  onChange: (change: Change) => void,
): CompileDocument<LinkInput> {
  return async (document) => {
    const outcome = await compile(document);
    const fixed = isFixable(outcome) ? fixedText(document) : null;
    if (fixed === null) return outcome;
    const change = await fixDocument(document, fixed, isDryRun);
    onChange(change);
    return change.refusal === null
      ? compile({ ...document, bytes: new TextEncoder().encode(fixed.after) })
      : outcome;
  };
}

function isFixable({ diagnostics }: Outcome<LinkInput>): boolean {
  return diagnostics.some(({ edits }) => edits.length > 0);
}

/** A document's text before and after it was fixed, or null where that changes nothing. */
function fixedText(document: SkillDocument): { before: string; after: string } | null {
  const before = markedText(document);
  if (typeof before !== "string") return null;
  const after = fixSkill(before, optionsFor(document));
  return after === before ? null : { before, after };
}

async function fixDocument(
  { path, file, bytes }: SkillDocument,
  { before, after }: { before: string; after: string },
  isDryRun: boolean,
): Promise<Change> {
  const diff = diffOf(file, before, after);
  const refusal = isDryRun ? null : await rewriteFile(path, bytes, after);
  return { file, diff, written: !isDryRun && refusal === null, refusal };
}

function diffOf(file: string, before: string, after: string): string {
  return createTwoFilesPatch(file, file, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

/** The changes as people read them. */
export function renderChanges(changes: readonly Change[], paint: Paint): string {
  return changes
    .map((change) => `${renderDiff(change.diff, paint)}${renderOutcome(change, paint)}\n`)
    .join("");
}

function renderOutcome({ file, written, refusal }: Change, paint: Paint): string {
  if (written) return `Fixed ${file}.\n`;
  if (refusal === null) return `${file} would be fixed so; nothing was written.\n`;
  return `${paint.error("error:")} ${file} was not fixed: ${refusal}\n`;
}

function renderDiff(diff: string, paint: Paint): string {
  const lines = diff.trimEnd().split("\n");
  return lines.map((line) => `${painted(visible(line.replace(/\r$/, "")), paint)}\n`).join("");
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith("--- ") || line.startsWith("+++ ")) return paint.place(line);
  if (line.startsWith("@@")) return paint.gutter(line);
  if (line.startsWith("-")) return paint.error(line);
  return line.startsWith("+") ? paint.fix(line) : line;
}

/** Shows what nobody sees, which may be all that a line changes, and what would drive the terminal. */
function visible(line: string): string {
  return line.replace(/[[\p{Default_Ignorable_Code_Point}\p{Control}]--[\t]]/gv, (character) => {
    const number = character.codePointAt(0) ?? 0;
    return `<U+${number.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
