import {
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentParameters,
  GoogleGenAI,
  type Part,
  type Schema,
  type Tool,
} from "@google/genai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answersTo, forgetAsked, servedTools } from "./gateway.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { expectWholeLoop, LAST_WORD, QUESTION, script } from "./script.ts";
import { gemini } from "./wire/gemini.ts";

const servers = new Map<string, ModelServer>();
beforeAll(async () => {
  servers.set("with ids", await startModelServer(gemini(true)));
  servers.set("without ids", await startModelServer(gemini(false)));
});
beforeEach(forgetAsked);
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

function serverOf(kind: string): ModelServer {
  const server = servers.get(kind);
  if (server === undefined) throw new Error(`no server ${kind}`);
  return server;
}

/** The SDK's type has the names of types in capitals, and the SDK itself writes them so. */
const schema = z.custom<Schema>(
  (value) => z.looseObject({ type: z.literal("object") }).safeParse(value).success,
);
const declarationTools: z.ZodType<Tool[]> = z.array(
  z.strictObject({
    functionDeclarations: z.array(
      z.strictObject({ name: z.string(), description: z.string(), parameters: schema }),
    ),
  }),
);
const functionResponse = z.strictObject({
  id: z.string().exactOptional(),
  name: z.string(),
  response: z.record(z.string(), z.unknown()),
});
const responseContents: z.ZodType<Content[]> = z.array(
  z.strictObject({ role: z.literal("user"), parts: z.array(z.strictObject({ functionResponse })) }),
);
const mcpTool = z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.unknown() });

/** The classic form, as it is served for Gemini. */
async function classicTools(): Promise<Tool[]> {
  return declarationTools.parse(await servedTools("gemini"));
}

/** The form with JSON Schema, made of the tools for the Model Context Protocol, as the SDK's `mcpToTool` makes it. */
async function jsonSchemaTools(): Promise<Tool[]> {
  const declarations = z.array(mcpTool).parse(await servedTools("mcp"));
  return [
    {
      functionDeclarations: declarations.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parametersJsonSchema: inputSchema,
      })),
    },
  ];
}

/** What a model says at once, or in a stream whose parts are put together. */
type Generate = (client: GoogleGenAI, request: GenerateContentParameters) => Promise<Content>;

async function atOnce(client: GoogleGenAI, request: GenerateContentParameters): Promise<Content> {
  const response = await client.models.generateContent(request);
  return response.candidates?.[0]?.content ?? {};
}

async function streamed(client: GoogleGenAI, request: GenerateContentParameters): Promise<Content> {
  const parts: Part[] = [];
  for await (const piece of await client.models.generateContentStream(request))
    parts.push(...(piece.candidates?.[0]?.content?.parts ?? []));
  // The end of a stream has a part without anything in it.
  return { role: "model", parts: parts.filter(({ text }) => text !== "") };
}

/** The whole loop; the model's own content goes back as it came, with its signatures of thought. */
async function converse(
  url: string,
  tools: Tool[],
  isValidated: boolean,
  generate: Generate = atOnce,
): Promise<string> {
  const client = new GoogleGenAI({ apiKey: "a-key", httpOptions: { baseUrl: url } });
  const mode = isValidated ? FunctionCallingConfigMode.VALIDATED : FunctionCallingConfigMode.AUTO;
  const config = { tools, toolConfig: { functionCallingConfig: { mode } } };
  const contents: Content[] = [{ role: "user", parts: [{ text: QUESTION }] }];
  for (;;) {
    const content = await generate(client, { model: "scripted", contents, config });
    const parts = content.parts ?? [];
    if (parts.every(({ functionCall }) => functionCall === undefined))
      return parts.map(({ text }) => text).join("");
    contents.push(content, ...responseContents.parse(await answersTo("gemini", content)));
  }
}

describe("@google/genai", () => {
  test.each<[string, string, () => Promise<Tool[]>, boolean]>([
    ["the classic form", "without ids", classicTools, false],
    ["the classic form, validated", "with ids", classicTools, true],
    ["the form with JSON Schema", "with ids", jsonSchemaTools, false],
  ])("has a whole conversation with %s, calls %s", async (_form, ids, tools, isValidated) => {
    const model = serverOf(ids);
    model.play(script);
    expect(await converse(model.url, await tools(), isValidated)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: true, ids: ids === "with ids" });
  });

  test.each(["with ids", "without ids"])("has a whole conversation in streams, calls %s", async (ids) => {
    const model = serverOf(ids);
    model.play(script);
    expect(await converse(model.url, await classicTools(), false, streamed)).toBe(LAST_WORD);
    await expectWholeLoop(model.requests, { flag: true, ids: ids === "with ids" });
  });

  test("changes nothing in the classic form but the case of the names of types", async () => {
    const model = serverOf("with ids");
    model.play([{ text: LAST_WORD }]);
    const served = JSON.stringify(await servedTools("gemini"));
    await converse(model.url, await classicTools(), false);
    const capitals = served.replaceAll(
      /"type":"(\w+)"/g,
      (_, name: string) => `"type":"${name.toUpperCase()}"`,
    );
    expect(model.requests[0]?.parameter).toEqual(JSON.parse(capitals));
  });
});
