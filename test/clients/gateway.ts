/** The gateway as a client uses it: two requests, one for tools and one for calls. */
import { inject } from "vitest";
import { z } from "zod";
import type { CallFormatName, DialectName } from "../../src/vocabulary.ts";

const gatewayUrl = inject("gatewayUrl");
const sandboxUrl = inject("sandboxUrl");

const tools = z.object({ tools: z.array(z.unknown()) });
const answered = z.object({ messages: z.array(z.unknown()) });
const invoked = z.object({ data: z.unknown() });
const refused = z.looseObject({ error: z.string(), error_code: z.string(), hint: z.string() });
const received = z.object({ requests: z.array(z.object({ path: z.string(), query: z.string() })) });

/** What goes into a provider's `tools` parameter. */
export async function servedTools(format: DialectName, query = ""): Promise<unknown[]> {
  const reply = await fetch(`${gatewayUrl}/v1/tools?format=${format}${query}`);
  return tools.parse(await reply.json()).tools;
}

/** Has a model's calls made; the messages that answer them are to be appended to the conversation. */
export async function answersTo(format: CallFormatName, message: unknown): Promise<unknown[]> {
  const url = `${gatewayUrl}/v1/calls?format=${format}`;
  const reply = await fetch(url, { method: "POST", body: JSON.stringify(message) });
  return answered.parse(await reply.json()).messages;
}

/** What came of one call, made by a tool for the Model Context Protocol: a result, or why there is none. */
export async function outcomeOf(name: string, given: unknown) {
  const url = `${gatewayUrl}/v1/invoke/${name}?format=mcp`;
  const reply = await fetch(url, { method: "POST", body: JSON.stringify(given) });
  const body: unknown = await reply.json();
  if (!reply.ok) return { data: null, failure: refused.parse(body) };
  return { data: invoked.parse(body).data, failure: null };
}

/** Forgets what upstreams were asked. */
export async function forgetAsked(): Promise<void> {
  await fetch(`${sandboxUrl}/__sandbox/requests`, { method: "DELETE" });
}

/** What upstreams were asked since, path and query. */
export async function asked(): Promise<string[]> {
  const reply = await fetch(`${sandboxUrl}/__sandbox/requests`);
  return received.parse(await reply.json()).requests.map(({ path, query }) => `${path}?${query}`);
}
