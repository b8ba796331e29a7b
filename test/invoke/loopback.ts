import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeEach } from "vitest";
import type { JsonValue } from "../../src/json.ts";

/** A request as it arrived. */
export interface Arrival {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the server answers: JSON of the status 200 unless it says otherwise. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: JsonValue;
}

/** A server of a test's own on this machine, which keeps what arrived. */
export interface Loopback {
  origin: string;
  arrivals: Arrival[];
  /** What it answers from now on. */
  answer: (arrival: Arrival) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

/** A server for all tests of a file, which before each of them forgets what arrived. */
export async function loopbackForTests(): Promise<Loopback> {
  const loopback = await startLoopback();
  afterAll(() => loopback.close());
  beforeEach(() => {
    loopback.arrivals.length = 0;
  });
  return loopback;
}

/** Starts a server, which answers null until it is told otherwise. */
export async function startLoopback(): Promise<Loopback> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "", url = "", headers } = incoming;
    const arrival = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    loopback.arrivals.push(arrival);
    const { status = 200, headers: replied = {}, body = null } = await loopback.answer(arrival);
    outgoing.writeHead(status, { "content-type": "application/json", ...replied });
    outgoing.end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("not listening");
  const loopback: Loopback = {
    origin: `http://127.0.0.1:${address.port}`,
    arrivals: [],
    answer: () => ({}),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
  return loopback;
}
