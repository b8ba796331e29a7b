import {
  Client,
  InMemoryTransport,
  isJSONRPCRequest,
  isSpecType,
  type JsonSchemaType,
  type Tool,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { dataOf, servedTools } from "./gateway.ts";

let tools: Tool[] = [];
beforeAll(async () => {
  tools = z.array(z.custom<Tool>(isSpecType.Tool)).parse(await servedTools("mcp"));
});

/** A client of a server that lists the tools as they are served and answers calls with what a function gave. */
async function connected(resultOf: (name: string, given: unknown) => Promise<unknown>): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const call = z.object({ name: z.string(), arguments: z.unknown() });
  const answers = new Map<string, (given: unknown) => Promise<Record<string, unknown>>>([
    ["tools/list", async () => ({ tools })],
    [
      "tools/call",
      async (given) => {
        const { name, arguments: args } = call.parse(given);
        const structuredContent = await resultOf(name, args);
        return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
      },
    ],
    [
      "initialize",
      async () => ({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "loopback", version: "1" },
      }),
    ],
  ]);
  there.onmessage = async (message) => {
    if (!isJSONRPCRequest(message)) return;
    const result = await answers.get(message.method)?.(message.params);
    await there.send({ jsonrpc: "2.0", id: message.id, result: result ?? {} });
  };
  await there.start();
  const client = new Client({ name: "test", version: "1" });
  await client.connect(here);
  return client;
}

describe("@modelcontextprotocol/client", () => {
  test("knows every served tool for one, as it is", async () => {
    const client = await connected(dataOf);
    const listed = await client.listTools();
    expect(listed.tools).toEqual(tools);
    expect(tools.length).toBeGreaterThan(10);
    await client.close();
  });

  test("compiles every schema of every tool", async () => {
    const validator = new AjvJsonSchemaValidator();
    const schema = z.custom<JsonSchemaType>(isSpecType.JSONObject);
    const schemas = z.array(
      z.object({ name: z.string(), inputSchema: schema, outputSchema: schema.optional() }),
    );
    for (const { name, inputSchema, outputSchema } of schemas.parse(await servedTools("mcp"))) {
      expect(() => validator.getValidator(inputSchema), name).not.toThrow();
      if (outputSchema !== undefined) expect(() => validator.getValidator(outputSchema), name).not.toThrow();
    }
  });

  test.each([
    ["get_realtime_price", { symbol: "NVDA.US", fields: ["price"] }],
    ["get_order_book", { symbol: "700.HK", depth: 2 }],
    ["get_kline", { symbol: "AAPL.US", interval: "1d", limit: 2 }],
    ["convert_currency", { amount: 100, from: "USD", to: "CNY" }],
  ])("finds the result of %s to be what its output schema says", async (name, given) => {
    const client = await connected(dataOf);
    await client.listTools();
    const { structuredContent } = await client.callTool({ name, arguments: given });
    expect(structuredContent).toEqual(expect.any(Object));
    await client.close();
  });

  test("refuses a result that is something else", async () => {
    const client = await connected(async () => ({ symbol: 7 }));
    await client.listTools();
    const call = client.callTool({ name: "get_order_book", arguments: { symbol: "700.HK" } });
    await expect(call).rejects.toThrow("output schema");
    await client.close();
  });
});
