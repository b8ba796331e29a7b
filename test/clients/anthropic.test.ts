import Anthropic from "@anthropic-ai/sdk";
import type { MessageParam, Tool } from "@anthropic-ai/sdk/resources/messages";
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

const clientTools: z.ZodType<Tool[]> = z.array(
  z.strictObject({
    name: z.string(),
    description: z.string(),
    input_schema: z.looseObject({ type: z.literal("object") }),
    input_examples: z.array(z.record(z.string(), z.unknown())).exactOptional(),
    strict: z.boolean().exactOptional(),
  }),
);
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
  const tools = clientTools.parse(await servedTools("anthropic", query));
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

describe("@anthropic-ai/sdk", () => {
  test.each<[string, string, boolean]>([
    ["with the tools as they are served", "", false],
    ["with strict tools and examples", "&strict=1&examples=1", false],
    ["in streams", "", true],
  ])("has a whole conversation %s", async (_how, query, isStreamed) => {
    model.play(script);
    expect(await converse(query, isStreamed)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: true, ids: true });
    expect(model.requests[0]?.parameter).toEqual(await servedTools("anthropic", query));
  });
});
