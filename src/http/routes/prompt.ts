import { Hono } from "hono/tiny";
import { type Catalog, categoryOf, type ListedRecord, selectFunctions } from "../../catalog/index.ts";
import { type Result, success } from "../../errors.ts";
import type { FunctionDefinition } from "../../ir.ts";
import type { PromptSkill, PromptTool } from "../../reading/index.ts";
import type { Gateway } from "../gateway.ts";
import { MadeReplies, type MadeReply } from "../made-replies.ts";
import { replyFailure, replyTagged, TEXT_TYPE } from "../replies.ts";
import { nameSet, type PromptQuery, promptQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `GET /v1/prompt`. */
export function promptRoutes(gateway: Gateway): Hono {
  const replies = new MadeReplies();
  return new Hono().get("/v1/prompt", validated("query", promptQuery), async (context) => {
    const query = context.req.valid("query");
    const { catalog } = context.var;
    const prompt = await replies.give(catalog, query, () => madePrompt(query, catalog, gateway));
    return prompt.ok ? replyTagged(context, prompt.value, TEXT_TYPE) : replyFailure(context, prompt.failure);
  });
}

async function madePrompt(
  query: PromptQuery,
  catalog: Catalog,
  gateway: Gateway,
): Promise<Result<MadeReply>> {
  const records = await catalog.records(nameSet(query.skills) ?? []);
  if (!records.ok) return records;
  const text = await promptOf(records.value, query, gateway);
  if (!text.ok) return text;
  const naming = await catalog.naming(records.value);
  return naming.ok ? success({ text: text.value, isExact: naming.value.isExact }) : naming;
}

async function promptOf(
  records: readonly ListedRecord[],
  query: PromptQuery,
  gateway: Gateway,
): Promise<Result<string>> {
  const skills = nameSet(query.skills);
  const selected = selectFunctions(records, { skills, functions: null, category: null, unbound: false });
  if (!selected.ok) return selected;
  const wanted = records.filter(({ record }) => skills?.has(record.skill.name) ?? true);
  const nameOf = namesIn(query.format, gateway);
  const { promptText } = await gateway.prompts();
  return promptText(
    wanted.map((record) => promptSkill(record, skills !== null, nameOf)),
    {
      language: query.lang,
      callsInText: query.format === "text",
      maxCharacters: query.max_chars === undefined ? null : Number(query.max_chars),
    },
  );
}

/** The names that functions have where a model is told of them. */
function namesIn(format: PromptQuery["format"], gateway: Gateway): (name: string) => string {
  if (format === undefined || format === "text") return (name) => name;
  return (name) => gateway.toolName(format, name);
}

/** @param holdsDocument whether the skill was chosen by name, and its document is wanted with it */
function promptSkill(
  { record, functions }: ListedRecord,
  holdsDocument: boolean,
  nameOf: (name: string) => string,
): PromptSkill {
  const { skill } = record;
  return {
    name: skill.name,
    category: categoryOf(skill),
    description: skill.description,
    tools: skill.functions.filter(({ name }) => functions.has(name)).map((tool) => promptTool(tool, nameOf)),
    exclusions: skill.constraints.coverage.exclusions.map(({ message }) => message),
    document: holdsDocument ? skill.prose : null,
  };
}

function promptTool(definition: FunctionDefinition, nameOf: (name: string) => string): PromptTool {
  const { name, description, parameters, binding } = definition;
  const calls = binding.kind === "steps" ? binding.steps.map(({ call }) => nameOf(call)) : [];
  return { name: nameOf(name), description, parameters, calls: [...new Set(calls)] };
}
