import { type CompileOptions, type CompileResult, compileSkill } from "../../src/compile/index.ts";

const OPTIONS: CompileOptions = {
  file: "SKILL.md",
  folder: null,
  mayNameBaseUrlVariable: () => true,
  isUpload: false,
};

/** Compiles a document as a bundled skill without a folder. */
export function compiled(text: string, options: Partial<CompileOptions> = {}): CompileResult {
  return compileSkill(text, { ...OPTIONS, ...options });
}

/** Each diagnostic in one line: `code line:column`. */
export function said(text: string, options: Partial<CompileOptions> = {}): string[] {
  return compiled(text, options).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

export const DESCRIPTION = "Times and heights of the tides at a harbour, for planning a trip.";

/** Front matter that nothing is wrong with; it takes lines 1 to 4. */
export const HEADER = `---\nname: tides\ndescription: ${DESCRIPTION}\n---\n`;

/** A document whose only protocol block is this one; the block's content begins on line 6. */
export function withBlock(yaml: string): string {
  return `${HEADER}\`\`\`yaml\n${yaml}\n\`\`\`\n`;
}
