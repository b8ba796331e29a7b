import Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { MessageParam, ToolUnion } from "@anthropic-ai/sdk/resources/messages";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answersTo, forgetAsked, servedTools } from "./gateway.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { expectWholeLoop, LAST_WORD, QUESTION, script } from "./script.ts";
import { anthropic } from "./wire/anthropic.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(anthropic);
});
beforeEach(forgetAsked);
afterAll(() => model.close());

const clientTool = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  input_examples: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  strict: z.boolean().exactOptional(),
  defer_loading: z.boolean().exactOptional(),
});
const searchTool = z.strictObject({
  type: z.literal("tool_search_tool_bm25_20251119"),
  name: z.literal("tool_search_tool_bm25"),
});
const anyTools: z.ZodType<ToolUnion[]> = z.array(z.union([searchTool, clientTool]));
const resultBlock = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.string(),
  is_error: z.boolean().exactOptional(),
});
const userMessages: z.ZodType<MessageParam[]> = z.array(
  z.strictObject({ role: z.literal("user"), content: z.array(resultBlock) }),
);

/** The whole loop; a stream that is awaited to its end gives the same message as a reply that came at once. */
async function converse(query: string, isStreamed: boolean): Promise<string> {
  const client = new Anthropic({ baseURL: model.url, apiKey: "a-key", maxRetries: 0 });
  const tools = anyTools.parse(await servedTools("anthropic", query));
  const messages: MessageParam[] = [{ role: "user", content: QUESTION }];
  for (;;) {
    const request = { model: "scripted", max_tokens: 1_000, messages, tools };
    const message = isStreamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    const { role, content } = message;
    if (message.stop_reason !== "tool_use")
      return content.map((block) => ("text" in block ? block.text : "")).join("");
    messages.push({ role, content }, ...userMessages.parse(await answersTo("anthropic", message)));
  }
}

/** A schema as the SDK writes it: an enumeration has no type beside it. */
function withoutShownTypes(schema: object): unknown {
  const enumeration = z.looseObject({ enum: z.array(z.unknown()) });
  return JSON.parse(JSON.stringify(schema), (_key, part) => {
    if (!enumeration.safeParse(part).success) return part;
    const { type: _type, ...rest } = part;
    return rest;
  });
}

describe("@anthropic-ai/sdk", () => {
  test("finds nothing to change in the schema of a strict tool but types that its values show", async () => {
    const served = z.array(clientTool).parse(await servedTools("anthropic", "&strict=1"));
    const strict = served.filter((tool) => tool.strict === true);
    expect(strict.length).toBeGreaterThan(10);
    for (const { name, input_schema } of strict)
      expect(transformJSONSchema(input_schema), name).toEqual(withoutShownTypes(input_schema));
  });

  test.each<[string, string, boolean]>([
    ["with the tools as they are served", "", false],
    ["with strict tools and examples", "&strict=1&examples=1", false],
    ["in streams", "", true],
    ["with tools that a search finds first", "&defer=1&strict=1&examples=1", false],
    ["with tools that a search finds first, in streams", "&defer=1", true],
  ])("has a whole conversation %s", async (_how, query, isStreamed) => {
    model.play(script);
    expect(await converse(query, isStreamed)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: true, ids: true });
    expect(model.requests[0]?.parameter).toEqual(await servedTools("anthropic", query));
    const { deferred = [] } = model.requests[0] ?? {};
    expect(deferred.length > 0).toBe(query.includes("defer=1"));
  });
});
