import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { runLoad } from "../../scripts/bench/load.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no address.");
  return `http://127.0.0.1:${address.port}/place`;
}

const post = { method: "POST", headers: { "x-key": "k" }, body: "question" } as const;

describe("load", () => {
  test("is the same request again and again, over so many connections", async () => {
    const seen = new Set<string>();
    const sockets = new Set<unknown>();
    let received = 0;
    const url = await serve(async (request, response) => {
      sockets.add(request.socket);
      received += 1;
      const [chunk] = await once(request, "data");
      seen.add(`${request.method} ${request.url} ${request.headers["x-key"]} ${chunk}`);
      response.end("answer");
    });
    const { requests, requestsPerSecond, medianMs, seconds } = await runLoad({ url, ...post }, 3, 0.2);
    expect([...seen]).toEqual(["POST /place k question"]);
    expect(sockets.size).toBe(3);
    // Those that were under way when the time was up have no reply.
    expect(received - requests).toBeLessThanOrEqual(3);
    expect(requestsPerSecond).toBeCloseTo(requests / seconds);
    expect(medianMs).toBeGreaterThan(0);
  });

  test("a single reply that is no success spoils the measurement", async () => {
    let received = 0;
    const url = await serve((_request, response) => {
      received += 1;
      response.statusCode = received === 2 ? 429 : 200;
      response.end();
    });
    await expect(runLoad({ url, ...post }, 2, 0.3)).rejects.toThrow(/\d × 200, 1 × 429/);
  });

  test("a redirect is no success either", async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: "/" }).end());
    await expect(runLoad({ url, ...post }, 2, 0.1)).rejects.toThrow(/\d+ × 302/);
  });

  test("a server that nobody reaches fails the measurement", async () => {
    const { port, close } = await takenPort();
    close();
    await expect(runLoad({ url: `http://127.0.0.1:${port}`, ...post }, 1, 0.1)).rejects.toThrow("no reply");
  });
});

async function takenPort(): Promise<{ port: number; close: () => void }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, close: () => server.close() };
}
