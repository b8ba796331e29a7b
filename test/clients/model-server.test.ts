import { describe, expect, test } from "vitest";
import { startModelServer, type Wire } from "./model-server.ts";
import { anthropic } from "./wire/anthropic.ts";
import { gemini } from "./wire/gemini.ts";
import { openaiChat } from "./wire/openai-chat.ts";
import { openaiResponses } from "./wire/openai-responses.ts";

const EMPTY = { type: "object", properties: {} };

/** Why a provider refuses a request; null where it does not. */
async function refusal<Body>(wire: Wire<Body>, path: string, body: unknown): Promise<string | null> {
  const server = await startModelServer(wire);
  server.play([{ text: "Hello." }]);
  const reply = await fetch(server.url + path, { method: "POST", body: JSON.stringify(body) });
  const text = await reply.text();
  await server.close();
  return reply.ok ? null : text;
}

function chat(parameters: object, rest: object = {}, messages: object[] = []): Promise<string | null> {
  const tools = [{ type: "function", function: { name: "f", parameters, ...rest } }];
  const said = [{ role: "user", content: "Hi." }, ...messages];
  return refusal(openaiChat, "/v1/chat/completions", { model: "m", messages: said, tools });
}

function responses(tool: object, items: object[] = []): Promise<string | null> {
  const tools = [{ type: "function", name: "f", parameters: EMPTY, ...tool }];
  const kept = { store: false, include: ["reasoning.encrypted_content"] };
  return refusal(openaiResponses, "/v1/responses", {
    model: "m",
    input: [{ role: "user", content: "Hi." }, ...items],
    tools,
    ...kept,
  });
}

function messages(tool: object, said: object[] = [], others: object[] = []): Promise<string | null> {
  const tools = [...others, { name: "f", input_schema: EMPTY, ...tool }];
  const all = [{ role: "user", content: "Hi." }, ...said];
  return refusal(anthropic, "/v1/messages", { model: "m", max_tokens: 9, messages: all, tools });
}

function generate(parameters: object, said: object[] = []): Promise<string | null> {
  const tools = [{ functionDeclarations: [{ name: "f", description: "F.", parameters }] }];
  const contents = [{ role: "user", parts: [{ text: "Hi." }] }, ...said];
  return refusal(gemini(true), "/v1beta/models/m:generateContent", { contents, tools });
}

const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const use = { role: "assistant", content: [{ type: "tool_use", id: "c", name: "f", input: {} }] };
const search = { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" };
const result = { type: "tool_result", tool_use_id: "c", content: "{}" };
const asked = (signature: object) => ({
  role: "model",
  parts: [{ functionCall: { id: "c", name: "f", args: {} }, ...signature }],
});
const response = (id: string) => ({
  role: "user",
  parts: [{ functionResponse: { id, name: "f", response: {} } }],
});
const signed = { thoughtSignature: "c2lnbmVk" };

describe("the scripted providers", () => {
  test("take what is right", async () => {
    const answer = { role: "tool", tool_call_id: "c", content: "{}" };
    const right = [
      chat(EMPTY, {}, [{ role: "assistant", content: null, tool_calls: [call] }, answer]),
      chat({ ...EMPTY, required: [], additionalProperties: false }, { strict: true }),
      responses({ strict: false }),
      messages({}, [use, { role: "user", content: [result] }]),
      messages({ defer_loading: true }, [], [search]),
      generate(EMPTY, [asked(signed), response("c")]),
    ];
    expect(await Promise.all(right)).toEqual(right.map(() => null));
  });

  test.each<[string, Promise<string | null>, string]>([
    ["a root that is a union (Chat)", chat({ ...EMPTY, anyOf: [EMPTY] }), "the root has a keyword"],
    ["an object without properties (Chat)", chat({ type: "object" }), "an object has no properties"],
    ["an open strict tool (Chat)", chat(EMPTY, { strict: true }), "an object is open"],
    ["a tool of another provider (Chat)", chat(EMPTY, { input_schema: EMPTY }), "input_schema"],
    [
      "a call that nobody answers (Chat)",
      chat(EMPTY, {}, [{ role: "assistant", content: null, tool_calls: [call] }]),
      "no message answers c",
    ],
    ["a tool that does not say whether it is strict (Responses)", responses({}), "strict"],
    [
      "a deferred tool that no search finds (Responses)",
      responses({ strict: false, defer_loading: true }),
      "require a tool of the type tool_search",
    ],
    [
      "deferred tools without a search among them (Anthropic)",
      messages({ defer_loading: true }),
      "must have defer_loading=false",
    ],
    [
      "examples beside a search (Anthropic)",
      messages({ input_examples: [{}] }, [], [search]),
      "does not support tool use examples",
    ],
    [
      "an output that answers no call (Responses)",
      responses({ strict: false }, [{ type: "function_call_output", call_id: "c", output: "{}" }]),
      "no tool call found for c",
    ],
    [
      "a property key in Chinese (Anthropic)",
      messages({ input_schema: { type: "object", properties: { 城市: { type: "string" } } } }),
      "a property key is refused",
    ],
    [
      "a strict tool with a bound (Anthropic)",
      messages({
        strict: true,
        input_schema: {
          type: "object",
          properties: { n: { type: "integer", minimum: 1 } },
          additionalProperties: false,
        },
      }),
      "a bound is not supported",
    ],
    [
      "a use without its result (Anthropic)",
      messages({}, [use, { role: "user", content: "And?" }]),
      "without a tool_result",
    ],
    [
      "a field that nobody knows (Gemini)",
      generate({ ...EMPTY, additionalProperties: false }),
      "a field is unknown",
    ],
    [
      "an enumeration of numbers (Gemini)",
      generate({ type: "object", properties: { n: { type: "integer", enum: [1] } } }),
      "an enumeration holds more",
    ],
    [
      "a call without its signature (Gemini)",
      generate(EMPTY, [asked({}), response("c")]),
      "thought_signature",
    ],
    [
      "a response to another call (Gemini)",
      generate(EMPTY, [asked(signed), response("d")]),
      "function response parts",
    ],
  ])("refuse %s", async (_what, refused, problem) => {
    expect(await refused).toContain(problem);
  });
});
