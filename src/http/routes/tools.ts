import type { Context } from "hono";
import { Hono } from "hono/tiny";
import {
  BUNDLED_ONLY,
  type Catalog,
  MadeBodies,
  type Naming,
  type PreparedBody,
  prepareBody,
  type SelectedFunction,
  type Selection,
  selectFunctions,
  selectsAll,
  toolsBody,
} from "../../catalog/index.ts";
import type { EncodedTools, ToolOptions } from "../../dialect/index.ts";
import { type Result, success } from "../../errors.ts";
import type { DialectName } from "../../vocabulary.ts";
import { encodingOf } from "../../vocabulary.ts";
import type { Gateway } from "../gateway.ts";
import { replyFailure, replyTagged } from "../replies.ts";
import { nameSet, type ToolsQuery, toolsQuery } from "../requests.ts";
import { validated } from "../validation.ts";

/** `GET /v1/tools` and `GET /v1/tools/losses`. */
export function toolRoutes(gateway: Gateway): Hono {
  const made = new MadeBodies();
  return new Hono()
    .get("/v1/tools", validated("query", toolsQuery), async (context) => {
      const query = context.req.valid("query");
      const { catalog } = context.var;
      const prepared = await preparedBody(query, catalog, gateway, made);
      if (!prepared.ok) return replyFailure(context, prepared.failure);
      if (prepared.value !== null) return replyTagged(context, prepared.value);
      const chosen = await choose(query, catalog);
      if (!chosen.ok) return replyFailure(context, chosen.failure);
      const { hash, reading, isExact, functions } = chosen.value;
      const { json, notes } = encoded(functions, query, gateway);
      const body = await prepareBody(toolsBody(query.format, hash, json, notes));
      if (isExact) made.keep(keyOf(reading, query), body);
      return replyTagged(context, body);
    })
    .get("/v1/tools/losses", validated("query", toolsQuery), async (context) => {
      const query = context.req.valid("query");
      const { format } = query;
      const chosen = await choose(query, context.var.catalog);
      if (!chosen.ok) return replyFailure(context, chosen.failure);
      const { hash: catalog, functions } = chosen.value;
      const { tools, notes } = encoded(functions, query, gateway);
      const losses = functions.flatMap(({ record, definition }, index) => {
        const tool = gateway.toolName(format, definition.name);
        return (tools[index]?.losses ?? []).map((loss) => ({ skill: record.skill.name, tool, ...loss }));
      });
      return replyMade(context, JSON.stringify({ format, catalog, losses, notes }));
    });
}

async function replyMade(context: Context, text: string): Promise<Response> {
  return replyTagged(context, await prepareBody(text));
}

/**
 * The bytes made at build time, for callers with bundled skills only, neither selection nor options; or else those
 * made for the same question while the caller's skills were the same.
 */
async function preparedBody(
  query: ToolsQuery,
  catalog: Catalog,
  gateway: Gateway,
  made: MadeBodies,
): Promise<Result<PreparedBody | null>> {
  const reading = await catalog.reading();
  if (!reading.ok) return reading;
  const asksForAll = selectsAll(selectionFrom(query)) && !hasOption(optionsFrom(query));
  if (asksForAll && reading.value === BUNDLED_ONLY)
    return success(gateway.bundled.bundle.tools[query.format]);
  return success(made.get(keyOf(reading.value, query)));
}

function keyOf(reading: string, query: ToolsQuery): string {
  return JSON.stringify([reading, query]);
}

interface Chosen extends Naming {
  functions: SelectedFunction[];
}

async function choose(query: ToolsQuery, catalog: Catalog): Promise<Result<Chosen>> {
  const selection = selectionFrom(query);
  const records = await catalog.records(selection.skills ?? []);
  if (!records.ok) return records;
  const functions = selectFunctions(records.value, selection);
  if (!functions.ok) return functions;
  const naming = await catalog.naming(records.value);
  return naming.ok ? success({ ...naming.value, functions: functions.value }) : naming;
}

/** The tools in a provider's words; nobody could tell an empty list from one that went wrong. */
function encoded(functions: readonly SelectedFunction[], query: ToolsQuery, gateway: Gateway): EncodedTools {
  const tools = toolsOf(functions, query, gateway);
  if (functions.length > 0) return tools;
  const note = "Nothing that was asked for has functions that can be called.";
  return { ...tools, notes: [...tools.notes, { option: "tools", function: null, note }] };
}

/** Tools made with the record wherever nothing else is asked for. */
function toolsOf(functions: readonly SelectedFunction[], query: ToolsQuery, gateway: Gateway): EncodedTools {
  const options = optionsFrom(query);
  const prepared = hasOption(options) ? [] : preparedTools(functions, query.format);
  if (prepared.length < functions.length || hasOption(options)) {
    const definitions = functions.map(({ definition }) => definition);
    return gateway.encodeTools(query.format, definitions, options);
  }
  const texts = prepared.map(({ json }) => json);
  return { json: gateway.wrapTools(query.format, texts), tools: prepared, notes: [] };
}

function preparedTools(functions: readonly SelectedFunction[], format: DialectName) {
  return functions.flatMap(({ prepared }) => prepared(encodingOf[format]) ?? []);
}

function selectionFrom({ skills, functions, category, unbound }: ToolsQuery): Selection {
  return {
    skills: nameSet(skills),
    functions: nameSet(functions),
    category: category ?? null,
    unbound: unbound === "1",
  };
}

function optionsFrom({ strict, examples, defer }: ToolsQuery): ToolOptions {
  return { strict: strict === "1", examples: examples === "1", defer: defer === "1" };
}

function hasOption({ strict, examples, defer }: ToolOptions): boolean {
  return strict || examples || defer;
}
