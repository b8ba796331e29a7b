/**
 * An upstream that costs next to nothing: one prepared reply for everybody who has the key. As a process of its
 * own, which hands its port to the one that started it and ends with it.
 */
import { createServer } from "node:http";

/** What the upstream is told by the process that starts it. */
export interface UpstreamOrders {
  /** The path and query that it answers. */
  target: string;
  key: string;
  body: string;
}

process.once("disconnect", () => process.exit());
process.once("message", serve);

function serve({ target, key, body }: UpstreamOrders): void {
  const reply = Buffer.from(body);
  const headers = { "content-type": "application/json", "content-length": reply.length };
  const server = createServer((request, response) => {
    if (request.url === target && request.headers["x-api-key"] === key)
      response.writeHead(200, headers).end(reply);
    else response.writeHead(400, { "content-length": 0 }).end();
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.(address);
  });
}
