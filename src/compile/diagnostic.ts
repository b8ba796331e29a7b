import { MAX_DIAGNOSTIC_CHARACTERS, MAX_DIAGNOSTICS, MAX_DOCUMENT_VALIDATION_STEPS } from "../limits.ts";
import type { ValidationSteps } from "../schema/index.ts";
import { shorten } from "../shorten.ts";
import type { SourceText, Span } from "./document/source.ts";
import type { Edit } from "./edit.ts";

/** Everything that can be said about a document. `error` stops a build or an upload, `warning` does not. */
export const diagnosticCodes = {
  "not-utf-8": "error",
  "document-too-large": "error",
  "document-is-a-path": "error",
  "document-name-twice": "error",
  "document-is-a-link": "warning",
  "link-not-followed": "warning",
  "front-matter-missing": "error",
  "front-matter-unopened": "error",
  "front-matter-unclosed": "error",
  "front-matter-late": "warning",
  "front-matter-indented": "error",
  "front-matter-after-text": "error",
  "front-matter-in-fence": "error",
  "front-matter-too-large": "error",
  "front-matter-lenient": "warning",
  "front-matter-not-a-mapping": "error",
  "merge-conflict": "error",
  "invisible-characters": "warning",
  "yaml-syntax": "error",
  "duplicate-key": "error",
  "alias-limit": "error",
  "nesting-limit": "error",
  "fence-unclosed": "warning",
  "too-many-sections": "warning",
  "reference-missing": "warning",
  "reference-inexact": "warning",
  "reference-outside": "warning",
  "file-unnamed": "warning",
  "protocol-like-fence": "warning",
  "duplicate-section": "error",
  "wrong-type": "error",
  "missing-field": "error",
  "empty-field": "error",
  "unknown-field": "warning",
  "field-of-another-kind": "warning",
  "value-out-of-range": "error",
  "not-one-of": "error",
  "values-contradict": "error",
  "text-kept-as-written": "warning",
  "text-cut-by-comment": "warning",
  "name-missing": "error",
  "name-mismatch": "error",
  "name-differs-from-folder": "warning",
  "name-not-a-slug": "warning",
  "name-too-long": "error",
  "description-missing": "error",
  "description-too-long": "error",
  "description-vague": "warning",
  "version-not-semver": "warning",
  "category-unknown": "warning",
  "function-name-invalid": "error",
  "function-duplicate": "error",
  "function-unknown": "error",
  "function-declaration-only": "warning",
  "function-kinds-several": "error",
  "too-many-functions": "error",
  "schema-root-not-object": "error",
  "schema-keyword-invalid": "error",
  "schema-reference-invalid": "error",
  "schema-required-unknown": "error",
  "schema-pattern-invalid": "error",
  "schema-pattern-backtracks": "warning",
  "schema-pattern-forbidden": "error",
  "schema-value-rejected": "error",
  "schema-openapi-habit": "warning",
  "upstream-unknown": "error",
  "upstream-missing": "error",
  "base-url-invalid": "error",
  "base-url-variable-forbidden": "error",
  "path-invalid": "error",
  "path-parameter-optional": "warning",
  "parameter-unknown": "error",
  "parameter-shadowed": "warning",
  "parameter-placed-twice": "error",
  "parameter-not-placed": "warning",
  "field-sent-twice": "error",
  "credential-taken": "error",
  "clause-incomplete": "error",
  "clause-key-taken": "error",
  "clause-not-placed": "warning",
  "clause-always-present": "warning",
  "step-id-invalid": "error",
  "step-duplicate": "error",
  "step-unknown": "error",
  "step-cycle": "error",
  "step-unused": "warning",
  "argument-unknown": "error",
  "argument-missing": "error",
  "read-only-needed": "error",
  "kept-failure-unmet": "warning",
  "body-not-allowed": "error",
  "header-reserved": "error",
  "header-invalid": "error",
  "expression-invalid": "error",
  "expression-not-boolean": "error",
  "expression-not-list": "error",
  "time-zone-unknown": "error",
  "authentication-invalid": "error",
  "credential-sent-twice": "error",
  "credential-beside-none": "error",
  "credentials-empty": "error",
  "too-many-credentials": "error",
  "secret-name-invalid": "error",
  "secret-not-bound": "error",
  "skill-duplicate": "error",
  "function-in-two-skills": "error",
  "name-confusable": "warning",
  "call-cycle": "error",
} as const satisfies Record<string, "error" | "warning">;

/** The name of a diagnostic, which programs tell it by. */
export type DiagnosticCode = keyof typeof diagnosticCodes;
/** Whether a diagnostic stops a build or an upload. */
export type Severity = "error" | "warning";

/**
 * The codes whose fixes a machine may write, and why that is safe. `same`: the gateway reads the document as
 * before. `meant`: what stood there means nothing to the gateway, and there is only one thing that it can have
 * been meant as. Any other fix is a person's to judge: a new function name, for one, breaks whoever calls it.
 */
export const mechanicalFixes: { readonly [Code in DiagnosticCode]?: "same" | "meant" } = {
  "front-matter-late": "same",
  "front-matter-lenient": "same",
  "text-kept-as-written": "same",
  "schema-openapi-habit": "same",
  "invisible-characters": "meant",
  "name-not-a-slug": "meant",
  "category-unknown": "meant",
  "unknown-field": "meant",
  "not-one-of": "meant",
  "reference-inexact": "meant",
};

/** One thing to say about one place of a file. Lines and columns count from 1, columns in code points. */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: Severity;
  file: string;
  line: number;
  column: number;
  /** Where the place ends; on the same line as it begins. */
  endColumn: number;
  message: string;
  /** What to write instead, in words, or null where that is not certain. */
  fix: string | null;
  /** The fix as changes of the text, all or none of them; empty where it takes a person (see `mechanicalFixes`). */
  edits: Edit[];
  /** The line itself, for showing it. */
  excerpt: string;
}

/** A diagnostic about a document as a whole; it stands at the beginning. */
export function wholeDocument(code: DiagnosticCode, file: string, message: string): Diagnostic {
  const severity = diagnosticCodes[code];
  const place = { file, line: 1, column: 1, endColumn: 2 };
  return { code, severity, ...place, message, fix: null, edits: [], excerpt: "" };
}

/** What to write in the place of something. */
export interface Replacement {
  span: Span;
  /**
   * What was read there. Where the document has something else (a line that was read leniently, a text over
   * several lines of a quote), the fix stays one in words.
   */
  was: string;
  text: string;
}

/** A fix for people and for machines. */
export interface Fix {
  advice: string;
  /** All of them or none are made; a null is one that cannot be written down exactly. */
  replacements: readonly (Replacement | null)[];
}

/**
 * Collects the diagnostics of one document; all faults of a pass are kept, in the order of their places.
 * Where there are too many, warnings give way to errors.
 */
export class DiagnosticList {
  readonly #source: SourceText;
  readonly #errors: Diagnostic[] = [];
  readonly #warnings: Diagnostic[] = [];
  /** What has been said already, so that a place that is read twice is spoken about once. */
  readonly #said = new Set<string>();
  /** What patterns may still cost in checks of the values that the document gives for itself. */
  readonly validationSteps: ValidationSteps = { left: MAX_DOCUMENT_VALIDATION_STEPS };

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** @param fix what to write instead: in words alone, or with the replacements for a code of `mechanicalFixes` */
  add(code: DiagnosticCode, span: Span, message: string, fix: string | Fix | null = null): void {
    const severity = diagnosticCodes[code];
    const kept = this.#keptAs(severity);
    const said = `${code} ${span.start} ${message}`;
    if (kept.length >= MAX_DIAGNOSTICS || this.#said.has(said)) return;
    this.#said.add(said);
    kept.push({
      code,
      severity,
      file: this.#source.file,
      ...this.#source.place(span),
      message: shorten(message, MAX_DIAGNOSTIC_CHARACTERS),
      ...(fix !== null && typeof fix === "object" ? this.#exact(fix) : { fix, edits: [] }),
    });
  }

  #exact({ advice, replacements }: Fix): Pick<Diagnostic, "fix" | "edits"> {
    const exact = replacements
      .filter((replacement) => replacement !== null)
      .filter(({ span, was }) => this.#source.text.slice(span.start, span.end) === was);
    const isWhole = exact.length === replacements.length;
    return { fix: advice, edits: isWhole ? exact.map((one) => this.#source.edit(one)) : [] };
  }

  get hasErrors(): boolean {
    return this.#errors.length > 0;
  }

  /** Whether one more of a kind would be kept; where it would not, its words need not be looked for. */
  takes(code: DiagnosticCode): boolean {
    return this.#keptAs(diagnosticCodes[code]).length < MAX_DIAGNOSTICS;
  }

  #keptAs(severity: Severity): Diagnostic[] {
    return severity === "error" ? this.#errors : this.#warnings;
  }

  /** Whether so much is wrong that no further check has anything to add. */
  get isFull(): boolean {
    return this.#errors.length >= MAX_DIAGNOSTICS;
  }

  /** The number of the line that holds an offset. */
  lineOf(offset: number): number {
    return this.#source.lineAt(offset);
  }

  sorted(): Diagnostic[] {
    const kept = [...this.#errors, ...this.#warnings].slice(0, MAX_DIAGNOSTICS);
    return kept.sort((left, right) => left.line - right.line || left.column - right.column);
  }
}
