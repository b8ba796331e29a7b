import { secretsOf } from "../../src/access/index.ts";
import {
  compareEntries,
  indexEntryOf,
  type PreparedBody,
  permissionsOf,
  prepareBody,
  searchableEntryOf,
  toolsBody,
} from "../../src/catalog/index.ts";
import { dialects } from "../../src/dialect/index.ts";
import { sha256Hex } from "../../src/digest.ts";
import { openApiDocument } from "../../src/http/index.ts";
import type { BundledUpstream, Loss, SkillRecord } from "../../src/ir.ts";
import { SkillSearch } from "../../src/search/index.ts";
import { VERSION } from "../../src/version.ts";
import {
  type DialectName,
  dialectNames,
  encodingNames,
  encodingOf,
  IR_VERSION,
} from "../../src/vocabulary.ts";
import { writeFolder } from "../files.ts";

/**
 * Writes what the worker bundles: a module with the index, and beside it a text for each thing that is parsed
 * or sent only when somebody asks for it. The same skills give the same bytes; files that would not change
 * are not touched, so that a watching bundler rests.
 */
export async function writeBundle(folder: string, records: readonly SkillRecord[]): Promise<WrittenBundle> {
  const byName = new Map(records.map((record) => [record.skill.name, record]));
  const index = records.map((record) => indexEntryOf(record)).sort(compareEntries);
  const ordered = index.flatMap(({ name }) => byName.get(name) ?? []);
  const hash = await sha256Hex(
    JSON.stringify([IR_VERSION, VERSION, ordered.map(({ digest, tools }) => [digest, tools])]),
  );
  const texts = new Map<string, string>();
  ordered.forEach((record, position) => {
    texts.set(recordFile(position), JSON.stringify(record));
  });
  const prepared = new Map<string, PreparedBody>();
  for (const dialect of dialectNames)
    prepared.set(`tools-${dialect}`, await prepareBody(toolsReply(dialect, hash, ordered)));
  prepared.set("openapi", await prepareBody(JSON.stringify(openApiDocument(VERSION))));
  for (const [name, { body }] of prepared) texts.set(`${name}.txt`, body);
  texts.set(
    SEARCH_FILE,
    SkillSearch.empty()
      .add(ordered.map((record) => searchableEntryOf(record)))
      .text(),
  );
  texts.set("bundle.js", moduleText(hash, ordered, prepared));
  texts.set("bundle.d.ts", TYPES);
  await writeFolder(folder, texts);
  return { hash, losses: ordered.flatMap(lossesOf) };
}

/** What a build wrote: the catalog's hash, and what got lost in the providers' formats. */
export interface WrittenBundle {
  hash: string;
  losses: (Loss & { dialect: DialectName })[];
}

function lossesOf({ tools }: SkillRecord): WrittenBundle["losses"] {
  return encodingNames.flatMap((dialect) =>
    tools[dialect].flatMap(({ losses }) => losses.map((loss) => ({ ...loss, dialect }))),
  );
}

function toolsReply(name: DialectName, hash: string, records: readonly SkillRecord[]): string {
  const tools = records.flatMap((record) => record.tools[encodingOf[name]].map(({ json }) => json));
  return toolsBody(name, hash, dialects[name].wrapTools(tools));
}

function recordFile(position: number): string {
  return `skill-${position}.txt`;
}

const SEARCH_FILE = "search.txt";

const TYPES = `import type { Bundle } from "../../src/catalog/index.ts";

export declare const bundle: Bundle;
`;

/** The module: static imports of the texts, and the index as a small literal. */
function moduleText(
  hash: string,
  records: readonly SkillRecord[],
  prepared: ReadonlyMap<string, PreparedBody>,
): string {
  const imports = records.map((_, position) => `import record${position} from "./${recordFile(position)}";`);
  const bodies = [...prepared.keys()].map((name) => `import ${identifier(name)} from "./${name}.txt";`);
  const table = records.map(({ skill }, position) => `[${JSON.stringify(skill.name)}]: record${position}`);
  const reply = (name: string): string =>
    `{ body: ${identifier(name)}, etag: ${JSON.stringify(prepared.get(name)?.etag ?? "")} }`;
  const tools = dialectNames.map((name) => `${JSON.stringify(name)}: ${reply(`tools-${name}`)}`);
  return `// Made by scripts/build.ts from skills/.
${[...imports, ...bodies].join("\n")}
import search from "./${SEARCH_FILE}";

export const bundle = {
  hash: ${JSON.stringify(hash)},
  index: ${JSON.stringify(records.map((record) => indexEntryOf(record)))},
  upstreams: ${JSON.stringify(records.flatMap(upstreamsOf))},
  records: { ${table.join(", ")} },
  tools: { ${tools.join(", ")} },
  search,
  openapi: ${reply("openapi")},
};
`;
}

function identifier(name: string): string {
  return name.replaceAll("-", "_");
}

function upstreamsOf({ skill }: SkillRecord): BundledUpstream[] {
  return skill.upstreams.map(({ upstream }) => ({
    skill: skill.name,
    permissions: permissionsOf(skill),
    baseUrl: upstream.baseUrl,
    baseUrlVariable: upstream.baseUrlVariable,
    secrets: secretsOf(skill),
    limits: skill.constraints.globalLimits,
  }));
}
