import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { ask, listOf, objectOf, type Reply } from "./ask.ts";
import { letPass } from "./clock.ts";
import { calm, order } from "./upstream.ts";

beforeEach(calm);
afterAll(calm);

const stored = new Set<string>();

/** Puts a skill of these functions into the gateway until the test is over. */
async function put(name: string, protocol: JsonObject): Promise<void> {
  const front = `---\nname: ${name}\ndescription: A small skill that a test put here.\n---\n`;
  const body = `${front}\n\`\`\`json\n${JSON.stringify(protocol)}\n\`\`\`\n`;
  const reply = await ask(`/v1/skills/${name}`, { method: "PUT", body });
  expect([reply.status, reply.json]).toEqual([201, expect.objectContaining({ warnings: [] })]);
  stored.add(name);
}

afterEach(async () => {
  for (const name of stored) await ask(`/v1/skills/${name}`, { method: "DELETE" });
  stored.clear();
});

function send(query: string, body: JsonValue | string): Promise<Reply> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return ask(`/v1/calls${query}`, { method: "POST", body: text });
}

/** The messages of a reply that succeeded. */
async function messages(query: string, body: JsonValue | string): Promise<JsonObject[]> {
  const { status, json } = await send(query, body);
  expect([status, status === 200 ? null : json]).toEqual([200, null]);
  return listOf(objectOf(json).messages).map(objectOf);
}

function chatCall(id: string, name: string, given: JsonValue | string): JsonObject {
  return {
    id,
    type: "function",
    function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
  };
}

function assistant(...calls: JsonObject[]): JsonObject {
  return { role: "assistant", content: null, tool_calls: calls };
}

/** What a message of a tool says. */
function said(message: JsonObject | undefined): JsonValue {
  return JSON.parse(String(message?.content ?? message?.output ?? null));
}

const SUM = { expression: "1 + 2" };
const PRICE = { symbol: "NVDA.US" };

describe("POST /v1/calls", () => {
  test("answers a message of OpenAI, call by call, in its order and with its ids", async () => {
    const calls = assistant(
      chatCall("call_b", "get_realtime_price", PRICE),
      chatCall("call_a", "calculate_math", SUM),
      chatCall("call_c", "get_order_book", { symbol: "SPX.IDX" }),
    );
    const { status, json } = await send("?format=openai", calls);
    expect(status).toBe(200);
    const { messages, calls: report, format } = objectOf(json);
    expect(format).toBe("openai");
    const [price, sum, book] = listOf(messages).map(objectOf);
    expect([price, sum, book].map((message) => [message?.role, message?.tool_call_id])).toEqual([
      ["tool", "call_b"],
      ["tool", "call_a"],
      ["tool", "call_c"],
    ]);
    expect(said(price)).toEqual({ data: expect.objectContaining({ symbol: "NVDA.US" }) });
    expect(said(sum)).toEqual({ data: expect.anything() });
    expect(said(book)).toMatchObject({
      error_code: "NOT_COVERED",
      retryable: false,
      hint: expect.any(String),
    });
    expect(report).toEqual([
      {
        id: "call_b",
        name: "get_realtime_price",
        error_code: null,
        meta: expect.objectContaining({
          skill: "tickdb-market-data",
          function: "get_realtime_price",
          attempts: 1,
        }),
      },
      { id: "call_a", name: "calculate_math", error_code: null, meta: expect.any(Object) },
      { id: "call_c", name: "get_order_book", error_code: "NOT_COVERED", meta: null },
    ]);
  });

  test.each<[string, JsonValue, JsonValue]>([
    [
      "openai-responses",
      {
        output: [
          { type: "function_call", call_id: "c", name: "calculate_math", arguments: JSON.stringify(SUM) },
        ],
      },
      [{ type: "function_call_output", call_id: "c", output: expect.stringContaining('"data"') }],
    ],
    [
      "anthropic",
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "calculate_math", input: SUM }] },
      [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c", content: expect.stringContaining('"data"') }],
        },
      ],
    ],
    [
      "gemini",
      { role: "model", parts: [{ functionCall: { name: "calculate_math", args: SUM } }] },
      [
        {
          role: "user",
          parts: [{ functionResponse: { name: "calculate_math", response: { data: expect.anything() } } }],
        },
      ],
    ],
    [
      "deepseek",
      [chatCall("c", "calculate_math", SUM)],
      [{ role: "tool", tool_call_id: "c", content: expect.stringContaining('"data"') }],
    ],
  ])("answers a message of %s", async (format, message, expected) => {
    expect(await messages(`?format=${format}`, message)).toEqual(expected);
    expect(await messages("", { format, message })).toEqual(expected);
  });
});

describe("a text that calls", () => {
  const call = '{"action":"execute_skill","skill_id":"calculate_math","parameters":{"expression":"1 + 2"}}';

  test.each<[string, string]>([
    ["alone", call],
    ["with blanks around it", `\n  ${call}\n`],
    ["as JSON, in quotes", JSON.stringify(call)],
  ])("is understood %s", async (_what, text) => {
    const [message] = await messages("?format=text", text);
    expect(said(message)).toEqual({ results: [{ skill_id: "calculate_math", data: expect.anything() }] });
  });

  test("is understood in fences and prose, and told how to write a broken call again", async () => {
    const text = [
      "我需要先算一下。",
      '```json\n{"action": "execute_skill", "skill_id": "calculate_math", "parameters": {"expression": "1 + 2"}}\n```',
      "然后：{'action': 'execute_skill', 'skill_id': 'get_current_time'}",
    ].join("\n");
    for (const [query, body] of [
      ["?format=text", text],
      ["", { format: "text", message: text }],
    ] as const) {
      const [message, ...others] = await messages(query, body);
      expect([message?.role, others]).toEqual(["user", []]);
      expect(said(message)).toEqual({
        results: [
          { skill_id: "calculate_math", data: expect.anything() },
          expect.objectContaining({
            skill_id: "execute_skill",
            error_code: "INVALID_ARGUMENTS",
            error: expect.stringContaining('{"action":"execute_skill","skill_id":"NAME","parameters":{}}'),
            hint: "Correct what `details` lists and call again.",
          }),
        ],
      });
    }
  });

  test("may name a skill for its only function, and is offered those of one that has several", async () => {
    await put("single-echo", {
      functions: [{ name: "say_hello", description: "Gives a word.", compute: "'hello'" }],
    });
    const text = ["single-echo", "tickdb-market-data"]
      .map((name) => JSON.stringify({ action: "execute_skill", skill_id: name, parameters: {} }))
      .join(" and ");
    const [message] = await messages("?format=text", text);
    const [only, several] = listOf(objectOf(said(message)).results).map(objectOf);
    expect(only).toEqual({ skill_id: "single-echo", data: "hello" });
    expect(several).toMatchObject({ error_code: "UNKNOWN_FUNCTION" });
    expect(listOf(several?.details).slice(0, 2)).toEqual(["get_realtime_price", "get_order_book"]);
  });
});

describe("a message that calls nothing", () => {
  test.each<[string, JsonValue | string]>([
    ["openai", { role: "assistant", content: "Hello." }],
    ["openai-responses", { output: [{ type: "message", content: [] }] }],
    ["anthropic", { role: "assistant", content: "Hello." }],
    ["gemini", { role: "model", parts: [{ text: "Hello." }] }],
    ["text", "Hello."],
  ])("has no answer, in %s", async (format, message) => {
    expect((await send(`?format=${format}`, message)).json).toEqual({ format, messages: [], calls: [] });
  });
});

describe("a call that fails", () => {
  test("is answered by its failure, and the others are none the worse for it", async () => {
    await order("/v1/market/ticker", "status=429,retry-after=30");
    const [price, sum] = await messages("?format=anthropic", {
      content: [
        { type: "tool_use", id: "a", name: "get_realtime_price", input: PRICE },
        { type: "tool_use", id: "b", name: "calculate_math", input: SUM },
      ],
    }).then(([message]) => listOf(message?.content).map(objectOf));
    expect(price).toMatchObject({ type: "tool_result", tool_use_id: "a", is_error: true });
    expect(said(price)).toMatchObject({ error_code: "UPSTREAM_RATE_LIMITED", retry_after_ms: 30_000 });
    letPass(30_000);
    expect(sum).toEqual({
      type: "tool_result",
      tool_use_id: "b",
      content: expect.stringContaining('"data"'),
    });
  });

  test("of a tool that nobody has is offered the nearest ones, and no more of them than a model needs", async () => {
    const [message] = await messages("?format=openai", [chatCall("c", "get_orderbook", {})]);
    const failure = objectOf(said(message));
    expect(failure).toMatchObject({ error_code: "UNKNOWN_FUNCTION", details: { 0: "get_order_book" } });
    expect(listOf(failure.details).length).toBeLessThanOrEqual(20);
  });

  test.each<[string, string]>([
    ['{"symbol": "NVDA.US" "interval": "1d"}', "at character 22 a comma or }"],
    ['{"symbol": "NVDA', "at character 12 a value"],
    ["[]", "expected an object of arguments, got []"],
    ['"NVDA.US"', 'expected an object of arguments, got "NVDA.US"'],
    ['{"symbol": 7}', "/symbol: expected"],
  ])("for its arguments, %s, is told what is wrong with them", async (text, problem) => {
    const [message] = await messages("?format=openai", [chatCall("c", "get_kline", text)]);
    expect(said(message)).toMatchObject({
      error_code: "INVALID_ARGUMENTS",
      error: expect.stringContaining(problem),
      details: [expect.any(Object)],
    });
  });

  test.each(["__proto__", "constructor", "toString"])(
    "for a name like %s is like any other",
    async (name) => {
      const [message] = await messages("?format=openai", [chatCall("c", name, "{}")]);
      expect(said(message)).toMatchObject({ error_code: "UNKNOWN_FUNCTION" });
    },
  );
});

describe("calls that are made together", () => {
  const echo = {
    functions: [
      {
        name: "echo_it",
        description: "Gives back what it is given.",
        compute: "value",
        parameters: {
          type: "object",
          properties: { value: { type: ["string", "integer"] } },
          required: ["value"],
        },
      },
    ],
  };

  test("keep to the limits of their functions: those that are over are refused, the others answered", async () => {
    await put("limited", {
      ...echo,
      constraints: { rate_limit: { per_endpoint: { echo_it: { max_requests_per_minute: 3 } } } },
    });
    const calls = Array.from({ length: 5 }, (_, index) =>
      chatCall(`c${index}`, "echo_it", { value: `${index}` }),
    );
    const answers = (await messages("?format=openai", assistant(...calls))).map((message) =>
      objectOf(said(message)),
    );
    const refused = answers.filter(({ error_code }) => error_code === "RATE_LIMIT_EXCEEDED");
    expect(refused).toHaveLength(2);
    answers.forEach((answer, index) => {
      if (!refused.includes(answer)) expect(answer).toEqual({ data: `${index}` });
    });
  });

  test("are made up to a bound; what is beyond is refused, in its place, and may be called again", async () => {
    await put("unlimited", echo);
    const calls = Array.from({ length: 32 }, (_, index) =>
      chatCall(`c${index}`, "echo_it", { value: `${index}` }),
    );
    const answers = (await messages("?format=openai", calls)).map(said);
    expect(answers.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, index) => ({ data: `${index}` })));
    for (const answer of answers.slice(30))
      expect(answer).toMatchObject({
        error_code: "TOO_MANY_CALLS",
        error: expect.stringContaining(
          "echo_it was not called: of the calls of one message at most 30 are made",
        ),
        retryable: true,
        hint: "Call again in your next message, at most 30 together.",
      });
  });

  test("lose no digit on the way in and out", async () => {
    await put("exact", echo);
    const digits = "9007199254740993";
    const body = `{"content":[{"type":"tool_use","id":"t","name":"echo_it","input":{"value":${digits}}}]}`;
    const [message] = await messages("?format=anthropic", body);
    expect(said(objectOf(listOf(message?.content)[0]))).toEqual({ data: digits });
    const text = `{"value":${digits}}`;
    expect(said((await messages("?format=openai", [chatCall("c", "echo_it", text)]))[0])).toEqual({
      data: digits,
    });
  });

  test("give a model the beginning of a large result, and say that it is", async () => {
    await put("large", echo);
    const value = "长文".repeat(2_000);
    const [message] = await messages("?format=openai&max_chars=1000", [chatCall("c", "echo_it", { value })]);
    const { data, page, hint } = objectOf(said(message));
    expect(String(data)).toMatch(/^"长文长文/);
    expect([...JSON.stringify(data)].length).toBeLessThanOrEqual(1_000);
    expect(page).toMatchObject({ offset: 0, total_chars: 4_002, complete: false });
    expect(hint).toContain(`the first ${objectOf(page).next_offset} of the 4002 characters`);
    const { result, next_offset } = objectOf(page);
    const rest = await ask(`/v1/invoke/echo_it?result=${result}&offset=${next_offset}`, { method: "POST" });
    expect(String(data) + String(objectOf(rest.json).data)).toBe(JSON.stringify(value));
  });

  test("are large only where that is asked for", async () => {
    await put("larger", echo);
    const value = "x".repeat(60_000);
    const bound = said((await messages("?format=openai", [chatCall("c", "echo_it", { value })]))[0]);
    expect(objectOf(bound).page).toMatchObject({ complete: false });
    const whole = said(
      (await messages("?format=openai&max_chars=100000", [chatCall("c", "echo_it", { value })]))[0],
    );
    expect(whole).toEqual({ data: value });
  });
});

describe("calls of one message", () => {
  test.each<[string, (count: number) => JsonValue | string]>([
    ["openai", (count) => Array.from({ length: count }, (_, index) => chatCall(`c${index}`, "nothing", {}))],
    [
      "anthropic",
      (count) => Array.from({ length: count }, () => ({ type: "tool_use", id: "t", name: "nothing" })),
    ],
    ["text", (count) => '{"action":"execute_skill","skill_id":"nothing"}'.repeat(count)],
  ])("are refused with their message where they are more than anybody answers: %s", async (format, of) => {
    const { status, json } = await send(`?format=${format}`, of(10_000));
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error_code: "INVALID_REQUEST",
      error: "The message has 10000 calls; at most 128 are answered, and 30 of them made.",
    });
    const answered = await send(`?format=${format}`, of(128));
    expect([answered.status, listOf(objectOf(answered.json).calls).length]).toEqual([200, 128]);
    expect(answered.text.length).toBeLessThan(150_000);
  });
});

describe("names that a provider has changed", () => {
  const parameters = { type: "object", properties: { 城市: { type: "string" } }, required: ["城市"] };
  const functions = [
    { name: "city-echo", description: "Gives the city back.", parameters, prompt: "城市：{城市}" },
  ];

  test.each<[string, (tools: JsonValue[]) => JsonObject, (name: JsonValue, args: JsonObject) => JsonValue]>([
    [
      "anthropic",
      (tools) => objectOf(objectOf(tools[0]).input_schema),
      (name, input) => [{ type: "tool_use", id: "t", name, input }],
    ],
    [
      "gemini",
      (tools) => {
        const tool = objectOf(listOf(objectOf(tools[0]).functionDeclarations)[0]);
        return objectOf(tool.parametersJsonSchema ?? tool.parameters);
      },
      (name, args) => [{ functionCall: { name, args } }],
    ],
  ])("are understood in its own words: %s", async (format, schemaIn, message) => {
    await put("cities", { functions });
    const { json } = await ask(`/v1/tools?format=${format}&functions=city-echo`);
    const properties = objectOf(schemaIn(listOf(objectOf(json).tools)).properties);
    const [key = ""] = Object.keys(properties);
    expect(key).not.toBe("");
    const [answer] = await messages(`?format=${format}`, message("city-echo", { [key]: "上海" }));
    expect(JSON.stringify(answer)).toContain("城市：上海");
    expect(JSON.stringify(answer)).not.toContain("error_code");
  });
});

describe("arguments that do not fit", () => {
  const parameters = {
    type: "object",
    properties: {
      城市: { type: "string" },
      数: { type: "integer" },
      "a b": { type: "object", properties: { 区: { type: "integer" } }, required: ["区"] },
    },
    required: ["城市"],
    dependentRequired: { 数: ["a b"] },
    additionalProperties: false,
  };
  const functions = [
    { name: "city-echo", description: "Gives the city back.", parameters, compute: "1" },
    {
      name: "city_chain",
      description: "Calls the other wrongly.",
      steps: [{ id: "first", call: "city-echo", with: { 城市: "${1}" } }],
    },
  ];

  /** The names that a provider's tool has for the arguments, the inner one last. */
  async function aliasesOf(
    format: string,
  ): Promise<{ city: string; count: string; place: string; inner: string }> {
    const { json } = await ask(`/v1/tools?format=${format}&functions=city-echo`);
    const [tool] = listOf(objectOf(json).tools).map(objectOf);
    const declared = format === "gemini" ? objectOf(listOf(tool?.functionDeclarations)[0]) : tool;
    const properties = objectOf(objectOf(declared?.input_schema ?? declared?.parameters).properties);
    const [city = "", count = "", place = ""] = Object.keys(properties);
    const [inner = ""] = Object.keys(objectOf(objectOf(properties[place]).properties));
    return { city, count, place, inner };
  }

  test.each(["anthropic", "gemini"])("are told by the names that the model knows: %s", async (format) => {
    await put("cities", { functions });
    const { city, place, inner } = await aliasesOf(format);
    expect([city, place, inner].join("")).toMatch(/^\w+$/);
    const given = { [city]: 7, [place]: { [inner]: "x" } };
    const missing = { [place]: {} };
    const sent = [given, missing, { 城市: 7 }];
    const paths = [[`/${city}`, `/${place}/${inner}`], [`/${place}/${inner}`, `/${city}`], ["/城市"]];
    const message =
      format === "gemini"
        ? { role: "model", parts: sent.map((args) => ({ functionCall: { name: "city-echo", args } })) }
        : sent.map((input) => ({ type: "tool_use", id: "t", name: "city-echo", input }));
    const [answer] = await messages(`?format=${format}`, message);
    const failures = listOf(answer?.content ?? answer?.parts).map((part) => {
      const { content, functionResponse } = objectOf(part);
      if (content !== undefined) return objectOf(JSON.parse(String(content)));
      return objectOf(objectOf(objectOf(functionResponse).response).error);
    });
    for (const [index, args] of sent.entries()) {
      const reply = await ask(`/v1/invoke/city-echo?format=${format}`, {
        method: "POST",
        body: JSON.stringify(args),
      });
      for (const failure of [failures[index], objectOf(reply.json)]) {
        const found = listOf(failure?.details).map((detail) => objectOf(detail).path);
        expect(found.sort()).toEqual(paths[index]?.sort());
      }
    }
  });

  test.each(["anthropic", "gemini"])(
    "are told what there is by the names that the model knows: %s",
    async (format) => {
      await put("cities", { functions });
      const { city, count, place } = await aliasesOf(format);
      const reply = await ask(`/v1/invoke/city-echo?format=${format}`, {
        method: "POST",
        body: JSON.stringify({ [city]: "x", [count]: 9, other: 1 }),
      });
      const told = listOf(objectOf(reply.json).details).map((detail) => objectOf(detail).expected);
      expect(told.sort()).toEqual([
        `a value, because ${count} is given`,
        `no member of this name; there are ${city}, ${count}, ${place}`,
      ]);
    },
  );

  test("are told by their own names where a step of a chain gave them", async () => {
    await put("cities", { functions });
    const call = { type: "tool_use", id: "t", name: "city_chain", input: {} };
    const [answer] = await messages("?format=anthropic", [call]);
    const failure = objectOf(said(listOf(answer?.content).map(objectOf)[0]));
    expect(failure).toMatchObject({
      error_code: "INVALID_ARGUMENTS",
      step: "first",
      details: [{ path: "/城市" }],
    });
  });
});

describe("a message of another format", () => {
  test.each<[string, JsonValue | string, string, string]>([
    [
      "anthropic",
      assistant(chatCall("c", "f", {})),
      "Its /tool_calls/0 looks like one of the format openai: send it with format=openai.",
      "/tool_calls/0",
    ],
    [
      "openai",
      { content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
      "Its /content/0 looks like one of the format anthropic: send it with format=anthropic.",
      "/content/0",
    ],
    [
      "gemini",
      { role: "assistant", content: "Hello." },
      "It looks like one of the format openai or anthropic: send it with format=openai or format=anthropic.",
      "",
    ],
    [
      "text",
      JSON.stringify(assistant(chatCall("c", "f", {}))),
      "Its /tool_calls/0 looks like one of the format openai: send it with format=openai.",
      "/tool_calls/0",
    ],
    [
      "openai",
      { role: "assistant", content: '{"action":"execute_skill","skill_id":"f"}' },
      "Its text holds calls of the format text: send that text itself, not as JSON, with format=text.",
      "",
    ],
    [
      "deepseek",
      { choices: [{ message: assistant() }] },
      "It looks like a whole response: send its choices[0].message alone.",
      "",
    ],
    [
      "anthropic",
      { candidates: [{ content: { role: "model" } }] },
      "It looks like a whole response of the format gemini: send its candidates[0].content alone, with format=gemini.",
      "",
    ],
    [
      "openai",
      chatCall("c", "f", {}),
      "It looks like one call: send it in a list, or the message that it stands in.",
      "",
    ],
    [
      "gemini",
      [{ role: "model", parts: [] }],
      "It looks like a list of messages: send the model's last one alone.",
      "/0",
    ],
    [
      "openai",
      { jsonrpc: "2.0", method: "tools/call", params: {} },
      "It looks like a call of the Model Context Protocol: send its arguments to POST /v1/invoke/NAME?format=mcp.",
      "",
    ],
  ])("is refused, and its sender told what to do: as %s, %j", async (format, message, advice, path) => {
    const bodies: [string, JsonValue | string][] = [
      [`?format=${format}`, message],
      ["", { format, message }],
    ];
    for (const [query, body] of bodies) {
      const { status, json } = await send(query, body);
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error_code: "INVALID_REQUEST",
        error: `This is no assistant's message of the format ${format}. ${advice}`,
        details: [{ path, rule: "format", got: expect.stringMatching(/\S/) }],
      });
    }
  });
});

describe("a body that is no message", () => {
  test.each<[string, string, JsonValue | string, string]>([
    ["no JSON", "?format=openai", "{role:", "The body is not valid JSON."],
    ["nothing", "?format=openai", "", "The body is empty; it is to be the assistant's message."],
    ["nothing, nor a format", "", " \n", "The body is empty; it is to be the assistant's message."],
    ["null", "?format=openai", "null", "it is to be an object"],
    [
      "a text that calls",
      "?format=anthropic",
      'I call {"action": "execute_skill", "skill_id": "f"}.',
      "Its text holds calls of the format text: send that text itself, not as JSON, with format=text.",
    ],
    ["a text that calls nothing", "?format=anthropic", "Hello.", "The body is not valid JSON."],
    ["no format", "", { role: "assistant", tool_calls: [] }, "does not say which format it is in"],
    ["a format that nobody speaks", "", { format: "mcp", message: [] }, "does not say which format it is in"],
    ["a format without a message", "", { format: "openai" }, "has no message"],
    ["text that is none", "", { format: "text", message: [] }, "it is to be the text that the model wrote"],
    ["a message of the user", "?format=openai", { role: "user" }, '/role is to be "assistant"'],
    [
      "a call of the form before tools",
      "?format=openai",
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      "/function_call is to be nothing: calls stand in `tool_calls`",
    ],
    [
      "a call whose stream has not ended",
      "?format=gemini",
      { role: "model", parts: [{ functionCall: { name: "f", partialArgs: [], willContinue: true } }] },
      "assemble what the stream sends first",
    ],
    [
      "arguments that would be passed over",
      "?format=openai",
      [{ id: "c", function: { name: "f", parameters: { a: 1 } } }],
      "/0/function/parameters is to be nothing: arguments stand in `arguments`",
    ],
    ["a call without an id", "?format=openai", [{ function: { name: "f" } }], "/0/id is to be text"],
  ])("is refused as a whole: %s", async (_what, query, body, problem) => {
    const { status, json } = await send(query, body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error_code: "INVALID_REQUEST", error: expect.stringContaining(problem) });
  });

  test("is refused where it is too large", async () => {
    const { status, json } = await send("?format=text", "x".repeat(1024 * 1024 + 1));
    expect([status, objectOf(json).error_code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test.each(["?format=xml", "?format=mcp", "?max_chars=10", "?dry_run=1"])(
    "or asked for as %s",
    async (query) => {
      const { status, json } = await send(query, assistant());
      expect([status, objectOf(json).error_code]).toEqual([400, "INVALID_REQUEST"]);
    },
  );
});
