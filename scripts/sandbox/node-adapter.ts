import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** A fetch-style application, such as a Hono app's `fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The bodies that upstreams and the control routes take are a few lines of JSON. */
const MAX_REQUEST_BYTES = 64 * 1024;

/**
 * Serves a fetch-style application on node:http. The request's signal aborts when the connection closes. An
 * error of the response's body destroys the connection: before the first byte, the caller gets no reply at all.
 */
export function nodeListener(handle: FetchHandler): RequestListener {
  return (incoming, outgoing) => {
    respond(handle, incoming, outgoing).catch((error: Error) => outgoing.destroy(error));
  };
}

async function respond(
  handle: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const url = `http://${incoming.headers.host ?? "localhost"}${incoming.url}`;
  if (!URL.canParse(url)) return refuse(outgoing, 400);
  const body = await readBody(incoming);
  if (body === null) return refuse(outgoing, 413);
  const connection = new AbortController();
  outgoing.once("close", () => connection.abort());
  const response = await handle(
    new Request(url, {
      method: incoming.method ?? "GET",
      headers: receivedHeaders(incoming),
      body: body.length === 0 ? null : body,
      signal: connection.signal,
    }),
  );
  await send(response, outgoing);
}

/** The whole body, or null where it is larger than allowed. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The headers as they were sent; a name that came twice is there twice. */
function receivedHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  return headers;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (response.body === null) outgoing.end();
  else await pipeline(response.body, outgoing);
}

function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { connection: "close" }).end();
}
