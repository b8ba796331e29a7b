import type { Constraints, Example, FunctionDefinition, Skill } from "../ir.ts";
import { MAX_EXAMPLES, MAX_FUNCTIONS_PER_SKILL, MAX_SKILL_BYTES } from "../limits.ts";
import { type Diagnostic, DiagnosticList } from "./diagnostic.ts";
import { type FrontMatter, readFrontMatter } from "./document/front-matter.ts";
import { describeHidden, firstHidden } from "./document/hidden.ts";
import { type Fence, findFences } from "./document/markdown.ts";
import { byteLength, SourceText } from "./document/source.ts";
import { readIdentity } from "./identity.ts";
import { type ProtocolBlock, readProtocolBlock, SECTIONS, type Section } from "./protocol/block.ts";
import { NO_CONSTRAINTS, readConstraints } from "./protocol/constraints.ts";
import { readExample } from "./protocol/examples.ts";
import { type FunctionSection, readFunction, sharedScope } from "./protocol/function.ts";
import { readHeader, type SkillHeader } from "./protocol/header.ts";
import { readMeta } from "./protocol/meta.ts";
import { type FieldReader, report } from "./protocol/reader.ts";
import {
  type BaseUrlVariableRule,
  DEFAULT_UPSTREAM,
  readUpstream,
  type UpstreamSection,
} from "./protocol/upstream.ts";

/** Where a document comes from, and what it may do. */
export interface CompileOptions {
  /** The path that diagnostics show. */
  file: string;
  /** The name of the folder that the document stands in, or null where there is none. */
  folder: string | null;
  /** Whether an upstream may name this variable; bundled skills may name any. */
  mayNameBaseUrlVariable: BaseUrlVariableRule;
  /**
   * Whether the document comes from outside (where this is not given, it does): a pattern that may take
   * exponential time is then an error, otherwise a warning.
   */
  isUpload?: boolean;
}

/** What became of a document. */
export interface CompileResult {
  /** Null where any diagnostic is an error. */
  skill: Skill | null;
  diagnostics: Diagnostic[];
}

/** Compiles a SKILL.md. Pure; all faults come back in one pass, none is thrown. */
export function compileSkill(text: string, options: CompileOptions): CompileResult {
  const source = new SourceText(options.file, text);
  const diagnostics = new DiagnosticList(source);
  if (text.length > MAX_SKILL_BYTES || byteLength(text) > MAX_SKILL_BYTES) {
    diagnostics.add(
      "document-too-large",
      { start: 0, end: 0 },
      `a skill document has at most ${MAX_SKILL_BYTES} bytes`,
    );
    return { skill: null, diagnostics: diagnostics.sorted() };
  }
  const skill = new SkillCompiler(source, diagnostics, options).compile();
  return { skill: diagnostics.hasErrors ? null : skill, diagnostics: diagnostics.sorted() };
}

/** Functions are counted over all blocks, where one too many has a code of its own. */
const MOST_ITEMS = { functions: Number.POSITIVE_INFINITY, examples: MAX_EXAMPLES };

class SkillCompiler {
  readonly #source: SourceText;
  readonly #diagnostics: DiagnosticList;
  readonly #options: CompileOptions;
  readonly #front: FrontMatter;
  readonly #header: SkillHeader;
  readonly #blocks: ProtocolBlock[];

  constructor(source: SourceText, diagnostics: DiagnosticList, options: CompileOptions) {
    this.#source = source;
    this.#diagnostics = diagnostics;
    this.#options = options;
    this.#front = readFrontMatter(source, diagnostics);
    this.#header = readHeader(this.#front, diagnostics);
    this.#blocks = findFences(source, this.#front.bodyStart).flatMap((fence) => this.#readFence(fence));
  }

  #readFence(fence: Fence): ProtocolBlock[] {
    if (!fence.closed) {
      const { start } = fence.span;
      const lineEnd = this.#source.text.indexOf("\n", start);
      const end = lineEnd === -1 ? this.#source.text.length : lineEnd;
      const message = "this block is never closed, so all that follows belongs to it";
      this.#diagnostics.add("fence-unclosed", { start, end }, message);
    }
    return [readProtocolBlock(this.#source, fence, this.#diagnostics)].filter((block) => block !== null);
  }

  compile(): Skill {
    this.#reportDuplicateSections();
    const metaFields = this.#section("meta");
    const meta = metaFields === null ? null : readMeta(metaFields);
    const identity = readIdentity(this.#front, this.#header, meta, this.#options.folder, this.#diagnostics);
    const upstreams = this.#upstreams();
    const functions = this.#functions(upstreams);
    return {
      ...identity,
      provider: meta?.provider ?? null,
      tags: union(this.#header.tags, meta?.tags),
      modelCompatibility: union(this.#header.modelCompatibility, meta?.modelCompatibility),
      triggers: union(this.#header.triggers, meta?.triggers),
      permission: meta?.permission ?? null,
      frontmatter: this.#header.frontmatter,
      prose: this.#prose(),
      upstreams: upstreams.map((section) => ({ name: section.name, upstream: section.upstream })),
      functions,
      examples: this.#examples(functions),
      constraints: this.#constraints(functions),
    };
  }

  /** The one block that holds a section which may stand only once. */
  #section(section: Section): FieldReader | null {
    const block = this.#blocks.find(({ sections }) => sections.includes(section));
    return block?.fields.mapping(section) ?? null;
  }

  #reportDuplicateSections(): void {
    for (const section of SECTIONS) {
      if (section === "functions" || section === "examples") continue;
      const [, ...again] = this.#blocks.filter(({ sections }) => sections.includes(section));
      for (const { fields } of again) {
        report(
          fields.keyPlace(section),
          "duplicate-section",
          `${section} stands in an earlier block already`,
        );
      }
    }
  }

  #upstreams(): UpstreamSection[] {
    const rule = this.#options.mayNameBaseUrlVariable;
    const single = this.#section("upstream");
    const several = this.#section("upstreams");
    const sections = single === null ? [] : [readUpstream(DEFAULT_UPSTREAM, single, rule)];
    for (const name of several?.keys ?? []) {
      const fields = several?.mapping(name) ?? null;
      if (fields !== null) sections.push(readUpstream(name, fields, rule));
    }
    return sections;
  }

  #functions(upstreams: readonly UpstreamSection[]): FunctionDefinition[] {
    const isUpload = this.#options.isUpload ?? true;
    const found = this.#itemsOf("functions").flatMap(
      ({ place, name }) => readFunction(place, name, upstreams, isUpload) ?? [],
    );
    const seen = new Map<string, FunctionSection>();
    for (const section of found) {
      const { name } = section.definition;
      if (seen.has(name))
        report(section.place, "function-duplicate", `the function ${name} is defined twice`);
      else seen.set(name, section);
    }
    const overMany = found[MAX_FUNCTIONS_PER_SKILL];
    if (overMany !== undefined)
      report(
        overMany.place,
        "too-many-functions",
        `a skill has at most ${MAX_FUNCTIONS_PER_SKILL} functions`,
      );
    return [...seen.values()].map(({ definition }) => definition);
  }

  #itemsOf(section: "functions" | "examples"): ReturnType<FieldReader["items"]> {
    return this.#blocks.flatMap(({ fields, sections }) =>
      sections.includes(section) ? fields.items(section, MOST_ITEMS[section]) : [],
    );
  }

  #examples(functions: readonly FunctionDefinition[]): Example[] {
    return this.#itemsOf("examples").flatMap(({ place, name }) => {
      if (this.#diagnostics.isFull) return [];
      return readExample(place, name, functions) ?? [];
    });
  }

  #constraints(functions: readonly FunctionDefinition[]): Constraints {
    const fields = this.#section("constraints");
    if (fields === null) return NO_CONSTRAINTS;
    const names = functions.map(({ name }) => name);
    return readConstraints(fields, names, sharedScope(functions));
  }

  /** The body without protocol blocks, and one blank line where one was. */
  #prose(): string {
    const parts: string[] = [];
    let from = this.#front.bodyStart;
    for (const { span } of this.#blocks) {
      parts.push(this.#proseBetween(from, span.start));
      from = span.end;
    }
    parts.push(this.#proseBetween(from, this.#source.text.length));
    return parts
      .map((part) => part.replace(/^(?:[ \t]*\n)+/, "").trimEnd())
      .filter((part) => part !== "")
      .join("\n\n");
  }

  #proseBetween(start: number, end: number): string {
    const prose = this.#source.text.slice(start, end);
    const hidden = describeHidden(prose);
    if (hidden !== null) {
      const at = start + (firstHidden(prose) ?? 0);
      this.#diagnostics.add("invisible-characters", { start: at, end: at + 1 }, hidden);
    }
    return prose;
  }
}

function union(left: readonly string[], right: readonly string[] = []): string[] {
  return [...new Set([...left, ...right])];
}
