/** The conversation that every client has, and what it has to lead to. */
import { expect } from "vitest";
import { asked } from "./gateway.ts";
import type { Answer, ReceivedRequest, Turn } from "./model-server.ts";

export const QUESTION = "What does Nvidia cost, and who presses harder on the S&P 500?";
export const LAST_WORD = "Nvidia's price is above. An index has no order book; Tencent's is above instead.";

/** A price and an order book that does not exist, side by side; a better order book; the last word. */
export const script: readonly Turn[] = [
  {
    calls: [
      { name: "get_realtime_price", input: { symbol: "NVDA.US", fields: ["price"] } },
      { name: "get_order_book", input: { symbol: "SPX.IDX" } },
    ],
  },
  { calls: [{ name: "get_order_book", input: { symbol: "700.HK", depth: 2 } }] },
  { text: LAST_WORD },
];

/** The same from a model that is held to a strict schema: what may be left out is null. */
export const strictScript: readonly Turn[] = [
  {
    calls: [
      { name: "get_realtime_price", input: { symbol: "NVDA.US", fields: null } },
      { name: "get_order_book", input: { symbol: "SPX.IDX", depth: null } },
    ],
  },
  { calls: [{ name: "get_order_book", input: { symbol: "700.HK", depth: 2 } }] },
  { text: LAST_WORD },
];

/** How a provider shows a model that a call failed, and whether its calls have ids. */
export interface Telling {
  flag: boolean | null;
  ids: boolean;
}

/** Holds what the model was told, turn by turn, and what upstreams were asked against the script. */
export async function expectWholeLoop(requests: readonly ReceivedRequest[], telling: Telling): Promise<void> {
  const price = { data: expect.objectContaining({ symbol: "NVDA.US" }) };
  const refusal = expect.objectContaining({ error_code: "NOT_COVERED", retryable: false });
  const level = { price: expect.any(Number), size: expect.any(Number) };
  const book = { data: expect.objectContaining({ symbol: "700.HK", bids: [level, level] }) };
  const answer = (id: string, name: string, content: unknown, isFailure = false): Answer => ({
    id: telling.ids ? id : null,
    name,
    content,
    isError: telling.flag === null ? null : isFailure,
  });
  expect(requests.map(({ answers }) => answers)).toEqual([
    [],
    [answer("call_1_1", "get_realtime_price", price), answer("call_1_2", "get_order_book", refusal, true)],
    [answer("call_2_1", "get_order_book", book)],
  ]);
  for (const { tools } of requests) {
    expect(tools).toEqual(expect.arrayContaining(["get_realtime_price", "get_order_book"]));
  }
  expect(await asked()).toEqual([
    "/v1/market/ticker?symbols=NVDA.US",
    "/v1/market/depth?symbol=700.HK&limit=2",
  ]);
}
