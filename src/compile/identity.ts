import {
  MAX_SKILL_DESCRIPTION_CHARACTERS,
  MAX_SKILL_NAME_CHARACTERS,
  MIN_SKILL_DESCRIPTION_CHARACTERS,
} from "../limits.ts";
import { whatWasMeant } from "../nearest.ts";
import { categoryNames } from "../vocabulary.ts";
import type { DiagnosticCode, DiagnosticList, Fix, Replacement } from "./diagnostic.ts";
import type { FrontMatter } from "./document/front-matter.ts";
import type { Span } from "./document/source.ts";
import { spanOf } from "./document/yaml.ts";
import type { SkillHeader } from "./protocol/header.ts";
import type { MetaSection } from "./protocol/meta.ts";
import { respelling, rewriting } from "./protocol/reading/corrections.ts";
import type { Place } from "./protocol/reading/place.ts";
import { isSlug, slugOf } from "./slug.ts";

/** What a skill calls itself. */
interface Identity {
  /** The name that it is served under. */
  name: string;
  /** The name as it was written. */
  title: string;
  description: string;
  version: string | null;
  category: string | null;
}

/**
 * Settles name, description, version and category from front matter and `meta` (the front matter comes first)
 * and says what is wrong with them, each at the field that it came from.
 * @param folder the name of the folder that the document stands in, or null where there is none
 */
export function readIdentity(
  front: FrontMatter,
  header: SkillHeader,
  meta: MetaSection | null,
  folder: string | null,
  diagnostics: DiagnosticList,
): Identity {
  return new IdentityReader(front, header, meta, diagnostics).read(folder);
}

/** Fields that both layers have. */
type Shared = "name" | "description" | "version" | "category";

class IdentityReader {
  readonly #front: FrontMatter;
  readonly #header: SkillHeader;
  readonly #meta: MetaSection | null;
  readonly #diagnostics: DiagnosticList;

  constructor(
    front: FrontMatter,
    header: SkillHeader,
    meta: MetaSection | null,
    diagnostics: DiagnosticList,
  ) {
    this.#front = front;
    this.#header = header;
    this.#meta = meta;
    this.#diagnostics = diagnostics;
  }

  read(folder: string | null): Identity {
    const title = this.#value("name");
    const name = title === null ? "" : isSlug(title) ? title : slugOf(title);
    if (title === null) this.#reportNameless();
    else this.#checkName(title, name, folder);
    const category = this.#value("category");
    const version = this.#value("version");
    this.#checkCategory(category);
    this.#checkVersion(version);
    return { name, title: title ?? "", description: this.#description(name), version, category };
  }

  #value(field: Shared): string | null {
    return this.#header[field] ?? this.#meta?.[field] ?? null;
  }

  /** Where a field's value stands, or its empty field in the front matter. */
  #place(field: Shared): Place | null {
    const fields = this.#header[field] === null ? this.#meta?.fields : this.#header.fields;
    return fields?.valuePlace(field) ?? this.#header.fields?.valuePlace(field) ?? null;
  }

  /** As `#place`, or the beginning of the document where neither layer has the field. */
  #span(field: Shared): Span {
    const place = this.#place(field);
    const { start } = this.#front.span;
    return place === null ? { start, end: start } : spanOf(place.block, place.node);
  }

  #report(field: Shared, code: DiagnosticCode, message: string, fix: string | Fix | null = null): void {
    this.#diagnostics.add(code, this.#span(field), message, fix);
  }

  #reportNameless(): void {
    if (this.#diagnostics.hasErrors) return;
    if (this.#header.fields !== null || this.#front.block !== null)
      this.#report("name", "name-missing", "the front matter has no name", "name: …");
    else
      this.#report(
        "name",
        "front-matter-missing",
        "the document has neither front matter nor a meta block, so nothing names it",
        "begin the file with name: and description: between two lines ---",
      );
  }

  #checkName(title: string, name: string, folder: string | null): void {
    this.#checkAgreement();
    const written = JSON.stringify(title);
    if (name === "") {
      this.#report("name", "name-missing", `no letter or digit is left of the name ${written}`);
      return;
    }
    if ([...name].length > MAX_SKILL_NAME_CHARACTERS)
      this.#report(
        "name",
        "name-too-long",
        `a skill's name has at most ${MAX_SKILL_NAME_CHARACTERS} characters`,
      );
    if (name !== title) {
      const message = `the name ${written} is not made of lower-case letters, digits and single hyphens; it is served as ${name}`;
      const fix = { advice: `name: ${name}`, replacements: this.#renaming(name) };
      this.#report("name", "name-not-a-slug", message, fix);
    }
    if (folder !== null && folder.normalize("NFKC") !== name)
      this.#report("name", "name-differs-from-folder", `the skill ${name} stands in the folder ${folder}`);
  }

  /** The layers go on agreeing where the name changes in each that has one. */
  #renaming(name: string): (Replacement | null)[] {
    return [this.#header, this.#meta].flatMap((layer) => {
      const place = layer?.name == null ? null : (layer.fields?.valuePlace("name") ?? null);
      return place === null ? [] : [rewriting(place, name)];
    });
  }

  /** Composed and decomposed letters are the same name. */
  #checkAgreement(): void {
    const { name } = this.#header;
    const other = this.#meta?.name ?? null;
    if (name === null || other === null || name.normalize("NFKC") === other.normalize("NFKC")) return;
    const place = this.#meta?.fields.valuePlace("name") ?? null;
    const span = place === null ? this.#span("name") : spanOf(place.block, place.node);
    const message = `the front matter names the skill ${name}, meta names it ${other}`;
    this.#diagnostics.add("name-mismatch", span, message, `name: ${name}`);
  }

  #description(name: string): string {
    const description = this.#value("description") ?? "";
    const { length } = [...description];
    if (description === "") {
      const isKnown = this.#header.name !== null || this.#meta !== null;
      if (isKnown && !this.#saysEmpty())
        this.#report(
          "description",
          "description-missing",
          "the skill has no description",
          "description: what it does and when to use it",
        );
    } else if (length > MAX_SKILL_DESCRIPTION_CHARACTERS) {
      const message = `the description has ${length} characters, ${MAX_SKILL_DESCRIPTION_CHARACTERS} are allowed`;
      this.#report("description", "description-too-long", message);
    } else if (length < MIN_SKILL_DESCRIPTION_CHARACTERS || description === name) {
      this.#report(
        "description",
        "description-vague",
        "a model cannot tell from this description when to choose the skill",
      );
    }
    return description;
  }

  /** Whether a description without a value was reported as an empty field already. */
  #saysEmpty(): boolean {
    const fields = [this.#header.fields, this.#meta?.fields ?? null];
    return (
      this.#value("description") === null &&
      fields.some((reader) => reader?.valuePlace("description") != null)
    );
  }

  #checkCategory(category: string | null): void {
    if (category === null || categoryNames.includes(category)) return;
    const meant = whatWasMeant(category, categoryNames);
    const place = this.#place("category");
    if (meant === null || place === null) return;
    const message = `the category ${category} is not a known one`;
    const fix = respelling(place, meant, (known) => `category: ${known}`);
    this.#report("category", "category-unknown", message, fix);
  }

  #checkVersion(version: string | null): void {
    if (version === null || /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(version)) return;
    const message = `the version ${version} is not of the form 1.2.3 (semver.org)`;
    this.#report("version", "version-not-semver", message);
  }
}
