/** OpenAI Chat Completions, as the API and those that follow it (DeepSeek) take and send it. */
import { z } from "zod";
import type { Answer, SentTurn, Wire } from "../model-server.ts";
import { nameProblems, schemaProblems } from "./tool-rules.ts";

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
});

const call = z.strictObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
  index: z.number().optional(),
});

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string() }),
  z.strictObject({ role: z.literal("user"), content: z.string() }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string().nullish(),
    refusal: z.null().optional(),
    parsed: z.null().optional(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
]);

const body = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).max(128),
  tool_choice: z.enum(["auto", "none", "required"]).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});
type Body = z.output<typeof body>;

/** Each call wants one message of the role tool, before anything else is said. */
function orderProblems(messages: Body["messages"]): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const said of messages) {
    if (said.role === "tool") {
      if (!open.delete(said.tool_call_id)) problems.push(`${said.tool_call_id} answers no call`);
      continue;
    }
    if (open.size > 0) problems.push(`no message answers ${[...open].join(", ")}`);
    open.clear();
    if (said.role === "assistant") for (const { id } of said.tool_calls ?? []) open.add(id);
  }
  return open.size > 0 ? [...problems, `no message answers ${[...open].join(", ")}`] : problems;
}

function answersIn(messages: Body["messages"]): Answer[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const asking = messages[last];
  const calls = asking?.role === "assistant" ? (asking.tool_calls ?? []) : [];
  return messages.slice(last + 1).flatMap((said): Answer[] => {
    if (said.role !== "tool") return [];
    const name = calls.find(({ id }) => id === said.tool_call_id)?.function.name ?? "";
    return [{ id: said.tool_call_id, name, content: JSON.parse(said.content), isError: null }];
  });
}

function toolCalls({ calls }: SentTurn) {
  return calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const head = { id: "chatcmpl-1", created: 1, model: "scripted" };

export const openaiChat: Wire<Body> = {
  path: /^\/v1\/chat\/completions$/,
  body,
  problems: ({ tools, messages }) => [
    ...nameProblems(tools.map(({ function: { name } }) => name)),
    ...tools.flatMap(({ function: { name, parameters, strict } }) =>
      schemaProblems(name, parameters, strict === true ? "openaiStrict" : "openai"),
    ),
    ...orderProblems(messages),
  ],
  read: ({ tools, messages }) => ({
    tools: tools.map(({ function: { name } }) => name),
    deferred: [],
    answers: answersIn(messages),
  }),
  isStreamed: ({ stream }) => stream === true,
  reply: (turn) => ({
    ...head,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: turn.text,
          refusal: null,
          ...(turn.calls.length > 0 ? { tool_calls: toolCalls(turn) } : {}),
        },
        finish_reason: turn.calls.length > 0 ? "tool_calls" : "stop",
        logprobs: null,
      },
    ],
    usage,
  }),
  events: (turn) => {
    const chunk = (delta: object, finish_reason: string | null = null): [null, string] => [
      null,
      JSON.stringify({
        ...head,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, finish_reason }],
      }),
    ];
    // The arguments of a call come in pieces, and those of two calls one after the other.
    const pieces = toolCalls(turn).flatMap(({ function: { name, arguments: text }, ...rest }, index) => [
      chunk({ tool_calls: [{ index, ...rest, function: { name, arguments: "" } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, 9) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(9) } }] }),
    ]);
    return [
      chunk({ role: "assistant", content: turn.text }),
      ...pieces,
      chunk({}, turn.calls.length > 0 ? "tool_calls" : "stop"),
      [null, "[DONE]"],
    ];
  },
};
