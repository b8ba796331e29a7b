import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answersTo, forgetAsked, servedTools } from "./gateway.ts";
import { LoopbackChatModel } from "./langchain-model.ts";
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
const toolMessages = z.tuple([z.object({ content: z.string() })]);

/** Tools that check their arguments by the served schema before they ask the gateway. */
async function structuredTools(): Promise<DynamicStructuredTool[]> {
  const served = functionTools.parse(await servedTools("openai"));
  return served.map(({ function: { name, description, parameters: schema } }) => {
    const func = async (input: unknown): Promise<string> => {
      const call = { id: "call", type: "function", function: { name, arguments: input } };
      return toolMessages.parse(await answersTo("openai", [call]))[0].content;
    };
    return new DynamicStructuredTool({ name, description, schema, func });
  });
}

/** The whole loop: calls of a turn run side by side and come back as messages of the role tool. */
async function converse(): Promise<unknown> {
  const tools = await structuredTools();
  const bound = new LoopbackChatModel(model.url).bindTools(tools);
  const messages: BaseMessage[] = [new HumanMessage(QUESTION)];
  for (;;) {
    const message = await bound.invoke(messages);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content;
    const results = calls.map((call) => tools.find(({ name }) => name === call.name)?.invoke(call));
    messages.push(message, ...(await Promise.all(results)));
  }
}

describe("@langchain/core", () => {
  test("has a whole conversation with the tools as they are served", async () => {
    model.play(script);
    expect(await converse()).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: null, ids: true });
    expect(model.requests[0]?.parameter).toEqual(await servedTools("openai"));
  });

  test("takes the tools as they are served without any wrapping", async () => {
    model.play([{ text: LAST_WORD }]);
    const served = z.array(z.record(z.string(), z.unknown())).parse(await servedTools("openai"));
    const { content } = await new LoopbackChatModel(model.url).bindTools(served).invoke(QUESTION);
    expect(content).toBe(LAST_WORD);
    expect(model.requests[0]?.parameter).toEqual(served);
  });

  test("refuses arguments that the served schema refuses", async () => {
    const tools = await structuredTools();
    const price = tools.find(({ name }) => name === "get_realtime_price");
    await expect(price?.invoke({ symbol: "nvda" })).rejects.toThrow("did not match expected schema");
  });
});
