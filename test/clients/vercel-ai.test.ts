import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { dynamicTool, generateText, isStepCount, jsonSchema, streamText, type ToolSet } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answersTo, forgetAsked, servedTools } from "./gateway.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { expectWholeLoop, LAST_WORD, QUESTION, script } from "./script.ts";
import { openaiChat } from "./wire/openai-chat.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(openaiChat);
});
beforeEach(forgetAsked);
afterAll(() => model.close());

const functionTools = z.array(
  z.object({
    function: z.object({
      name: z.string(),
      description: z.string(),
      parameters: z.looseObject({ type: z.literal("object") }),
    }),
  }),
);
const toolMessages = z.array(z.object({ content: z.string() })).length(1);

/** The SDK runs the loop: each tool has its own call made. */
async function toolSet(): Promise<ToolSet> {
  const served = functionTools.parse(await servedTools("openai"));
  const tools = served.map(({ function: { name, description, parameters } }) => {
    const execute = async (input: unknown, { toolCallId: id }: { toolCallId: string }) => {
      const call = { id, type: "function", function: { name, arguments: input } };
      return toolMessages.parse(await answersTo("openai", [call]))[0]?.content;
    };
    return [name, dynamicTool({ description, inputSchema: jsonSchema(parameters), execute })] as const;
  });
  return Object.fromEntries(tools);
}

async function request() {
  const provider = createOpenAICompatible({ name: "scripted", baseURL: `${model.url}/v1`, apiKey: "a-key" });
  const tools = await toolSet();
  return { model: provider("scripted"), tools, prompt: QUESTION, stopWhen: isStepCount(5), maxRetries: 0 };
}

describe("ai, with @ai-sdk/openai-compatible", () => {
  const telling = { flag: null, ids: true };

  test("has a whole conversation with the tools as they are served", async () => {
    model.play(script);
    const { text } = await generateText(await request());
    expect(text).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, telling);
    expect(model.requests[0]?.parameter).toEqual(await servedTools("openai"));
  });

  test("has it in streams", async () => {
    model.play(script);
    const { text } = streamText(await request());
    expect(await text).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, telling);
  });
});
