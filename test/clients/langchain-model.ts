/** A chat model for LangChain that speaks Chat Completions, with nothing but the core's own parts. */
import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { parseToolCall } from "@langchain/core/output_parsers/openai_tools";
import type { ChatResult } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { z } from "zod";

const completion = z.object({
  choices: z.tuple([
    z.object({
      message: z.object({
        content: z.string().nullable(),
        tool_calls: z.array(z.record(z.string(), z.unknown())).default([]),
      }),
    }),
  ]),
});

export class LoopbackChatModel extends BaseChatModel {
  readonly #url: string;
  readonly #tools: unknown[];

  constructor(url: string, tools: unknown[] = []) {
    super({ maxRetries: 0 });
    this.#url = url;
    this.#tools = tools;
  }

  _llmType(): string {
    return "loopback";
  }

  override bindTools(tools: BindToolsInput[]): LoopbackChatModel {
    return new LoopbackChatModel(
      this.#url,
      tools.map((tool) => convertToOpenAITool(tool)),
    );
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const body = { model: "scripted", messages: messages.map(spoken), tools: this.#tools };
    const reply = await fetch(`${this.#url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
    const { content, tool_calls } = completion.parse(await reply.json()).choices[0].message;
    const calls = tool_calls.map((call) => parseToolCall(call, { returnId: true }));
    const message = new AIMessage({ content: content ?? "", tool_calls: calls });
    return { generations: [{ text: content ?? "", message }] };
  }
}

function spoken(message: BaseMessage) {
  const { content } = message;
  if (ToolMessage.isInstance(message)) return { role: "tool", tool_call_id: message.tool_call_id, content };
  if (!AIMessage.isInstance(message)) return { role: "user", content };
  const tool_calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: "assistant", content, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
}
