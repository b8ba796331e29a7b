import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { UpstreamOrders } from "../../scripts/bench/upstream.ts";

const orders: UpstreamOrders = { target: "/v1/price?symbol=A.US", key: "k", body: '{"名":"英伟达"}' };

async function started(): Promise<{ child: ChildProcess; origin: string }> {
  const child = fork(fileURLToPath(import.meta.resolve("../../scripts/bench/upstream.ts")));
  onTestFinished(() => void child.kill());
  child.send(orders);
  const [{ port }] = await once(child, "message");
  return { child, origin: `http://127.0.0.1:${port}` };
}

describe("the prepared upstream", () => {
  test("answers the one request that it knows, and only with the key", async () => {
    const { origin } = await started();
    const statusOf = async (path: string, key: string) =>
      (await fetch(origin + path, { headers: { "X-API-Key": key } })).status;
    expect(await statusOf(orders.target, "k")).toBe(200);
    expect(await statusOf(orders.target, "another")).toBe(400);
    expect(await statusOf("/v1/price?symbol=B.US", "k")).toBe(400);
  });

  test("sends the reply byte for byte, labelled as JSON", async () => {
    const { origin } = await started();
    const response = await fetch(origin + orders.target, { headers: { "X-API-Key": "k" } });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe(orders.body);
  });

  test("ends when the process that started it lets go of it", async () => {
    const { child } = await started();
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
