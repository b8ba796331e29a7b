import type { CompileOptions, CompileResult } from "../../src/compile/index.ts";
import { WorkCounter } from "./work.ts";

/**
 * What a compilation may do for each byte of its document, and for any document, in blocks of code run: twice and
 * more what the busiest ones need. Work that grows with the square of the size is far beyond that at 64 KB.
 */
const BLOCKS_PER_BYTE = 300;
const BLOCKS_AT_LEAST = 500_000;

/** What is wrong with a compilation. */
export interface Finding {
  kind: "crash" | "place" | "outcome" | "work" | "hang";
  detail: string;
}

/** What a compilation came to. */
export interface Verdict {
  finding: Finding | null;
  /** Blocks of code that ran. */
  blocks: number;
  bytes: number;
}

type Compile = (text: string, options: CompileOptions) => CompileResult;

const OPTIONS: CompileOptions = { file: "SKILL.md", folder: null, mayNameBaseUrlVariable: () => true };

/** Compiles documents and says what is wrong with how that went. */
export class Judge {
  readonly #counter: WorkCounter;
  readonly #compile: Compile;

  private constructor(counter: WorkCounter, compile: Compile) {
    this.#counter = counter;
    this.#compile = compile;
  }

  /**
   * The compiler is loaded here, once the counter is at work. The matching of patterns has a budget of its own,
   * which is counted where it is spent.
   */
  static async open(): Promise<Judge> {
    const counter = new WorkCounter(
      (url) => !url.startsWith("node:") && !url.includes("/scripts/fuzz/") && !url.includes("/src/pattern/"),
    );
    const { compileSkill } = await import("../../src/compile/index.ts");
    counter.take();
    return new Judge(counter, compileSkill);
  }

  judge(text: string): Verdict {
    const bytes = Buffer.byteLength(text);
    const result = this.#result(text);
    const blocks = this.#counter.take();
    if (typeof result === "string") return { finding: { kind: "crash", detail: result }, blocks, bytes };
    return {
      finding: busy(blocks, bytes) ?? misplaced(result, text) ?? contradictory(result),
      blocks,
      bytes,
    };
  }

  /** What the compiler threw is its fault, whatever it is; it comes back as text. */
  #result(text: string): CompileResult | string {
    try {
      return this.#compile(text, OPTIONS);
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }

  close(): void {
    this.#counter.close();
  }
}

function busy(blocks: number, bytes: number): Finding | null {
  const allowed = BLOCKS_AT_LEAST + BLOCKS_PER_BYTE * bytes;
  if (blocks <= allowed) return null;
  return { kind: "work", detail: `${blocks} blocks ran for ${bytes} bytes, ${allowed} are allowed` };
}

/** A diagnostic whose place is not one of the document. */
function misplaced({ diagnostics }: CompileResult, text: string): Finding | null {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const wrong = diagnostics.find(({ line, column, endColumn, excerpt }) => {
    const shown = lines[line - 1];
    const end = [...(shown ?? "")].length + 1;
    return shown !== excerpt || column < 1 || column > end || endColumn <= column;
  });
  if (wrong === undefined) return null;
  return { kind: "place", detail: `${wrong.code} at ${wrong.line}:${wrong.column}` };
}

function contradictory({ skill, diagnostics }: CompileResult): Finding | null {
  const isRefused = diagnostics.some(({ severity }) => severity === "error");
  if ((skill === null) === isRefused) return null;
  return { kind: "outcome", detail: isRefused ? "a skill with an error" : "no skill, and no error" };
}
