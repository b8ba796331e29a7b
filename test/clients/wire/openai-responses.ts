/** OpenAI Responses, kept by the client (`store: false`): each request holds the whole conversation. */
import { z } from "zod";
import type { JsonObject } from "../../../src/json.ts";
import type { Answer, SentTurn, Wire } from "../model-server.ts";
import { nameProblems, schemaProblems } from "./tool-rules.ts";

const functionTool = z.strictObject({
  type: z.literal("function"),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()),
  // Without it the API makes the tool strict.
  strict: z.boolean(),
  defer_loading: z.boolean().optional(),
});
const tool = z.discriminatedUnion("type", [functionTool, z.strictObject({ type: z.literal("tool_search") })]);
type FunctionTool = z.output<typeof functionTool>;

const searched = {
  id: z.string().optional(),
  call_id: z.string().nullish(),
  execution: z.literal("server").optional(),
  status: z.literal("completed").optional(),
};

const item = z.union([
  z.strictObject({ role: z.literal("user"), content: z.string() }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: z.string(),
    summary: z.array(z.unknown()),
    encrypted_content: z.string(),
  }),
  z.strictObject({
    type: z.literal("tool_search_call"),
    arguments: z.record(z.string(), z.unknown()),
    ...searched,
  }),
  z.strictObject({ type: z.literal("tool_search_output"), tools: z.array(functionTool), ...searched }),
  z.strictObject({
    type: z.literal("function_call"),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("function_call_output"), call_id: z.string(), output: z.string() }),
]);

const body = z.strictObject({
  model: z.string(),
  input: z.array(item).min(1),
  tools: z.array(tool).min(1).max(128),
  store: z.literal(false),
  include: z.tuple([z.literal("reasoning.encrypted_content")]),
  stream: z.boolean().optional(),
});
type Body = z.output<typeof body>;
type Item = Body["input"][number];

function isCall(given: Item): given is Extract<Item, { type: "function_call" }> {
  return "type" in given && given.type === "function_call";
}

function isOutput(given: Item): given is Extract<Item, { type: "function_call_output" }> {
  return "type" in given && given.type === "function_call_output";
}

/** Calls and outputs belong together, and the first call of a turn to the reasoning before it. */
function orderProblems(input: Body["input"]): string[] {
  const calls = input.filter(isCall).map(({ call_id }) => call_id);
  const outputs = input.filter(isOutput).map(({ call_id }) => call_id);
  const bare = input.filter((given, index) => {
    const before = input[index - 1];
    const isReasoned =
      before !== undefined && (isCall(before) || ("type" in before && before.type === "reasoning"));
    return isCall(given) && !isReasoned;
  });
  return [
    ...calls.filter((id) => !outputs.includes(id)).map((id) => `no tool output found for ${id}`),
    ...outputs.filter((id) => !calls.includes(id)).map((id) => `no tool call found for ${id}`),
    ...bare.map(() => "a function call was given without its reasoning item"),
  ];
}

function functionTools(tools: Body["tools"]): FunctionTool[] {
  return tools.flatMap((given) => (given.type === "function" ? [given] : []));
}

/** Nothing but a search finds deferred tools. */
function deferralProblems(tools: Body["tools"]): string[] {
  const isSearched = tools.some(({ type }) => type === "tool_search");
  const isDeferred = functionTools(tools).some(({ defer_loading }) => defer_loading === true);
  return isDeferred && !isSearched ? ["deferred tools require a tool of the type tool_search"] : [];
}

function answersIn(input: Body["input"]): Answer[] {
  const calls = input.filter(isCall);
  const last = input.findLastIndex(isCall);
  return input
    .slice(last + 1)
    .filter(isOutput)
    .map(({ call_id: id, output }) => {
      const name = calls.find(({ call_id }) => call_id === id)?.name ?? "";
      return { id, name, content: JSON.parse(output), isError: null };
    });
}

/** The provider's own search, and what it loaded. */
function searchOf(calls: SentTurn["calls"], names: readonly string[]): JsonObject[] {
  if (names.length === 0) return [];
  const about = { call_id: null, execution: "server", status: "completed" };
  const tools = names.map((name) => {
    return { type: "function", name, parameters: {}, strict: false, defer_loading: true };
  });
  return [
    { type: "tool_search_call", id: `tsc_${calls[0]?.id}`, arguments: { paths: [...names] }, ...about },
    { type: "tool_search_output", id: `tso_${calls[0]?.id}`, tools, ...about },
  ];
}

function outputOf({ calls, text, searched: names }: SentTurn): JsonObject[] {
  if (text !== null) {
    const content = [{ type: "output_text", text, annotations: [] }];
    return [{ type: "message", id: "msg_1", role: "assistant", status: "completed", content }];
  }
  const reasoning = { type: "reasoning", id: `rs_${calls[0]?.id}`, summary: [], encrypted_content: "gAAA" };
  return [
    ...searchOf(calls, names),
    reasoning,
    ...calls.map(({ id, name, input }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status: "completed",
    })),
  ];
}

function responseOf(turn: SentTurn): JsonObject {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "scripted",
    status: "completed",
    error: null,
    output: outputOf(turn),
  };
}

function event(type: string, data: JsonObject): [string, JsonObject] {
  return [type, { type, ...data }];
}

/** An item as it is streamed: its arguments or its text come in pieces. */
function itemEvents(item: JsonObject, output_index: number): [string, JsonObject][] {
  const { id: item_id = null, type, arguments: text } = item;
  const about = { item_id, output_index };
  const end = event("response.output_item.done", { output_index, item });
  if (type === "function_call" && typeof text === "string") {
    const deltas = [text.slice(0, 9), text.slice(9)];
    return [
      event("response.output_item.added", { output_index, item: { ...item, arguments: "" } }),
      ...deltas.map((delta) => event("response.function_call_arguments.delta", { ...about, delta })),
      event("response.function_call_arguments.done", { ...about, arguments: text }),
      end,
    ];
  }
  return [event("response.output_item.added", { output_index, item }), end];
}

export const openaiResponses: Wire<Body> = {
  path: /^\/v1\/responses$/,
  body,
  problems: ({ tools, input }) => [
    ...nameProblems(functionTools(tools).map(({ name }) => name)),
    ...deferralProblems(tools),
    ...functionTools(tools).flatMap(({ name, parameters, strict }) =>
      schemaProblems(name, parameters, strict ? "openaiStrict" : "openai"),
    ),
    ...orderProblems(input),
  ],
  read: ({ tools, input }) => ({
    tools: functionTools(tools).map(({ name }) => name),
    deferred: functionTools(tools).flatMap(({ name, defer_loading }) =>
      defer_loading === true ? [name] : [],
    ),
    answers: answersIn(input),
  }),
  isStreamed: ({ stream }) => stream === true,
  reply: responseOf,
  events: (turn) => {
    const response = responseOf(turn);
    return [
      event("response.created", { response: { ...response, status: "in_progress", output: [] } }),
      ...outputOf(turn).flatMap(itemEvents),
      event("response.completed", { response }),
    ];
  },
};
