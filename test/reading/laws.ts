import { type LoadedSkill, loadSkill, type ReadableSkill, SectionNames } from "../../src/reading/index.ts";
import { countCharacters, sliceCharacters } from "../../src/text-page.ts";

/** A document that was compiled, as it is read. */
export function readable(skill: {
  name: string;
  prose: string;
  outline: ReadableSkill["sections"];
}): ReadableSkill {
  const { name, prose: text, outline: sections } = skill;
  return { name, source: "bundled", version: null, stale: false, files: [], text, sections };
}

/** What is wrong with how a document is read within a budget; nothing where all laws hold. */
export function breaches(skill: ReadableSkill, maxCharacters: number): string[] {
  const { labels } = new SectionNames(skill.sections);
  const found = breachesOfPages(skill, null, skill.text, maxCharacters);
  if (new Set(labels).size < labels.length) found.push("two sections have one label");
  labels.forEach((label, index) => {
    found.push(...breachesOfSection(skill, label, index, maxCharacters));
  });
  return found.map((breach) => `${skill.name} within ${maxCharacters}: ${breach}`);
}

/** The same for the pages of the document, or of the section of a label. */
export function breachesOfPages(
  skill: ReadableSkill,
  section: string | null,
  text: string,
  maxCharacters: number,
): string[] {
  const found: string[] = [];
  let joined = "";
  for (let offset: number | null = null, isFirst = true; isFirst || offset !== null; isFirst = false) {
    const loaded = loadSkill(skill, { section, offset, maxCharacters });
    if (!loaded.ok) return [...found, `${section} at ${offset}: ${loaded.failure.code}`];
    const { value } = loaded;
    found.push(...breachesOfPiece(value, maxCharacters));
    if (value.content === "" && text !== "") return [...found, `${section} at ${offset} gets no further`];
    joined += value.content;
    offset = value.next_offset;
  }
  return joined === text ? found : [...found, `the pages of ${section ?? "the document"} are not it`];
}

function breachesOfSection(
  skill: ReadableSkill,
  label: string,
  index: number,
  maxCharacters: number,
): string[] {
  const loaded = loadSkill(skill, { section: label, offset: null, maxCharacters });
  if (!loaded.ok) return [`${JSON.stringify(label)}: ${loaded.failure.code}`];
  const { start = 0, end = 0 } = skill.sections[index] ?? {};
  const { content, total_chars } = loaded.value;
  const isIt = total_chars === end - start && sliceCharacters(skill.text, start, end).startsWith(content);
  return [
    ...breachesOfPiece(loaded.value, maxCharacters),
    ...(isIt && (content !== "" || total_chars === 0)
      ? []
      : [`${JSON.stringify(label)} gives another section`]),
  ];
}

function breachesOfPiece(piece: LoadedSkill, maxCharacters: number): string[] {
  const found: string[] = [];
  const size = countCharacters(JSON.stringify(piece));
  if (size > maxCharacters) found.push(`a reply of ${size} characters`);
  if (!piece.content.isWellFormed()) found.push(`half a character at ${piece.offset}`);
  if (piece.complete !== (piece.next_offset === null)) found.push("complete and next_offset disagree");
  const end = piece.offset + [...piece.content].length;
  if ((piece.next_offset ?? piece.total_chars) !== end)
    found.push(`offsets that do not add up at ${piece.offset}`);
  return found;
}
