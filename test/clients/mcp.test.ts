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
import { outcomeOf, servedTools } from "./gateway.ts";

let tools: Tool[] = [];
beforeAll(async () => {
  tools = z.array(z.custom<Tool>(isSpecType.Tool)).parse(await servedTools("mcp"));
});

type Answered = Awaited<ReturnType<typeof outcomeOf>>;

/** A client of a server that lists the tools as they are served and answers calls with what a function gave. */
async function connected(answerOf: (name: string, given: unknown) => Promise<Answered>): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const call = z.object({ name: z.string(), arguments: z.unknown() });
  const answers = new Map<string, (given: unknown) => Promise<Record<string, unknown>>>([
    ["tools/list", async () => ({ tools })],
    [
      "tools/call",
      async (given) => {
        const { name, arguments: args } = call.parse(given);
        const { data, failure } = await answerOf(name, args);
        const text = JSON.stringify(failure ?? data);
        const content = [{ type: "text", text }];
        return failure === null ? { content, structuredContent: data } : { content, isError: true };
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
    const client = await connected(outcomeOf);
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
    const client = await connected(outcomeOf);
    await client.listTools();
    const { structuredContent } = await client.callTool({ name, arguments: given });
    expect(structuredContent).toEqual(expect.any(Object));
    await client.close();
  });

  test.each<[string, string, unknown, string]>([
    ["that the data does not cover", "get_order_book", { symbol: "SPX.IDX" }, "NOT_COVERED"],
    ["whose arguments do not fit", "get_order_book", { symbol: 7 }, "INVALID_ARGUMENTS"],
    ["of a tool that nobody has", "get_book", {}, "UNKNOWN_FUNCTION"],
  ])("takes the failure of a call for its result, whatever results are: one %s", async (_what, ...call) => {
    const [name, given, code] = call;
    const client = await connected(outcomeOf);
    await client.listTools();
    const args = z.record(z.string(), z.unknown()).parse(given);
    const { isError, content } = await client.callTool({ name, arguments: args });
    expect(isError).toBe(true);
    const [told] = z.tuple([z.object({ text: z.string() })]).parse(content);
    expect(JSON.parse(told.text)).toMatchObject({ error_code: code, hint: expect.stringMatching(/\S/) });
    await client.close();
  });

  test("refuses a result that is something else", async () => {
    const client = await connected(async () => ({ data: { symbol: 7 }, failure: null }));
    await client.listTools();
    const call = client.callTool({ name: "get_order_book", arguments: { symbol: "700.HK" } });
    await expect(call).rejects.toThrow("output schema");
    await client.close();
  });
});
