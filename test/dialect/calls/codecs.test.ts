import { describe, expect, test } from "vitest";
import { type CallResult, callCodecs, type ModelCall } from "../../../src/dialect/calls/index.ts";
import type { JsonValue } from "../../../src/json.ts";
import { type CallFormatName, callFormatNames } from "../../../src/vocabulary.ts";

const ARGUMENTS = '{"symbol":"NVDA.US","id":9007199254740993}';
const VALUE = { symbol: "NVDA.US", id: "9007199254740993" };

function called(id: string | null, name = "get_kline", value: JsonValue = VALUE): ModelCall {
  return { id, name, arguments: { ok: true, value } };
}

const chatCall = {
  id: "call_1",
  type: "function",
  function: { name: "get_kline", arguments: ARGUMENTS },
  index: 0,
};
const functionCall = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "get_kline",
  arguments: ARGUMENTS,
};
const toolUse = {
  type: "tool_use",
  id: "toolu_1",
  name: "get_kline",
  input: VALUE,
  caller: { type: "direct" },
};
const part = { functionCall: { id: "id-1", name: "get_kline", args: VALUE }, thoughtSignature: "x" };

const read: [what: string, format: CallFormatName, message: JsonValue, calls: ModelCall[]][] = [
  [
    "message",
    "openai",
    { role: "assistant", content: null, tool_calls: [chatCall], refusal: null },
    [called("call_1")],
  ],
  [
    "message of DeepSeek",
    "deepseek",
    { role: "assistant", content: "", reasoning_content: "…", tool_calls: [chatCall] },
    [called("call_1")],
  ],
  [
    "list of calls",
    "openai",
    [chatCall, { ...chatCall, id: "call_2" }],
    [called("call_1"), called("call_2")],
  ],
  ["call without a type", "openai", [{ id: "c", function: chatCall.function }], [called("c")]],
  [
    "call whose arguments are an object",
    "openai",
    [{ id: "c", function: { name: "get_kline", arguments: VALUE } }],
    [called("c")],
  ],
  ["message that calls nothing", "openai", { role: "assistant", content: "Hello." }, []],
  [
    "message of parts",
    "openai",
    { role: "assistant", content: [{ type: "text", text: "Hi." }], tool_calls: null },
    [],
  ],
  [
    "call of a custom tool, which is the client's",
    "openai",
    [{ id: "c", type: "custom", custom: { name: "x", input: "y" } }, chatCall],
    [called("call_1")],
  ],
  [
    "response",
    "openai-responses",
    { id: "resp_1", output: [{ type: "reasoning", id: "rs_1", summary: [] }, functionCall] },
    [called("call_1")],
  ],
  [
    "list of output items",
    "openai-responses",
    [{ type: "message", content: [] }, functionCall, { type: "web_search_call", id: "ws" }],
    [called("call_1")],
  ],
  [
    "message",
    "anthropic",
    { role: "assistant", content: [{ type: "text", text: "Let me see." }, toolUse] },
    [called("toolu_1")],
  ],
  [
    "list of blocks",
    "anthropic",
    [{ type: "thinking", thinking: "", signature: "" }, toolUse],
    [called("toolu_1")],
  ],
  ["message of text", "anthropic", { role: "assistant", content: "Hello." }, []],
  [
    "call of the provider's own tool",
    "anthropic",
    [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }],
    [],
  ],
  ["content", "gemini", { role: "model", parts: [{ text: "Let me see." }, part] }, [called("id-1")]],
  ["content without parts", "gemini", { role: "model" }, []],
  ["list of parts", "gemini", [part, { text: "…" }], [called("id-1")]],
  ["list of calls", "gemini", [{ name: "get_kline", args: VALUE }], [called(null)]],
  [
    "content in snake case, with members that have nothing",
    "gemini",
    {
      role: "model",
      parts: [
        { text: "Let me see.", function_call: null },
        {
          text: null,
          function_call: {
            id: null,
            name: "get_kline",
            args: VALUE,
            partial_args: null,
            will_continue: null,
          },
        },
      ],
    },
    [called(null)],
  ],
  [
    "call that a stream has ended",
    "gemini",
    [{ functionCall: { name: "get_kline", args: VALUE, willContinue: false } }],
    [called(null)],
  ],
  [
    "call that is said to be whole",
    "openai-responses",
    [{ ...functionCall, status: "completed" }],
    [called("call_1")],
  ],
  [
    "message with nothing in the old form",
    "openai",
    { role: "assistant", content: "Hi.", function_call: null },
    [],
  ],
];

describe("a message's calls", () => {
  test.each(read)("are read from a %s in the format %s", (_what, format, message, expected) => {
    expect(callCodecs[format].readCalls(message)).toEqual({ ok: true, calls: expected });
  });

  test.each<[string, JsonValue, JsonValue]>([
    ["nothing", "", {}],
    ["blanks", " \n", {}],
    ["null", "null", {}],
    ["a list", "[1]", [1]],
    ["JSON text within JSON text", '"{}"', "{}"],
  ])("may have for arguments %s", (_what, text, value) => {
    const calls = callCodecs.openai.readCalls([{ id: "c", function: { name: "f", arguments: text } }]);
    expect(calls).toEqual({ ok: true, calls: [called("c", "f", value)] });
  });

  test.each<[string, string, string, string]>([
    [
      "a comma that is missing",
      '{"a": 1 "b": 2}',
      "one JSON object; at character 9 a comma or }",
      '"\\"b\\": 2}" after "{\\"a\\": 1 "',
    ],
    [
      "a text that is cut off",
      '{"a": [1, 2',
      "one JSON object; at character 12 a comma or ]",
      "the end of the text",
    ],
    [
      "something behind it",
      '{"a": 1}{"a": 1}',
      "one JSON object; at character 9 nothing more",
      '"{\\"a\\": 1}" after "{\\"a\\": 1}"',
    ],
    ["no JSON at all", "symbol=NVDA", "one JSON object; at character 1 a value", '"symbol=NVDA" after ""'],
    ["a nest too deep", `${"[".repeat(66)}${"]".repeat(66)}`, "at most 64 levels of nesting", "["],
  ])("say what is wrong with arguments that are no JSON: %s", (_what, text, expected, got) => {
    const result = callCodecs.openai.readCalls([{ id: "c", function: { name: "f", arguments: text } }]);
    expect(result).toEqual({
      ok: true,
      calls: [
        {
          id: "c",
          name: "f",
          arguments: {
            ok: false,
            fault: {
              path: "",
              rule: "json",
              expected: expect.stringContaining(expected),
              got: expect.stringContaining(got),
            },
          },
        },
      ],
    });
  });
});

test("a call of a response that ended within it is answered, not made", () => {
  const cut = { ...functionCall, arguments: '{"symbol":"NV', status: "incomplete" };
  expect(callCodecs["openai-responses"].readCalls([cut])).toMatchObject({
    ok: true,
    calls: [
      {
        id: "call_1",
        arguments: { ok: false, fault: { expected: expect.stringContaining("make it again") } },
      },
    ],
  });
});

describe("arguments that would be passed over", () => {
  const names = ["arguments", "args", "input", "parameters"];
  const calls: [CallFormatName, right: string, path: string, (members: object) => JsonValue][] = [
    ["openai", "arguments", "/0/function", (more) => [{ id: "c", function: { name: "f", ...more } }]],
    ["openai-responses", "arguments", "/0", (more) => [{ ...functionCall, ...more }]],
    ["anthropic", "input", "/0", (more) => [{ type: "tool_use", id: "t", name: "f", ...more }]],
    ["gemini", "args", "/0/functionCall", (more) => [{ functionCall: { name: "f", ...more } }]],
  ];
  const rows = calls.flatMap(([format, right, path, callWith]) =>
    names.filter((name) => name !== right).map((name) => ({ format, right, path, name, callWith })),
  );

  test.each(rows)("are refused: $name in a call of $format", ({ format, right, path, name, callWith }) => {
    const expected = `nothing: arguments stand in \`${right}\``;
    expect(callCodecs[format].readCalls(callWith({ [name]: { n: 3 } }))).toEqual({
      ok: false,
      faults: [{ path: `${path}/${name}`, rule: "misplaced", expected, got: '{"n":3}' }],
    });
    expect(callCodecs[format].readCalls(callWith({ [name]: null }))).toMatchObject({ ok: true });
  });

  test("are refused beside the function of OpenAI's call", () => {
    const call = { id: "c", function: { name: "f" }, arguments: "{}" };
    expect(callCodecs.openai.readCalls([call])).toMatchObject({
      faults: [{ path: "/0/arguments", expected: "nothing: arguments stand in `function.arguments`" }],
    });
  });
});

describe("what a stream sent of a message", () => {
  test.each<[CallFormatName, JsonValue, string]>([
    [
      "gemini",
      [{ functionCall: { name: "f", partialArgs: [], willContinue: true } }],
      "/0/functionCall/partialArgs",
    ],
    ["gemini", [{ functionCall: { name: "f", willContinue: true } }], "/0/functionCall/willContinue"],
    ["gemini", [{ function_call: { name: "f", will_continue: true } }], "/0/function_call/will_continue"],
    ["openai-responses", [{ ...functionCall, arguments: "", status: "in_progress" }], "/0/status"],
    ["openai-responses", [{ type: "response.output_item.added", item: functionCall }], "/0/type"],
    ["anthropic", [{ ...toolUse, input: {}, partial_json: '{"sym' }], "/0/partial_json"],
    ["anthropic", [{ type: "content_block_start", index: 0, content_block: toolUse }], "/0/type"],
    [
      "anthropic",
      { role: "assistant", content: [{ type: "input_json_delta", partial_json: "{" }] },
      "/content/0/type",
    ],
  ])("is refused before it is whole: %s %j", (format, message, path) => {
    const expected = "a part of a whole message: assemble what the stream sends first";
    expect(callCodecs[format].readCalls(message)).toMatchObject({
      ok: false,
      faults: [{ path, rule: "fragment", expected }],
    });
  });
});

describe("a message that is not of the format", () => {
  test.each<[string, CallFormatName, JsonValue, string, string, string]>([
    [
      "one of Anthropic",
      "openai",
      { role: "assistant", content: [toolUse] },
      "/content",
      "text, or parts of the types text and refusal",
      "tool_use",
    ],
    ["one of the user", "openai", { role: "user", content: "Hello." }, "/role", '"assistant"', '"user"'],
    [
      "a call of the form before tools",
      "openai",
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      "/function_call",
      "nothing: calls stand in `tool_calls`, which models make when they are given `tools`, not `functions`",
      '"name":"f"',
    ],
    ["null", "openai", null, "", "an object", "null"],
    ["a text", "deepseek", "Hello.", "", "an object", '"Hello."'],
    ["a whole completion", "openai", { choices: [] }, "/role", '"assistant"', "nothing"],
    ["a call without an id", "openai", [{ function: chatCall.function }], "/0/id", "text", "nothing"],
    [
      "a call of nothing",
      "openai",
      { role: "assistant", tool_calls: [{ id: "c" }] },
      "/tool_calls/0/function",
      "an object",
      "nothing",
    ],
    [
      "one of OpenAI Chat",
      "openai-responses",
      { role: "assistant", tool_calls: [] },
      "/output",
      "a list",
      "nothing",
    ],
    [
      "a call without an id",
      "openai-responses",
      [{ ...functionCall, call_id: 7 }],
      "/0/call_id",
      "text",
      "7",
    ],
    [
      "one without content",
      "anthropic",
      { role: "assistant", content: null },
      "/content",
      "text, or a list of blocks",
      "null",
    ],
    [
      "a call without a name",
      "anthropic",
      { content: [{ type: "tool_use", id: "t" }] },
      "/content/0/name",
      "text",
      "nothing",
    ],
    [
      "one of OpenAI Chat",
      "gemini",
      { role: "assistant", tool_calls: [] },
      "/role",
      '"model"',
      '"assistant"',
    ],
    ["one of the user", "anthropic", { role: "user", content: "Hi." }, "/role", '"assistant"', '"user"'],
    ["a block without a type", "anthropic", [{ text: "Hi." }], "/0/type", "text", "nothing"],
    ["a block that is none", "anthropic", { content: ["Hi."] }, "/content/0", "an object", '"Hi."'],
    ["an item without a type", "openai-responses", [{ call_id: "c" }], "/0/type", "text", "nothing"],
    ["a part that is none", "gemini", ["Hi."], "/0", "an object", '"Hi."'],
    [
      "a call that is none",
      "gemini",
      { role: "model", parts: [{ functionCall: [] }] },
      "/parts/0/functionCall",
      "an object",
      "[]",
    ],
  ])("is refused: %s as %s", (_what, format, message, path, expected, got) => {
    const result = callCodecs[format].readCalls(message);
    expect(result).toMatchObject({
      ok: false,
      faults: [{ path, expected, got: expect.stringContaining(got) }],
    });
  });
});

describe("results", () => {
  const results = (id: string | null): CallResult[] => [
    { call: called(id, "f"), content: { data: "9007199254740993" }, isFailure: false },
    { call: called(id, "g"), content: { error: "No.", error_code: "NOT_COVERED" }, isFailure: true },
  ];
  const GOOD = '{"data":"9007199254740993"}';
  const BAD = '{"error":"No.","error_code":"NOT_COVERED"}';

  test.each<[CallFormatName, string | null, JsonValue]>([
    [
      "openai",
      "c",
      [
        { role: "tool", tool_call_id: "c", content: GOOD },
        { role: "tool", tool_call_id: "c", content: BAD },
      ],
    ],
    [
      "deepseek",
      "c",
      [
        { role: "tool", tool_call_id: "c", content: GOOD },
        { role: "tool", tool_call_id: "c", content: BAD },
      ],
    ],
    [
      "openai-responses",
      "c",
      [
        { type: "function_call_output", call_id: "c", output: GOOD },
        { type: "function_call_output", call_id: "c", output: BAD },
      ],
    ],
    [
      "anthropic",
      "c",
      [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c", content: GOOD },
            { type: "tool_result", tool_use_id: "c", content: BAD, is_error: true },
          ],
        },
      ],
    ],
    [
      "gemini",
      "c",
      [
        {
          role: "user",
          parts: [
            { functionResponse: { id: "c", name: "f", response: { data: "9007199254740993" } } },
            {
              functionResponse: {
                id: "c",
                name: "g",
                response: { error: { error: "No.", error_code: "NOT_COVERED" } },
              },
            },
          ],
        },
      ],
    ],
    [
      "gemini",
      null,
      [
        {
          role: "user",
          parts: [
            { functionResponse: { name: "f", response: { data: "9007199254740993" } } },
            {
              functionResponse: {
                name: "g",
                response: { error: { error: "No.", error_code: "NOT_COVERED" } },
              },
            },
          ],
        },
      ],
    ],
  ])("stand in the messages of %s, a failure as its error", (format, id, messages) => {
    expect(callCodecs[format].writeResults(results(id))).toEqual(messages);
  });

  test.each(callFormatNames)("of nothing are no message in %s", (format) => {
    expect(callCodecs[format].writeResults([])).toEqual([]);
  });
});
