import { describe, expect, test } from "vitest";
import type { ModelCall } from "../../src/dialect/calls/index.ts";
import { answerCalls } from "../../src/http/calling/answer.ts";
import type { Gateway } from "../../src/http/gateway.ts";
import { LimitReport } from "../../src/invoke/index.ts";
import type { JsonValue } from "../../src/json.ts";
import {
  MAX_CALL_REQUESTS,
  MAX_CALLS_RESULT_CHARACTERS,
  MAX_CHAIN_CALLS,
  MAX_PARALLEL_REQUESTS,
} from "../../src/limits.ts";
import { Place } from "../store/place.ts";
import { CALLER, gatewayOver, NO_SECRETS } from "./gateway.ts";

/** A gateway whose upstream is a function. */
async function gatewayTo(upstream: (url: string) => Promise<Response>): Promise<Gateway> {
  const gateway = await gatewayOver(new Place().isolate());
  const invocation: Gateway["invocation"] = {
    ...gateway.invocation,
    fetch: (input) => upstream(String(input instanceof Request ? input.url : input)),
    egress: { allow: [], deny: [], allowLoopback: false },
    secrets: { ...NO_SECRETS, secretFor: () => ({ ok: true, value: "key" }) },
  };
  return { ...gateway, invocation };
}

async function answer(gateway: Gateway, calls: readonly ModelCall[], maxCharacters = 10_000) {
  const caller = {
    requestId: "request-1",
    caller: CALLER,
    limits: new LimitReport(),
    catalog: gateway.catalogFor(CALLER),
    signal: new AbortController().signal,
    format: null,
  };
  const answered = await answerCalls(calls, maxCharacters, caller, gateway);
  if (!answered.ok) throw new Error(answered.failure.code);
  return answered.value;
}

function bookOf(symbol: string): ModelCall {
  return { id: symbol, name: "get_order_book", arguments: { ok: true, value: { symbol } } };
}

function symbols(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `X${index}.US`);
}

/** An order book as the upstream writes it. */
function book(url: string): Response {
  const symbol = new URL(url).searchParams.get("symbol") ?? new URL(url).searchParams.get("symbols");
  const data: JsonValue = { symbol, timestamp: 1, bids: [], asks: [] };
  return Response.json({ code: 0, message: "ok", data });
}

describe("calls that are made together", () => {
  test("are under way together, as many as a worker has connections, and answered in their order", async () => {
    const waiting: (() => void)[] = [];
    let underWay = 0;
    let most = 0;
    const gateway = await gatewayTo(async (url) => {
      underWay += 1;
      most = Math.max(most, underWay);
      // Nobody is answered before so many have asked: one after the other they would wait for ever.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === MAX_PARALLEL_REQUESTS) for (const go of waiting.splice(0).reverse()) go();
      });
      underWay -= 1;
      return book(url);
    });
    const wanted = symbols(2 * MAX_PARALLEL_REQUESTS);
    const answers = await answer(gateway, wanted.map(bookOf));
    expect(most).toBe(MAX_PARALLEL_REQUESTS);
    expect(answers.map(({ call, isFailure }) => [call.id, isFailure])).toEqual(
      wanted.map((symbol) => [symbol, false]),
    );
  });

  test("share the requests that one call may lead to, with their retries", async () => {
    let requests = 0;
    const gateway = await gatewayTo(async () => {
      requests += 1;
      return Response.json({ code: 3001 }, { status: 429, headers: { "Retry-After": "0" } });
    });
    const answers = await answer(gateway, symbols(MAX_CHAIN_CALLS).map(bookOf));
    expect(answers.every(({ isFailure }) => isFailure)).toBe(true);
    expect(requests).toBe(MAX_CALL_REQUESTS);
  });

  test("share one deadline, and those that are left over then are answered too", async () => {
    let now = 0;
    const gateway = await gatewayTo(async (url) => {
      now += 10_000;
      return book(url);
    });
    const late: Gateway = {
      ...gateway,
      now: () => now,
      invocation: { ...gateway.invocation, now: () => now },
    };
    const answers = await answer(late, symbols(10).map(bookOf));
    const failures = answers.map(({ failure }) => failure);
    expect(failures).toContain(null);
    expect(failures).toContain("UPSTREAM_TIMEOUT");
    expect(answers).toHaveLength(10);
  });

  test("are looked for by no more of a name than names have, and no more of them than are made", async () => {
    const gateway = await gatewayTo(async () => Response.error());
    const name = "get_".repeat(100_000);
    const calls = Array.from({ length: 5_000 }, (_, index) => ({
      ...bookOf("X.US"),
      name: index === 0 ? name : "get_book",
    }));
    const [first, ...others] = await answer(gateway, calls);
    expect(first?.content.error).toBe(`There is no function named ${name.slice(0, 63)}….`);
    const failures = others.map(({ failure }) => failure);
    expect(failures.slice(0, MAX_CHAIN_CALLS - 1)).toEqual(
      Array.from({ length: MAX_CHAIN_CALLS - 1 }, () => "UNKNOWN_FUNCTION"),
    );
    expect(new Set(failures.slice(MAX_CHAIN_CALLS - 1))).toEqual(new Set(["TOO_MANY_CALLS"]));
  });

  test.each([
    [1, 300_000],
    [4, 300_000],
    [20, MAX_CALLS_RESULT_CHARACTERS / 20],
  ])("share what a model is given of them, however much is asked for: %d calls", async (count, most) => {
    const data = { symbol: "x".repeat(299_953), timestamp: 1, bids: [], asks: [] };
    const gateway = await gatewayTo(async () => Response.json({ code: 0, message: "ok", data }));
    for (const { content } of await answer(gateway, symbols(count).map(bookOf), 1_000_000)) {
      const size = JSON.stringify(content.data).length;
      expect(size).toBeLessThanOrEqual(most);
      expect(size).toBeGreaterThan(0.9 * most);
    }
  });

  test("of nothing ask nobody", async () => {
    const gateway = await gatewayTo(async () => Response.error());
    expect(await answer(gateway, [])).toEqual([]);
  });
});
