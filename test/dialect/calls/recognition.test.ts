import { describe, expect, test } from "vitest";
import { callCodecs, type KnownFormat, readMessage } from "../../../src/dialect/calls/index.ts";
import type { JsonValue } from "../../../src/json.ts";
import { type CallFormatName, callFormatNames } from "../../../src/vocabulary.ts";

const chatCall = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const functionCall = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
const toolUse = { type: "tool_use", id: "t", name: "f", input: {} };
const part = { functionCall: { name: "f", args: {} } };
const textCall = { action: "execute_skill", skill_id: "f", parameters: {} };
/** As OpenAI's models called before there were tools. */
const oldCall = { role: "assistant", content: "", function_call: { name: "f", arguments: "{}" } };
const TEXT = `Let me see. ${JSON.stringify(textCall)}`;

/** A format by one of its names: DeepSeek's is OpenAI's. */
type Family = Exclude<CallFormatName, "deepseek">;

/** What every format has that no other one has: with calls, and the shapes of its lists without any. */
const own: Record<Family, Record<string, JsonValue>> = {
  openai: {
    message: { role: "assistant", content: null, tool_calls: [chatCall] },
    "message that also says something": { role: "assistant", content: "Hm.", tool_calls: [chatCall] },
    list: [chatCall],
    "list of calls without types": [{ id: "c", function: chatCall.function }],
    "call of a custom tool": [{ id: "c", type: "custom", custom: { name: "f", input: "" } }],
  },
  "openai-responses": {
    message: { output: [functionCall] },
    response: { object: "response", id: "r", output: [] },
    "response without calls": { output: [{ type: "message", content: [] }] },
    list: [functionCall],
    "list without calls": [{ type: "reasoning", summary: [] }],
    "message as the only item": [{ type: "message", role: "assistant", content: [] }],
    "call of a tool of the provider's own": [{ type: "web_search_call", id: "w" }],
  },
  anthropic: {
    message: { role: "assistant", content: [toolUse] },
    response: { type: "message", role: "assistant", content: [{ type: "text", text: "Hm." }, toolUse] },
    "message without a role": { content: [toolUse] },
    list: [{ type: "thinking", thinking: "" }, toolUse],
    "list without calls": [{ type: "text", text: "Hello." }],
    "call of a tool of the provider's own": [{ type: "server_tool_use", id: "s", name: "f", input: {} }],
  },
  gemini: {
    message: { role: "model", parts: [{ text: "Hm." }, part] },
    "message without calls": { role: "model", parts: [{ text: "Hello." }] },
    "message without parts": { role: "model" },
    list: [part],
    "list without calls": [{ text: "Hello." }],
    "list of bare calls": [{ name: "f", args: {} }],
    "list in snake case": [{ function_call: { name: "f", args: {} } }],
  },
  text: { "text with a call": TEXT },
};

/** The same, each beside the format that it is of, as the given format would be sent it. */
function sentAs(format: CallFormatName): [of: Family, what: string, message: JsonValue][] {
  const isText = format === "text";
  const families = Object.keys(own) as Family[];
  return families.flatMap((of) =>
    Object.entries(own[of]).map(([what, message]): [Family, string, JsonValue] => [
      of,
      what,
      isText && typeof message !== "string" ? JSON.stringify(message) : message,
    ]),
  );
}

const familyOf = (format: CallFormatName): Family => (format === "deepseek" ? "openai" : format);

describe.each(callFormatNames)("sent as %s", (format) => {
  const [mine, others] = [
    sentAs(format).filter(([of]) => of === familyOf(format)),
    sentAs(format).filter(([of]) => of !== familyOf(format)),
  ];

  test.each(mine)("a message of the format %s is read: %s", (_of, _what, message) => {
    expect(readMessage(format, message)).toMatchObject({ ok: true });
  });

  test.each(others.filter(([of]) => of !== "text"))(
    "a message of the format %s is known for one: %s",
    (of, _what, message) => {
      expect(readMessage(format, message)).toMatchObject({
        ok: false,
        misfit: { is: "other format", formats: expect.arrayContaining([of]) },
      });
    },
  );

  test.each(others.filter(([of]) => of === "text"))(
    "a text is known for one that holds calls",
    (_of, _what, text) => {
      expect(readMessage(format, text)).toMatchObject({ ok: false, misfit: { is: "text in JSON" } });
    },
  );
});

describe("a message of another format", () => {
  test.each<[CallFormatName, JsonValue, string, KnownFormat[]]>([
    ["anthropic", own.openai.message ?? null, "/tool_calls/0", ["openai"]],
    ["openai", own.anthropic.response ?? null, "/content/1", ["anthropic"]],
    ["gemini", [part, functionCall], "/1", ["openai-responses"]],
    [
      "anthropic",
      { role: "assistant", content: [toolUse, functionCall] },
      "/content/1",
      ["openai-responses"],
    ],
    ["openai-responses", { output: [functionCall, toolUse] }, "/output/1", ["anthropic"]],
    ["gemini", { role: "model", parts: [part, toolUse] }, "/parts/1", ["anthropic"]],
    ["openai", { role: "assistant", tool_calls: [chatCall, toolUse] }, "/tool_calls/1", ["anthropic"]],
    ["anthropic", { role: "assistant", content: "Hm.", tool_calls: [chatCall] }, "/tool_calls/0", ["openai"]],
    ["anthropic", chatCall, "", ["openai"]],
    ["openai", textCall, "", ["text"]],
    ["anthropic", oldCall, "", ["openai"]],
    ["gemini", oldCall, "", ["openai"]],
    ["openai-responses", oldCall, "", ["openai"]],
    ["anthropic", [textCall], "/0", ["text"]],
    ["gemini", { role: "assistant", content: "Hello." }, "", ["openai", "anthropic"]],
    ["openai-responses", { role: "assistant", content: null }, "", ["openai"]],
    ["gemini", [{ name: "f", arguments: {} }], "/0", ["mcp"]],
    [
      "openai",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "f", arguments: {} } },
      "",
      ["mcp"],
    ],
  ])("sent as %s, %j, is known at the place %j for one of %j", (format, message, path, formats) => {
    expect(readMessage(format, message)).toEqual({
      ok: false,
      misfit: { is: "other format", path, formats },
      faults: [],
    });
  });
});

describe("another part of the conversation", () => {
  const completion = { id: "x", choices: [{ index: 0, message: own.openai.message ?? null }] };
  const generated = { candidates: [{ content: own.gemini.message ?? null }] };
  const wholes: [JsonValue, CallFormatName, string][] = [
    [completion, "openai", "choices[0].message"],
    [generated, "gemini", "candidates[0].content"],
  ];

  test.each(wholes.flatMap((whole) => callFormatNames.map((format) => [format, ...whole] as const)))(
    "sent as %s, %j, is a whole response of %s with its message in %s",
    (format, response, of, part) => {
      const message = format === "text" ? JSON.stringify(response) : response;
      const isOwn = callCodecs[format] === callCodecs[of];
      expect(readMessage(format, message)).toEqual({
        ok: false,
        misfit: { is: "response", path: "", format: isOwn ? null : of, part },
        faults: [],
      });
    },
  );

  test.each<[CallFormatName, JsonValue]>([
    ["openai", chatCall],
    ["deepseek", chatCall],
    ["openai-responses", functionCall],
    ["anthropic", toolUse],
    ["gemini", part],
    ["gemini", { name: "f", args: {} }],
  ])("sent as %s, %j, is a call that stands in no list", (format, call) => {
    expect(readMessage(format, call)).toMatchObject({ misfit: { is: "call alone" } });
  });

  test.each<[CallFormatName, JsonValue]>([
    ["openai", [{ role: "user", content: "Hi." }, own.openai.message ?? null]],
    ["openai-responses", [{ role: "user", content: "Hi." }, functionCall]],
    ["anthropic", [{ role: "user", content: "Hi." }, own.anthropic.message ?? null]],
    ["gemini", [{ role: "user", parts: [] }, own.gemini.message ?? null]],
  ])("sent as %s, %j, is a list of messages", (format, messages) => {
    expect(readMessage(format, messages)).toEqual({
      ok: false,
      misfit: { is: "conversation", path: "/0" },
      faults: [],
    });
  });

  test.each<[CallFormatName, JsonValue]>([
    ["openai", { role: "assistant", content: TEXT }],
    ["openai", { role: "assistant", content: [{ type: "text", text: TEXT }] }],
    ["openai-responses", { output: [{ type: "message", content: [{ type: "output_text", text: TEXT }] }] }],
    ["anthropic", [{ type: "text", text: TEXT }]],
    ["gemini", { role: "model", parts: [{ text: TEXT }] }],
    ["text", JSON.stringify(JSON.stringify(TEXT))],
  ])("sent as %s, %j, holds calls as text", (format, message) => {
    expect(readMessage(format, message)).toMatchObject({ misfit: { is: "text in JSON" } });
  });
});

test("a call of the form before tools is known for one of OpenAI, and refused by how to call", () => {
  expect(readMessage("openai", oldCall)).toMatchObject({
    ok: false,
    misfit: null,
    faults: [{ path: "/function_call" }],
  });
});

describe("what is of the format", () => {
  test.each<[CallFormatName, JsonValue, number]>([
    ["openai", { role: "assistant", content: "Hello." }, 0],
    ["openai", { role: "assistant", content: [{ type: "text", text: "Hello." }] }, 0],
    ["openai", { role: "assistant", content: "Hello.", tool_calls: [], parts: [] }, 0],
    ["openai", { role: "assistant", content: TEXT, tool_calls: [chatCall] }, 1],
    ["openai", { role: "assistant", content: "One calls by execute_skill, with {} for nothing." }, 0],
    ["anthropic", { role: "assistant", content: "Hello." }, 0],
    ["anthropic", { role: "assistant", content: [], tool_calls: [] }, 0],
    ["anthropic", [], 0],
    ["anthropic", [{ type: "a_type_of_tomorrow" }, toolUse], 1],
    ["openai-responses", [{ type: "a_type_of_tomorrow" }, functionCall], 1],
    ["openai-responses", { output: [] }, 0],
    ["gemini", [{ member_of_tomorrow: {} }, part], 1],
    ["text", "", 0],
    ["text", '{"content": "Hello."}', 0],
    ["text", '{"output": ["a", "b"], "choices": ["a", "b"]}', 0],
    ["text", "[1, 2]", 0],
    ["text", '"Hello."', 0],
    ["text", "{not JSON", 0],
    ["text", '{"name": "f", "arguments": {}}', 0],
    ["text", JSON.stringify([textCall, textCall]), 2],
    ["text", JSON.stringify(textCall), 1],
    ["text", ` \n${JSON.stringify(textCall, null, 2)}\n`, 1],
    ["text", JSON.stringify(JSON.stringify(textCall)), 1],
    ["text", ` ${JSON.stringify(TEXT)}\n`, 1],
  ])("is taken for nothing else: as %s, %j", (format, message, count) => {
    const read = readMessage(format, message);
    expect(read.ok ? read.calls.length : read).toBe(count);
  });
});
