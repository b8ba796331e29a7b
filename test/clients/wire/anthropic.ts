/** Anthropic Messages. */
import { z } from "zod";
import type { JsonObject } from "../../../src/json.ts";
import type { Answer, SentTurn, Wire } from "../model-server.ts";
import { nameProblems, schemaProblems } from "./tool-rules.ts";

const clientTool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal("object") }),
  input_examples: z.array(z.record(z.string(), z.unknown())).optional(),
  strict: z.boolean().optional(),
  defer_loading: z.boolean().optional(),
});
const searchTool = z.strictObject({
  type: z.literal("tool_search_tool_bm25_20251119"),
  name: z.literal("tool_search_tool_bm25"),
});
const tool = z.union([clientTool, searchTool]);
type ClientTool = z.output<typeof clientTool>;

const searchBlock = z.strictObject({
  type: z.literal("server_tool_use"),
  id: z.string().regex(/^srvtoolu_/),
  name: z.literal("tool_search_tool_bm25"),
  input: z.strictObject({ query: z.string() }),
});
const reference = z.strictObject({ type: z.literal("tool_reference"), tool_name: z.string() });
const foundBlock = z.strictObject({
  type: z.literal("tool_search_tool_result"),
  tool_use_id: z.string(),
  content: z.strictObject({
    type: z.literal("tool_search_tool_search_result"),
    tool_references: z.array(reference),
  }),
});

const useBlock = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const resultBlock = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.string(),
  is_error: z.boolean().optional(),
});
const textBlock = z.strictObject({ type: z.literal("text"), text: z.string().min(1) });

const message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(z.union([textBlock, resultBlock])).min(1)]),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.array(z.union([textBlock, searchBlock, foundBlock, useBlock])).min(1),
  }),
]);

const body = z.strictObject({
  model: z.string(),
  max_tokens: z.number(),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1),
  stream: z.boolean().optional(),
});
type Body = z.output<typeof body>;
type Message = Body["messages"][number];

function usesIn(said: Message | undefined) {
  return said?.role === "assistant" ? said.content.filter((block) => block.type === "tool_use") : [];
}

/** Results stand in the next message, all of them, ahead of any text. */
function resultsIn(said: Message | undefined) {
  if (said?.role !== "user" || typeof said.content === "string") return [];
  const isResult = (block: { type: string }): boolean => block.type === "tool_result";
  const end = said.content.findIndex((block) => !isResult(block));
  const leading = end === -1 ? said.content : said.content.slice(0, end);
  return leading.filter((block) => block.type === "tool_result");
}

function orderProblems(messages: Body["messages"]): string[] {
  return messages.flatMap((said, index) => {
    const asked = usesIn(said).map(({ id }) => id);
    const answered = resultsIn(messages[index + 1]).map(({ tool_use_id }) => tool_use_id);
    return [
      ...asked
        .filter((id) => !answered.includes(id))
        .map((id) => `${id} was found without a tool_result block immediately after`),
      ...answered.filter((id) => !asked.includes(id)).map((id) => `unexpected tool_use_id ${id}`),
    ];
  });
}

function answersIn(messages: Body["messages"]): Answer[] {
  const uses = usesIn(messages.at(-2));
  return resultsIn(messages.at(-1)).map(({ tool_use_id: id, content, is_error: isError = false }) => {
    const name = uses.find((use) => use.id === id)?.name ?? "";
    return { id, name, content: JSON.parse(content), isError };
  });
}

function clientTools(tools: Body["tools"]): ClientTool[] {
  return tools.flatMap((given) => ("type" in given ? [] : [given]));
}

/** Deferred tools are found by a search, beside which no tool may have examples. */
function deferralProblems(tools: Body["tools"]): string[] {
  const client = clientTools(tools);
  const isSearched = client.length < tools.length;
  return [
    ...(isSearched || client.every(({ defer_loading }) => defer_loading !== true)
      ? []
      : ["At least one tool must have defer_loading=false"]),
    ...(isSearched && client.some(({ input_examples }) => input_examples !== undefined)
      ? ["Tool search does not support tool use examples"]
      : []),
  ];
}

/** The provider's own search, and what it found. */
function searchOf({ calls, searched }: SentTurn): JsonObject[] {
  if (searched.length === 0) return [];
  const id = `srvtoolu_${calls[0]?.id}`;
  const tool_references = searched.map((tool_name) => ({ type: "tool_reference", tool_name }));
  const found = { type: "tool_search_tool_search_result", tool_references };
  return [
    { type: "server_tool_use", id, name: "tool_search_tool_bm25", input: { query: searched.join(" ") } },
    { type: "tool_search_tool_result", tool_use_id: id, content: found },
  ];
}

function contentOf(turn: SentTurn): JsonObject[] {
  const said = turn.text ?? "I shall look that up.";
  return [
    { type: "text", text: said },
    ...searchOf(turn),
    ...turn.calls.map((call) => ({ type: "tool_use", ...call })),
  ];
}

const usage = { input_tokens: 1, output_tokens: 1 };

function messageOf(turn: SentTurn): JsonObject {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: contentOf(turn),
    stop_reason: turn.calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage,
  };
}

function event(type: string, data: JsonObject): [string, JsonObject] {
  return [type, { type, ...data }];
}

/** A block as it is streamed: an input comes as the pieces of its JSON text. */
function blockEvents(block: JsonObject, index: number): [string, JsonObject][] {
  if (block.type === "tool_search_tool_result")
    return [
      event("content_block_start", { index, content_block: block }),
      event("content_block_stop", { index }),
    ];
  const input = JSON.stringify(block.input);
  const isUse = block.input !== undefined;
  const deltas: JsonObject[] = isUse
    ? [input.slice(0, 9), input.slice(9)].map((partial_json) => ({ type: "input_json_delta", partial_json }))
    : [{ type: "text_delta", text: block.text ?? "" }];
  return [
    event("content_block_start", {
      index,
      content_block: { ...block, ...(isUse ? { input: {} } : { text: "" }) },
    }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
}

export const anthropic: Wire<Body> = {
  path: /^\/v1\/messages$/,
  body,
  problems: ({ tools, messages }) => [
    ...nameProblems(tools.map(({ name }) => name)),
    ...clientTools(tools).flatMap(({ name, input_schema, strict }) =>
      schemaProblems(name, input_schema, strict === true ? "anthropicStrict" : "anthropic"),
    ),
    ...(clientTools(tools).filter(({ strict }) => strict === true).length > 20
      ? ["too many strict tools"]
      : []),
    ...deferralProblems(tools),
    ...orderProblems(messages),
  ],
  read: ({ tools, messages }) => ({
    tools: tools.map(({ name }) => name),
    deferred: clientTools(tools).flatMap(({ name, defer_loading }) => (defer_loading === true ? [name] : [])),
    answers: answersIn(messages),
  }),
  isStreamed: ({ stream }) => stream === true,
  reply: messageOf,
  events: (turn) => {
    const { stop_reason = null, stop_sequence = null, ...message } = messageOf(turn);
    const begun = { ...message, content: [], stop_reason: null, stop_sequence: null };
    return [
      event("message_start", { message: begun }),
      ...contentOf(turn).flatMap(blockEvents),
      event("message_delta", { delta: { stop_reason, stop_sequence }, usage }),
      event("message_stop", {}),
    ];
  },
};
