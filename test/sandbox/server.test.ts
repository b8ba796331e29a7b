import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { startSandbox } from "../../scripts/sandbox/server.ts";
import { KEY, started } from "./started.ts";

describe("the record of requests", () => {
  test("holds what was received, in order, with the names of all headers and the values of harmless ones", async () => {
    const { sandbox, ask } = await started({ now: () => 1_000 });
    await ask("/v1/market/ticker?symbols=NVDA.US%2CAAPL.US", {
      headers: { "X-API-Key": KEY, Traceparent: "00-abc", Authorization: "Bearer secret" },
    });
    await ask("/nowhere", { method: "POST", body: "{}" });
    const { count, requests } = sandbox.requests();
    expect(count).toBe(2);
    expect(requests).toMatchObject([
      {
        time: 1_000,
        method: "GET",
        path: "/v1/market/ticker",
        query: "symbols=NVDA.US%2CAAPL.US",
        headerNames: expect.arrayContaining(["authorization", "traceparent", "x-api-key"]),
        headers: { traceparent: "00-abc" },
      },
      { method: "POST", path: "/nowhere", query: "" },
    ]);
    expect(JSON.stringify(requests)).not.toMatch(new RegExp(`${KEY}|secret`));
  });

  test("is read and cleared over HTTP, and does not hold such requests themselves", async () => {
    const { sandbox, ask } = await started();
    await ask("/v1/symbols/available");
    expect(JSON.parse((await ask("/__sandbox/requests")).text)).toEqual(sandbox.requests());
    expect(sandbox.requests().count).toBe(1);
    expect((await ask("/__sandbox/requests", { method: "DELETE" })).status).toBe(204);
    expect(sandbox.requests()).toEqual({ count: 0, requests: [] });
  });
});

describe("the server", () => {
  test("answers on the address it names", async () => {
    const { sandbox, ask } = await started();
    expect(sandbox.url).toBe(`http://127.0.0.1:${sandbox.port}`);
    expect((await ask("/")).status).toBe(404);
  });

  test("does not start on a port that is taken, and says why", async () => {
    const { sandbox } = await started();
    await expect(startSandbox({ port: sandbox.port })).rejects.toThrow("EADDRINUSE");
  });

  test.each(["delay=600000", "drip=600000", "huge=900000000"])(
    "closes at once although a reply is under way: %s",
    async (fault) => {
      const { sandbox } = await started();
      const headers = { "X-API-Key": KEY, "X-Sandbox-Fault": fault };
      const call = fetch(`${sandbox.url}/v1/symbols/available`, { headers }).then((response) =>
        response.text(),
      );
      const outcome = call.then(
        () => "ended",
        () => "failed",
      );
      while (sandbox.requests().count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await sandbox.close();
      expect(await outcome).toBe("failed");
    },
  );

  test.each([
    ["a host that is none", "GET / HTTP/1.1\r\nHost: [\r\n\r\n", /^HTTP\/1.1 400 /],
    [
      "a body that is far too large",
      `PUT /__sandbox/faults HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n${"x".repeat(200_000)}`,
      /^HTTP\/1.1 413 /,
    ],
    ["a method that fetch does not know", "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", /^$/],
  ])("survives %s", async (_, request, reply) => {
    const { sandbox, ask } = await started();
    const socket = connect(sandbox.port, "127.0.0.1");
    socket.write(request);
    expect(await text(socket)).toMatch(reply);
    expect((await ask("/v1/symbols/available")).status).toBe(200);
  });
});
