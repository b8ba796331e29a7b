import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Caller,
  OPERATOR,
  OperatorSecrets,
  UploadedSkillSecrets,
  viewOf,
} from "../../src/access/index.ts";
import {
  BundledSkills,
  Catalog,
  compareEntries,
  indexEntryOf,
  makeRecord,
  searchableEntryOf,
  type ToolEncoder,
  toolsBody,
  type UserSkills,
} from "../../src/catalog/index.ts";
import { compileSkill } from "../../src/compile/index.ts";
import { dialects } from "../../src/dialect/index.ts";
import { failed, success } from "../../src/errors.ts";
import { type Gateway, type LogEvent, openApiDocument } from "../../src/http/index.ts";
import {
  type CallSecrets,
  Circuits,
  ResultCache,
  ResultPages,
  ReturnsChecks,
  TokenStore,
} from "../../src/invoke/index.ts";
import type { SkillRecord } from "../../src/ir.ts";
import { jsonObject } from "../../src/json.ts";
import { createMemoryLimiter } from "../../src/limiter/index.ts";
import { SkillSearch } from "../../src/search/index.ts";
import type { UserSkillStore } from "../../src/store/index.ts";
import { type DialectName, encodingOf } from "../../src/vocabulary.ts";

const SKILL = "tickdb-market-data";
const DOCUMENT = join(import.meta.dirname, `../../skills/${SKILL}/SKILL.md`);

const encodeTool: ToolEncoder = (dialect, definition) => dialects[dialect].encodeTool(definition);

async function compiledRecord(name: string, source: string): Promise<SkillRecord> {
  const { skill, diagnostics } = compileSkill(source, {
    file: "SKILL.md",
    folder: name,
    mayNameBaseUrlVariable: () => true,
  });
  if (skill === null) throw new Error(`${name} does not compile: ${JSON.stringify(diagnostics)}`);
  return makeRecord(source, skill, encodeTool);
}

/** What a build makes of one bundled skill that this program has, and of others by their names. */
async function bundledFrom(others: Readonly<Record<string, string>>): Promise<BundledSkills> {
  const documents = { [SKILL]: await readFile(DOCUMENT, "utf8"), ...others };
  const records = await Promise.all(
    Object.entries(documents).map(([name, source]) => compiledRecord(name, source)),
  );
  const prepared = (dialect: DialectName) => {
    const tools = records.flatMap((record) => record.tools[encodingOf[dialect]].map(({ json }) => json));
    return { body: toolsBody(dialect, "hash", dialects[dialect].wrapTools(tools)), etag: `"${dialect}"` };
  };
  return new BundledSkills({
    hash: "hash",
    index: records.map((record) => indexEntryOf(record)).sort(compareEntries),
    upstreams: [],
    records: Object.fromEntries(records.map((record) => [record.skill.name, JSON.stringify(record)])),
    tools: {
      openai: prepared("openai"),
      anthropic: prepared("anthropic"),
      gemini: prepared("gemini"),
      mcp: prepared("mcp"),
      "openai-responses": prepared("openai-responses"),
      deepseek: prepared("deepseek"),
    },
    search: SkillSearch.empty()
      .add(records.map((record) => searchableEntryOf(record)))
      .text(),
    openapi: { body: JSON.stringify(openApiDocument("0.0.0")), etag: '"openapi"' },
  });
}

/** Who calls in tests that are not about callers. */
export const CALLER: Caller = { ...OPERATOR, tenant: "t" };

export const NO_SECRETS: CallSecrets = {
  secretFor: (variable) => failed({ code: "SECRET_NOT_SET", variables: [variable] }),
  limitsOfSecret: () => [],
  tokenRefusal: () => null,
  holderOf: () => null,
};

const refuse = async () => failed({ code: "FORBIDDEN", message: "Nothing of that in here." });

/**
 * A gateway over a store of a test's own, with nothing upstream.
 * @param bundled documents that are bundled besides, by their names
 */
export async function gatewayOver(
  store: UserSkillStore,
  bundled: Readonly<Record<string, string>> = {},
): Promise<Gateway & { logged: LogEvent[] }> {
  const skills = await bundledFrom(bundled);
  const logged: LogEvent[] = [];
  const now = () => 0;
  return {
    logged,
    version: "0.0.0",
    bundled: skills,
    stores: { skills: true, limits: "memory" },
    faults: [],
    open: true,
    setup: null,
    identify: async () => success(CALLER),
    catalogFor: (caller) => {
      const { tenant } = caller;
      const own: UserSkills = {
        index: () => store.index(tenant),
        skill: (name) => store.skill(tenant, name),
        skills: (names) => store.skills(tenant, names),
      };
      return new Catalog(skills, own, viewOf(caller));
    },
    skills: store,
    keys: { issue: refuse, list: refuse, show: refuse, rotate: refuse, revoke: refuse },
    secrets: { put: refuse, list: refuse, delete: refuse },
    uploadedSkillSecrets: async (_skill, caller) =>
      success(
        new UploadedSkillSecrets(
          caller.tenant,
          new Map(),
          new OperatorSecrets([], () => undefined),
          viewOf(caller),
        ),
      ),
    invocation: {
      now,
      random: () => 0,
      sleep: async () => {},
      fetch,
      egress: { allow: [], deny: ["*"], allowLoopback: false },
      limiter: createMemoryLimiter(now),
      closures: { closedFor: () => 0, close: () => {} },
      baseUrlOf: () => undefined,
      secrets: NO_SECRETS,
      tokens: new TokenStore(now, { sleep: () => new Promise(() => {}), waitUntil: () => {} }),
      results: new ResultCache({
        now,
        sleep: () => new Promise(() => {}),
        waitUntil: () => {},
        report: () => {},
      }),
      circuits: new Circuits(now),
      returns: new ReturnsChecks(now),
      vars: jsonObject(),
    },
    resultPages: new ResultPages(now, null),
    wrapTools: (dialect, tools) => dialects[dialect].wrapTools(tools),
    encodeTool,
    authoring: () => import("../../src/http/authoring/index.ts"),
    prompts: () => import("../../src/reading/prompt/prompt.ts"),
    searcher: () => import("../../src/search/index.ts"),
    encodeTools: (dialect, definitions, options) => dialects[dialect].encodeTools(definitions, options),
    toolName: (dialect, functionName) => dialects[dialect].toolName(functionName),
    functionName: (dialect, toolName, known) => dialects[dialect].functionName(toolName, known),
    restoreArguments: (dialect, definition, given) => dialects[dialect].restoreArguments(definition, given),
    memberNames: (dialect, definition) => dialects[dialect].memberNames(definition),
    pathAsGiven: (dialect, definition, given, path) => dialects[dialect].pathAsGiven(definition, given, path),
    uploadRefusal: async () => success(null),
    mayNameBaseUrlVariable: () => false,
    log: (event) => logged.push(event),
    now,
  };
}
