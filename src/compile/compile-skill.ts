import type { Constraints, Example, FunctionDefinition, Skill } from "../ir.ts";
import { MAX_EXAMPLES, MAX_SKILL_BYTES } from "../limits.ts";
import { type Diagnostic, DiagnosticList } from "./diagnostic.ts";
import { type FrontMatter, readFrontMatter } from "./document/front-matter.ts";
import { type Fence, type MarkdownStructure, readMarkdown } from "./document/markdown.ts";
import { isLongerThan, SourceText, type Span } from "./document/source.ts";
import { readIdentity } from "./identity.ts";
import { type KeywordLocator, keywordLocator } from "./link/keywords.ts";
import { type SkillPlaces, skillPlaces } from "./link/places.ts";
import { readProse } from "./prose/read-prose.ts";
import { type SkillFile, SkillFolder } from "./prose/skill-folder.ts";
import { type ProtocolBlock, readProtocolBlock, SECTIONS, type Section } from "./protocol/block.ts";
import { NO_CONSTRAINTS, readConstraints } from "./protocol/constraints/constraints.ts";
import { readExample } from "./protocol/examples.ts";
import { checkKeptFailures } from "./protocol/function/cache.ts";
import type { FunctionSection } from "./protocol/function/function.ts";
import { readFunctions } from "./protocol/function/functions.ts";
import { checkCredentialFields } from "./protocol/function/request/credentials.ts";
import { readHeader, type SkillHeader } from "./protocol/header.ts";
import { readMeta } from "./protocol/meta.ts";
import { agreedOverridable } from "./protocol/overridable.ts";
import { report } from "./protocol/reading/place.ts";
import type { FieldReader } from "./protocol/reading/reader.ts";
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
  /**
   * The files that stand in the document's folder beside it: what it refers to must be among them. Where this
   * is null or not given, nobody knows them (an upload is a document alone), and that is not checked.
   */
  files?: readonly SkillFile[] | null;
}

/** What became of a document. */
export interface CompileResult {
  /** Null where any diagnostic is an error. */
  skill: Skill | null;
  /** Where the skill says what linking holds against other skills; null where there is no skill. */
  places: SkillPlaces | null;
  /** Finds what the skill's functions say of their parameters; null where there is no skill. */
  locateKeyword: KeywordLocator | null;
  diagnostics: Diagnostic[];
}

/** Compiles a SKILL.md. Pure; all faults come back in one pass, none is thrown. */
export function compileSkill(text: string, options: CompileOptions): CompileResult {
  const source = new SourceText(options.file, text);
  const diagnostics = new DiagnosticList(source);
  if (isLongerThan(text, MAX_SKILL_BYTES)) {
    const message = `a skill document has at most ${MAX_SKILL_BYTES} bytes`;
    diagnostics.add("document-too-large", { start: 0, end: 0 }, message);
    return { ...NOTHING, diagnostics: diagnostics.sorted() };
  }
  const compiled = new SkillCompiler(source, diagnostics, options).compile();
  return { ...(diagnostics.hasErrors ? NOTHING : compiled), diagnostics: diagnostics.sorted() };
}

/** What is left of a document with errors. */
const NOTHING = { skill: null, places: null, locateKeyword: null };

/** Functions are counted over all blocks, where one too many has a code of its own. */
const MOST_ITEMS = { functions: Number.POSITIVE_INFINITY, examples: MAX_EXAMPLES };

class SkillCompiler {
  readonly #source: SourceText;
  readonly #diagnostics: DiagnosticList;
  readonly #options: CompileOptions;
  readonly #front: FrontMatter;
  readonly #header: SkillHeader;
  readonly #markdown: MarkdownStructure;
  readonly #blocks: ProtocolBlock[];

  constructor(source: SourceText, diagnostics: DiagnosticList, options: CompileOptions) {
    this.#source = source;
    this.#diagnostics = diagnostics;
    this.#options = options;
    this.#front = readFrontMatter(source, diagnostics);
    this.#header = readHeader(this.#front, diagnostics);
    this.#markdown = readMarkdown(source, this.#front.bodyStart);
    this.#blocks = this.#markdown.fences.flatMap((fence) => this.#readFence(fence));
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

  compile(): { skill: Skill; places: SkillPlaces; locateKeyword: KeywordLocator } {
    this.#reportDuplicateSections();
    const metaFields = this.#section("meta");
    const meta = metaFields === null ? null : readMeta(metaFields);
    const identity = readIdentity(this.#front, this.#header, meta, this.#options.folder, this.#diagnostics);
    const upstreams = this.#upstreams();
    const sections = this.#functions(upstreams);
    const functions = sections.map(({ definition }) => definition);
    const constraints = this.#constraints(functions);
    checkCredentialFields(sections, upstreams, constraints.authentication);
    for (const section of sections) checkKeptFailures(section, constraints.errorHandling);
    const places = skillPlaces(this.#source, [this.#header.fields, metaFields], sections);
    const skill = {
      ...identity,
      provider: meta?.provider ?? null,
      tags: union(this.#header.tags, meta?.tags),
      modelCompatibility: union(this.#header.modelCompatibility, meta?.modelCompatibility),
      triggers: union(this.#header.triggers, meta?.triggers),
      permission: meta?.permission ?? null,
      overridable: agreedOverridable(this.#header, meta),
      frontmatter: this.#header.frontmatter,
      ...readProse(this.#source, this.#markdown, this.#proseSpans(), this.#folder(), this.#diagnostics),
      upstreams: upstreams.map((section) => ({ name: section.name, upstream: section.upstream })),
      functions,
      examples: this.#examples(functions),
      constraints,
    };
    return { skill, places, locateKeyword: keywordLocator(this.#source, sections) };
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
    if (single !== null && several?.has(DEFAULT_UPSTREAM)) {
      const message = `upstream is the upstream ${DEFAULT_UPSTREAM} already`;
      report(several.keyPlace(DEFAULT_UPSTREAM), "duplicate-section", message);
    }
    for (const name of several?.keys ?? []) {
      const fields = several?.mapping(name) ?? null;
      if (fields !== null) sections.push(readUpstream(name, fields, rule));
    }
    return sections;
  }

  #functions(upstreams: readonly UpstreamSection[]): FunctionSection[] {
    return readFunctions(this.#itemsOf("functions"), upstreams, this.#options.isUpload ?? true);
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
    return fields === null ? NO_CONSTRAINTS : readConstraints(fields, functions);
  }

  /** The body without protocol blocks. */
  #proseSpans(): Span[] {
    const starts = [this.#front.bodyStart, ...this.#blocks.map(({ span }) => span.end)];
    const ends = [...this.#blocks.map(({ span }) => span.start), this.#source.text.length];
    return starts.map((start, index) => ({ start, end: ends[index] ?? start }));
  }

  #folder(): SkillFolder | null {
    const { files = null, folder } = this.#options;
    return files === null ? null : new SkillFolder(folder, files);
  }
}

function union(left: readonly string[], right: readonly string[] = []): string[] {
  return [...new Set([...left, ...right])];
}
