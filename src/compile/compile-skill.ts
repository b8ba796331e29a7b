import type { Constraints, Example, FunctionDefinition, Skill } from "../ir.ts";
import {
  MAX_FUNCTIONS_PER_SKILL,
  MAX_SKILL_BYTES,
  MAX_SKILL_DESCRIPTION_CHARACTERS,
  MAX_SKILL_NAME_CHARACTERS,
  MIN_SKILL_DESCRIPTION_CHARACTERS,
} from "../limits.ts";
import { probablyMeant } from "../nearest.ts";
import { categoryNames } from "../vocabulary.ts";
import { type Diagnostic, DiagnosticList } from "./diagnostic.ts";
import { type FrontMatter, readFrontMatter } from "./document/front-matter.ts";
import { findFences } from "./document/markdown.ts";
import { SourceText, type Span } from "./document/source.ts";
import { type ProtocolBlock, readProtocolBlock, SECTIONS, type Section } from "./protocol/block.ts";
import { NO_CONSTRAINTS, readConstraints } from "./protocol/constraints.ts";
import { readExample } from "./protocol/examples.ts";
import { type FunctionSection, readFunction, sharedScope } from "./protocol/function.ts";
import { readHeader, type SkillHeader } from "./protocol/header.ts";
import { type MetaSection, readMeta } from "./protocol/meta.ts";
import { type FieldReader, report } from "./protocol/reader.ts";
import {
  type BaseUrlVariableRule,
  DEFAULT_UPSTREAM,
  readUpstream,
  type UpstreamSection,
} from "./protocol/upstream.ts";
import { isSlug, slugOf } from "./slug.ts";

export interface CompileOptions {
  /** The path that diagnostics show. */
  file: string;
  /** The name of the folder that the document stands in, or null where there is none. */
  folder: string | null;
  /** Whether an upstream may name this variable; bundled skills may name any. */
  mayNameBaseUrlVariable: BaseUrlVariableRule;
}

export interface CompileResult {
  /** Null where any diagnostic is an error. */
  skill: Skill | null;
  diagnostics: Diagnostic[];
}

/** Compiles a SKILL.md. Pure; all faults come back in one pass, none is thrown. */
export function compileSkill(text: string, options: CompileOptions): CompileResult {
  const source = new SourceText(options.file, text);
  const diagnostics = new DiagnosticList(source);
  if (source.text.length > MAX_SKILL_BYTES) {
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
    this.#blocks = findFences(source, this.#front.bodyStart).flatMap(
      (fence) => readProtocolBlock(source, fence, diagnostics) ?? [],
    );
  }

  compile(): Skill {
    this.#reportDuplicateSections();
    const metaFields = this.#section("meta");
    const meta = metaFields === null ? null : readMeta(metaFields);
    const name = this.#name(meta);
    const upstreams = this.#upstreams();
    const functions = this.#functions(upstreams);
    const category = this.#header.category ?? meta?.category ?? null;
    this.#checkCategory(category);
    this.#checkVersion(this.#header.version ?? meta?.version ?? null);
    return {
      name: name.slug,
      title: name.title,
      description: this.#description(meta, name.slug),
      version: this.#header.version ?? meta?.version ?? null,
      category,
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

  #top(): Span {
    return { start: this.#front.span.start, end: this.#front.span.start };
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

  #name(meta: MetaSection | null): { slug: string; title: string } {
    const { name: headerName } = this.#header;
    const title = headerName ?? meta?.name ?? null;
    if (title === null) {
      this.#reportNameless();
      return { slug: "", title: "" };
    }
    if (headerName !== null && meta?.name != null && headerName !== meta.name) {
      const message = `the front matter names the skill ${headerName}, meta names it ${meta.name}`;
      this.#diagnostics.add("name-mismatch", this.#top(), message);
    }
    const slug = isSlug(title) ? title : slugOf(title);
    this.#checkName(title, slug);
    return { slug, title };
  }

  #reportNameless(): void {
    if (this.#diagnostics.hasErrors) return;
    const hasFrontMatter = this.#front.block !== null;
    const code = hasFrontMatter ? "name-missing" : "front-matter-missing";
    const message = hasFrontMatter
      ? "the front matter has no name"
      : "the document has neither front matter nor a meta block, so nothing names it";
    this.#diagnostics.add(code, this.#top(), message, "---\\nname: …\\ndescription: …\\n---");
  }

  #checkName(title: string, slug: string): void {
    const { folder } = this.#options;
    if (slug === "")
      this.#diagnostics.add(
        "name-missing",
        this.#top(),
        `no letter or digit is left of the name ${JSON.stringify(title)}`,
      );
    if ([...slug].length > MAX_SKILL_NAME_CHARACTERS) {
      this.#diagnostics.add(
        "name-too-long",
        this.#top(),
        `a skill's name has at most ${MAX_SKILL_NAME_CHARACTERS} characters`,
      );
    }
    if (slug !== title) {
      const message = `the name ${JSON.stringify(title)} is not made of lower-case letters, digits and single hyphens; it is served as ${slug}`;
      this.#diagnostics.add("name-not-a-slug", this.#top(), message, `name: ${slug}`);
    }
    if (folder !== null && folder.normalize("NFKC") !== slug) {
      this.#diagnostics.add(
        "name-differs-from-folder",
        this.#top(),
        `the skill ${slug} stands in the folder ${folder}`,
      );
    }
  }

  #description(meta: MetaSection | null, name: string): string {
    const description = this.#header.description ?? meta?.description ?? "";
    const { length } = [...description];
    if (description === "") {
      const known = this.#header.name !== null || meta !== null;
      if (known)
        this.#diagnostics.add(
          "description-missing",
          this.#top(),
          "the skill has no description",
          "description: what it does and when to use it",
        );
    } else if (length > MAX_SKILL_DESCRIPTION_CHARACTERS) {
      this.#diagnostics.add(
        "description-too-long",
        this.#top(),
        `the description has ${length} characters, ${MAX_SKILL_DESCRIPTION_CHARACTERS} are allowed`,
      );
    } else if (length < MIN_SKILL_DESCRIPTION_CHARACTERS || description === name) {
      this.#diagnostics.add(
        "description-vague",
        this.#top(),
        "a model cannot tell from this description when to choose the skill",
      );
    }
    return description;
  }

  #checkCategory(category: string | null): void {
    const meant = category === null ? null : probablyMeant(category, categoryNames);
    if (category === null || categoryNames.includes(category) || meant === null) return;
    this.#diagnostics.add(
      "category-unknown",
      this.#top(),
      `the category ${category} is not a known one`,
      `category: ${meant}`,
    );
  }

  #checkVersion(version: string | null): void {
    if (version === null || /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(version)) return;
    this.#diagnostics.add(
      "version-not-semver",
      this.#top(),
      `the version ${version} is not of the form 1.2.3 (semver.org)`,
    );
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
    return sections.filter((section) => section !== null);
  }

  #functions(upstreams: readonly UpstreamSection[]): FunctionDefinition[] {
    const found = this.#itemsOf("functions").flatMap(
      ({ place, name }) => readFunction(place, name, upstreams) ?? [],
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
      sections.includes(section) ? fields.items(section) : [],
    );
  }

  #examples(functions: readonly FunctionDefinition[]): Example[] {
    return this.#itemsOf("examples").flatMap(({ place, name }) => readExample(place, name, functions) ?? []);
  }

  #constraints(functions: readonly FunctionDefinition[]): Constraints {
    const fields = this.#section("constraints");
    if (fields === null) return NO_CONSTRAINTS;
    const names = functions.map(({ name }) => name);
    return readConstraints(fields, names, sharedScope(functions));
  }

  /** The body without protocol blocks; blank lines that they leave behind are joined. */
  #prose(): string {
    let prose = "";
    let from = this.#front.bodyStart;
    for (const { span } of this.#blocks) {
      prose += this.#source.text.slice(from, span.start);
      from = span.end;
    }
    return `${prose}${this.#source.text.slice(from)}`.replace(/\n{3,}/g, "\n\n").trim();
  }
}

function union(left: readonly string[], right: readonly string[] = []): string[] {
  return [...new Set([...left, ...right])];
}
