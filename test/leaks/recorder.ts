import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands between a gateway and whoever calls it, be it a test, a provider's client or curl. */
export interface Recorder {
  /** Without a slash at the end. */
  url: string;
  close(): void;
}

/**
 * Passes requests on to a port of this machine, and writes every reply to a file before it is given back: status,
 * headers and body, after the request's method and path.
 */
export async function startRecorder(port: number, file: string): Promise<Recorder> {
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, port, file));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => close(server) };
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, port: number, file: string): void {
  const { method, url: path } = incoming;
  // What was compressed could not be searched.
  const { "accept-encoding": _, ...headers } = incoming.headers;
  const passed = request({ host: "127.0.0.1", port, method, path, headers }, (reply) => {
    const chunks: Buffer[] = [];
    reply.on("data", (chunk: Buffer) => chunks.push(chunk));
    reply.once("close", () => {
      const head = [`${method} ${path}`, String(reply.statusCode), ...reply.rawHeaders].join("\n");
      appendFileSync(file, Buffer.concat([Buffer.from(`${head}\n\n`), ...chunks, Buffer.from("\n\n")]));
    });
    outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
    reply.pipe(outgoing);
  });
  passed.once("error", () => outgoing.destroy());
  outgoing.once("close", () => passed.destroy());
  incoming.pipe(passed);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}
