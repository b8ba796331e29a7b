import OpenAI from "openai";
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInput,
  ResponseOutputItem,
  Tool,
} from "openai/resources/responses/responses";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answersTo, forgetAsked, servedTools } from "./gateway.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { expectWholeLoop, LAST_WORD, QUESTION, script, strictScript } from "./script.ts";
import { openaiResponses } from "./wire/openai-responses.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(openaiResponses);
});
beforeEach(forgetAsked);
afterAll(() => model.close());

const functionTool = z.strictObject({
  type: z.literal("function"),
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  strict: z.boolean(),
  defer_loading: z.boolean().exactOptional(),
});
const anyTools: z.ZodType<Tool[]> = z.array(
  z.union([functionTool, z.strictObject({ type: z.literal("tool_search") })]),
);
const outputItems: z.ZodType<ResponseInput> = z.array(
  z.strictObject({ type: z.literal("function_call_output"), call_id: z.string(), output: z.string() }),
);

/** The whole loop, with the conversation in the client's hands. */
async function converse(query: string, respond: Respond): Promise<string> {
  const tools = anyTools.parse(await servedTools("openai-responses", query));
  const input: ResponseInput = [{ role: "user", content: QUESTION }];
  const kept = { store: false, include: ["reasoning.encrypted_content" as const] };
  for (;;) {
    const { output } = await respond({ model: "scripted", input, tools, ...kept });
    const answers = await answersTo("openai-responses", { output });
    if (answers.length === 0) return textOf(output);
    const said = output.flatMap((item) =>
      item.type === "reasoning" || item.type === "function_call" || isSearch(item) ? [item] : [],
    );
    input.push(...said, ...outputItems.parse(answers));
  }
}

/** What a search has loaded stays loaded while its items stay in the conversation. */
function isSearch(
  item: ResponseOutputItem,
): item is ResponseOutputItem & { type: "tool_search_call" | "tool_search_output" } {
  return item.type === "tool_search_call" || item.type === "tool_search_output";
}

type Respond = (request: ResponseCreateParamsNonStreaming) => Promise<Response>;

function client(): OpenAI {
  return new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "a-key", maxRetries: 0 });
}

function atOnce(request: ResponseCreateParamsNonStreaming): Promise<Response> {
  return client().responses.create(request);
}

/** The response at the end of a stream as it was sent; the SDK's helper adds members that the interface refuses. */
async function streamed(request: ResponseCreateParamsNonStreaming): Promise<Response> {
  for await (const event of await client().responses.create({ ...request, stream: true })) {
    if (event.type === "response.completed") return event.response;
  }
  throw new Error("The stream ended without a response");
}

function textOf(output: Response["output"]): string {
  const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
  return parts.map((part) => (part.type === "output_text" ? part.text : "")).join("");
}

describe("the openai package, Responses", () => {
  test("has a whole conversation with the tools as they are served", async () => {
    model.play(script);
    expect(await converse("", atOnce)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: null, ids: true });
    expect(model.requests[0]?.parameter).toEqual(await servedTools("openai-responses"));
  });

  test("has it with strict tools, whose calls leave out nothing", async () => {
    model.play(strictScript);
    expect(await converse("&strict=1&skills=tickdb-market-data", atOnce)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: null, ids: true });
  });

  test.each([atOnce, streamed])("has it with tools that a search finds first, %o", async (respond) => {
    model.play(script);
    expect(await converse("&defer=1", respond)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: null, ids: true });
    const { tools = [], deferred, parameter } = model.requests[0] ?? {};
    expect(deferred).toEqual(tools);
    expect(parameter).toEqual(await servedTools("openai-responses", "&defer=1"));
  });

  test("has it in streams", async () => {
    model.play(script);
    expect(await converse("", streamed)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: null, ids: true });
  });
});
