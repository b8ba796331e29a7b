import OpenAI from "openai";
import { toStrictJsonSchema } from "openai/lib/transform";
import type { ChatCompletionMessageParam, ChatCompletionTool } from "openai/resources/chat/completions";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answersTo, forgetAsked, servedTools } from "./gateway.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { expectWholeLoop, LAST_WORD, QUESTION, script, strictScript } from "./script.ts";
import { openaiChat } from "./wire/openai-chat.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(openaiChat);
});
beforeEach(forgetAsked);
afterAll(() => model.close());

const chatTools: z.ZodType<ChatCompletionTool[]> = z.array(
  z.strictObject({
    type: z.literal("function"),
    function: z.strictObject({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      strict: z.boolean().exactOptional(),
    }),
  }),
);
const toolMessages: z.ZodType<ChatCompletionMessageParam[]> = z.array(
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
);

type Format = "openai" | "deepseek";

/** The whole loop: until the model has the last word. */
async function converse(format: Format, query: string): Promise<string | null> {
  const client = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "a-key", maxRetries: 0 });
  const tools = chatTools.parse(await servedTools(format, query));
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: "scripted", messages, tools });
    const message = choices[0]?.message;
    if (message?.tool_calls === undefined) return message?.content ?? null;
    messages.push(message, ...toolMessages.parse(await answersTo(format, message)));
  }
}

/** The same with a reply that comes in pieces. */
async function converseStreaming(): Promise<string | null> {
  const client = new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "a-key", maxRetries: 0 });
  const tools = chatTools.parse(await servedTools("openai"));
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: QUESTION }];
  for (;;) {
    const stream = client.chat.completions.stream({ model: "scripted", messages, tools });
    const message = await stream.finalMessage();
    if (message.tool_calls === undefined) return message.content;
    messages.push(message, ...toolMessages.parse(await answersTo("openai", message)));
  }
}

describe("the openai package, Chat Completions", () => {
  const telling = { flag: null, ids: true };

  test.each<Format>(["openai", "deepseek"])("has a whole conversation with tools of %s", async (format) => {
    model.play(script);
    expect(await converse(format, "")).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, telling);
    expect(model.requests[0]?.parameter).toEqual(await servedTools(format));
  });

  test("has it with strict tools, whose calls leave out nothing", async () => {
    model.play(strictScript);
    expect(await converse("openai", "&strict=1&skills=tickdb-market-data")).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, telling);
  });

  test("finds nothing to change in the schema of a strict tool", async () => {
    const strict = chatTools
      .parse(await servedTools("openai", "&strict=1"))
      .flatMap((tool) => (tool.type === "function" && tool.function.strict === true ? [tool.function] : []));
    expect(strict.length).toBeGreaterThan(10);
    for (const { name, parameters = {} } of strict)
      expect(toStrictJsonSchema({ ...parameters }), name).toEqual(parameters);
  });

  test("has it in streams", async () => {
    model.play(script);
    expect(await converseStreaming()).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, telling);
  });
});
