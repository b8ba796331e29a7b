import { sha256Hex } from "../digest.ts";
import type {
  EncodedTool,
  FunctionDefinition,
  IndexEntry,
  SearchableEntry,
  Skill,
  SkillRecord,
} from "../ir.ts";
import { isJsonObject } from "../json.ts";
import { MAX_KEYWORD_CHARACTERS } from "../limits.ts";
import { shorten } from "../shorten.ts";
import { type EncodingName, encodingNames, IR_VERSION } from "../vocabulary.ts";

/** Writes a function in a provider's words; what the catalog needs of the dialects. */
export type ToolEncoder = (encoding: EncodingName, definition: FunctionDefinition) => EncodedTool;

/**
 * Everything that derives from a skill, made once: at build for bundled skills, at upload for a tenant's own.
 */
export async function makeRecord(source: string, skill: Skill, encode: ToolEncoder): Promise<SkillRecord> {
  const callable = callableFunctions(skill);
  const encodings = encodingNames.map(
    (encoding) => [encoding, callable.map((definition) => encode(encoding, definition))] as const,
  );
  const tools: SkillRecord["tools"] = {
    openai: [],
    "openai-responses": [],
    anthropic: [],
    gemini: [],
    mcp: [],
    ...Object.fromEntries(encodings),
  };
  return { irVersion: IR_VERSION, digest: await sha256Hex(source), source, skill, tools };
}

/** What can be called of a skill: declarations only say what there is, and have no encoding. */
export function callableFunctions({ functions }: Skill): FunctionDefinition[] {
  return functions.filter(({ binding }) => binding.kind !== "declaration");
}

/** Every permission that a skill and its functions ask for, each once. */
export function permissionsOf({ permission, functions }: Skill): string[] {
  const asked = [permission, ...functions.map((definition) => definition.permission)];
  return [...new Set(asked.filter((name) => name !== null))];
}

/**
 * The line of a record in an index.
 * @param base the digest of the bundled skill that a tenant's own was made from
 */
export function indexEntryOf({ skill, digest }: SkillRecord, base: string | null = null): IndexEntry {
  const { name, title, description, category, version, permission, overridable } = skill;
  const functions = callableFunctions(skill).map((definition) => ({
    name: definition.name,
    description: definition.description,
    permission: definition.permission,
  }));
  return { name, title, description, category, version, digest, permission, overridable, base, functions };
}

/** The line of a record, as `indexEntryOf` gives it, with what a search finds it by. */
export function searchableEntryOf(record: SkillRecord, base: string | null = null): SearchableEntry {
  return { ...indexEntryOf(record, base), keywords: keywordsOf(record.skill) };
}

/** What comes first is what is kept where it is too much; no text is said twice. */
function keywordsOf({ triggers, tags, examples, outline, functions }: Skill): string {
  const questions = examples.map(({ user }) => user);
  const headings = outline.map(({ title }) => title);
  const parameters = functions.flatMap((definition) => parameterNames(definition));
  const texts = new Set([...triggers, ...tags, ...questions, ...parameters, ...headings]);
  return shorten([...texts].join("\n"), MAX_KEYWORD_CHARACTERS);
}

function parameterNames({ parameters }: FunctionDefinition): string[] {
  return isJsonObject(parameters.properties) ? Object.keys(parameters.properties) : [];
}
