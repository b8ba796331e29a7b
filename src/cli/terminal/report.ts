import {
  type Diagnostic,
  type LinkInput,
  type Paint,
  renderDiagnostic,
  type Severity,
} from "../../compile/index.ts";
import type { Reading } from "../skills/read.ts";

/** How often a code was said, and how many of those a machine can fix. */
export interface CodeCount {
  code: string;
  severity: Severity;
  count: number;
  fixable: number;
}

/** What a check found, as `--json` prints it. Fields are added to it, never renamed or taken away. */
export interface Summary {
  /** Documents that were read, and how many of them compile. */
  files: number;
  compiled: number;
  errors: number;
  warnings: number;
  /** Errors first, then by code. */
  codes: CodeCount[];
  /** By file, then by place. */
  diagnostics: Diagnostic[];
}

/** Sums up what became of documents. */
export function summaryOf({ files, compiled, diagnostics }: Reading<LinkInput>): Summary {
  const count = (severity: Severity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return {
    files: files.length,
    compiled: compiled.length,
    errors: count("error"),
    warnings: count("warning"),
    codes: countCodes(diagnostics),
    diagnostics,
  };
}

function countCodes(diagnostics: readonly Diagnostic[]): CodeCount[] {
  const counts = new Map<string, CodeCount>();
  for (const { code, severity, edits } of diagnostics) {
    const { count, fixable } = counts.get(code) ?? { count: 0, fixable: 0 };
    counts.set(code, { code, severity, count: count + 1, fixable: fixable + (edits.length > 0 ? 1 : 0) });
  }
  const key = ({ severity, code }: CodeCount): string => `${severity} ${code}`;
  return [...counts.values()].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** The summary as people read it: every diagnostic, a table of the codes, and the sums. */
export function renderSummary(summary: Summary, paint: Paint): string {
  const { files, compiled, errors, warnings, codes } = summary;
  const fixable = codes.reduce((sum, code) => sum + code.fixable, 0);
  const hint = fixable === 0 ? "" : ` ${fixable} of them can be fixed by \`skillgate check --fix\`.`;
  const sums = `${compiled} of ${plural(files, "document")} compiled: ${plural(errors, "error")}, ${plural(warnings, "warning")}.`;
  return `${renderDiagnostics(summary, paint)}${renderTable(codes, paint)}${sums}${hint}\n`;
}

/** The errors alone, as `renderDiagnostics` writes them. */
export function renderErrors(summary: Summary, paint: Paint): string {
  const errors = summary.diagnostics.filter(({ severity }) => severity === "error");
  return renderDiagnostics({ diagnostics: errors }, paint);
}

/** Each diagnostic with its line of the document, and an empty line after it. */
export function renderDiagnostics({ diagnostics }: Pick<Summary, "diagnostics">, paint: Paint): string {
  return diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic, paint)}\n\n`).join("");
}

function renderTable(codes: readonly CodeCount[], paint: Paint): string {
  const width = Math.max(...codes.map(({ code }) => code.length));
  const rows = codes.map(({ code, severity, count, fixable }) => {
    const fix = fixable === 0 ? "" : `  ${paint.fix(`${fixable} fixable`)}`;
    const name = fix === "" ? code : code.padEnd(width);
    return `${String(count).padStart(6)}  ${paint[severity](severity.padEnd("warning".length))}  ${name}${fix}\n`;
  });
  return rows.length === 0 ? "" : `${rows.join("")}\n`;
}

/** A number of things in words. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
