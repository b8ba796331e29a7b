import { failed, type Result, success } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import { countCharacters } from "../../text-page.ts";
import { fitLines, oneLine, type SkillLine, skillListText } from "../skill-list.ts";
import type { PromptLanguage } from "./languages.ts";
import { type PromptWords, promptWords } from "./words.ts";

/** A tool under the name that the model knows it by. */
export interface PromptTool {
  name: string;
  description: string;
  parameters: JsonObject;
  /** The tools that it calls itself, in the order in which it first does; empty where it is no chain. */
  calls: readonly string[];
}

/** A skill as a prompt tells of it. */
export interface PromptSkill extends SkillLine {
  tools: readonly PromptTool[];
  /** What data does not exist, a sentence each. */
  exclusions: readonly string[];
  /** The document that the prompt is to hold, or null for none. */
  document: string | null;
}

export interface PromptOptions {
  language: PromptLanguage;
  /** Whether the model has no tools of its own: then it is told of their parameters, and how to write a call. */
  callsInText: boolean;
  /** What the prompt may have in all, in code points; null for no bound. */
  maxCharacters: number | null;
}

/**
 * A system prompt: how to call and what to do about failures, what skills there are, what data there is none of, which
 * tools are made of others. The same skills and options give the same text, so that a provider's prompt cache holds it.
 * To keep to a bound documents are cut, descriptions shortened, and where that is not enough the last skills left out;
 * fails with INVALID_REQUEST where there is room for none.
 */
export function promptText(given: readonly PromptSkill[], options: PromptOptions): Result<string> {
  const skills = given.map((skill) => ({ ...skill, description: oneLine(skill.description) }));
  const draft = new Draft(skills, options);
  const { maxCharacters } = options;
  if (maxCharacters === null) return success(draft.text(skills, draft.documents));
  const none = draft.documents.map((document) => ({ ...document, description: "" }));
  const listed = fitLines(skills, {
    sizeOf: (lines) => draft.size(lines, none),
    isRanked: false,
    maxCharacters,
  });
  const lines = listed?.lines ?? [];
  const held = fitLines(draft.documents, {
    sizeOf: (documents) => draft.size(lines, documents),
    isRanked: false,
    maxCharacters,
  });
  if (listed === null || held === null || held.omitted > 0) {
    const first = skills.slice(0, 1).map((skill) => ({ ...skill, description: "" }));
    return tooLittle(draft.size(first, none), maxCharacters);
  }
  return success(draft.text(lines, held.lines));
}

function tooLittle(least: number, maxCharacters: number): Result<never> {
  return failed({
    code: "INVALID_REQUEST",
    message: `The prompt takes at least ${least} characters, and not only ${maxCharacters}.`,
    faults: [{ path: "/max_chars", rule: "minimum", expected: `at least ${least}`, got: `${maxCharacters}` }],
  });
}

/** A document as a prompt holds it: all of its text, or the beginning. */
interface HeldDocument {
  name: string;
  total: number;
  /** Ends in `…` where it is cut. */
  description: string;
}

/** A prompt of which all is written but the list of skills and the documents. */
class Draft {
  readonly documents: readonly HeldDocument[];
  readonly #words: PromptWords;
  readonly #skills: readonly PromptSkill[];
  readonly #before: readonly string[];
  readonly #after: readonly string[];

  constructor(skills: readonly PromptSkill[], { language, callsInText }: PromptOptions) {
    const words = promptWords[language];
    this.#words = words;
    this.#skills = skills;
    this.#before = [words.rules, callsInText ? words.callsInText : "", words.failures];
    this.#after = [
      callsInText ? toolsSection(skills, words) : "",
      coverageSection(skills, words),
      chainsSection(skills, words),
    ];
    this.documents = skills.flatMap(({ name, document }) =>
      document === null ? [] : [{ name, total: countCharacters(document), description: document }],
    );
  }

  /** The prompt with these lines, which are the first ones, and these documents. */
  text(lines: readonly PromptSkill[], documents: readonly HeldDocument[]): string {
    return this.#text(lines, documents, false);
  }

  /** The characters of that prompt; each document counts as if it were cut, which says where it goes on. */
  size(lines: readonly PromptSkill[], documents: readonly HeldDocument[]): number {
    return countCharacters(this.#text(lines, documents, true));
  }

  #text(lines: readonly PromptSkill[], documents: readonly HeldDocument[], areCut: boolean): string {
    const held = documents.map((document) => documentText(document, areCut, this.#words));
    const sections = [
      ...this.#before,
      this.#list(lines),
      ...this.#after,
      held.length === 0 ? "" : `${this.#words.documents}\n${held.join("\n")}`,
    ];
    return sections.filter((section) => section !== "").join("\n");
  }

  #list(lines: readonly PromptSkill[]): string {
    const words = this.#words;
    const noted = lines.map((line) => ({ ...line, note: toolsNote(line, words) }));
    const omitted = this.#skills.length - lines.length;
    const list = this.#skills.length === 0 ? words.noSkills : skillListText(noted, true);
    return `${words.skills}\n${list}${omitted === 0 ? "" : `\n${words.omitted(omitted)}`}`;
  }
}

function toolsNote({ tools }: PromptSkill, words: PromptWords): string {
  return tools.length === 0
    ? ""
    : words.toolsOf(
        namesOf(
          tools.map(({ name }) => name),
          words,
        ),
      );
}

function namesOf(names: readonly string[], { separator }: PromptWords): string {
  return names.map((name) => `\`${name}\``).join(separator);
}

function toolsSection(skills: readonly PromptSkill[], words: PromptWords): string {
  const tools = skills.flatMap((skill) => skill.tools);
  const lines = tools.map(({ name, description, parameters }) => {
    const schema = words.parameters(JSON.stringify(parameters));
    return `- \`${name}\`: ${oneLine(description)}\n  ${schema}`;
  });
  return sectionOf(words.tools, lines);
}

function coverageSection(skills: readonly PromptSkill[], words: PromptWords): string {
  const lines = skills.flatMap(({ name, exclusions }) =>
    [...new Set(exclusions)].map((message) => `- ${name}: ${oneLine(message)}`),
  );
  return sectionOf(words.coverage, lines);
}

function chainsSection(skills: readonly PromptSkill[], words: PromptWords): string {
  const chains = skills.flatMap(({ tools }) => tools).filter(({ calls }) => calls.length > 0);
  const lines = chains.map(
    ({ name, calls }) => `- ${words.chain(namesOf([name], words), namesOf(calls, words))}`,
  );
  return sectionOf(words.chains, lines);
}

function sectionOf(opening: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${opening}\n${lines.join("\n")}\n`;
}

/** Between tags, so that its headings are no headings of the prompt; and nothing in it closes them. */
function documentText(
  { name, total, description }: HeldDocument,
  isCut: boolean,
  words: PromptWords,
): string {
  const size = countCharacters(description);
  const isWhole = size === total && !isCut;
  const shown = isWhole ? description : description.replace(/…$/, "");
  const note = isWhole ? "" : `\n${words.cut(countCharacters(shown), total)}`;
  return `<skill name="${name}">\n${shown.replaceAll("</skill", "<\\/skill")}${note}\n</skill>\n`;
}
