/** What each fault does, as middleware around the rest of the chain. */
import type { Context, MiddlewareHandler } from "hono";

const CHUNK_BYTES = 64 * 1024;

/** Statuses of replies that have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304]);

type Bytes = AsyncIterable<Uint8Array>;

export function delay(milliseconds: number): MiddlewareHandler {
  return async (c, next) => {
    await wait(milliseconds, c.req.raw.signal);
    await next();
  };
}

/** Headers and the first byte go out at once, every further byte after a pause. */
export function drip(milliseconds: number): MiddlewareHandler {
  return changeBody(async function* (body, signal) {
    for await (const chunk of body) {
      for (const byte of chunk) {
        yield Uint8Array.of(byte);
        await wait(milliseconds, signal);
      }
    }
  });
}

/** A body that fails before its first byte, so that nothing is sent at all, headers included. */
export const drop: MiddlewareHandler = async () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.error(new Error("The sandbox dropped the connection, as ordered.")),
    }),
  );

/** Sends headers and half of the body, and fails. */
export const cut: MiddlewareHandler = changeBody(async function* (body, signal) {
  for await (const chunk of body) {
    yield chunk.subarray(0, Math.ceil(chunk.length / 2));
    // node:http holds a write back until the end of the turn; without a pause the first half would be lost.
    await wait(1, signal);
    throw new Error("The sandbox cut the body, as ordered.");
  }
});

/** Sets a header of whatever reply there is. */
export function header(name: string): (value: string) => MiddlewareHandler {
  return (value) => async (c, next) => {
    await next();
    c.header(name, value);
  };
}

/** Says failure in the body while the status stays what it is: 200 for a good request. */
export function businessCode(code: number): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.res = Response.json(envelope(code), { status: WITHOUT_BODY.has(c.res.status) ? 200 : c.res.status });
  };
}

export function redirect(location: string): MiddlewareHandler {
  return async (c) => c.redirect(location);
}

export const empty: MiddlewareHandler = async (c: Context) =>
  c.body(null, 200, { "Content-Type": "application/json" });

/** Streams a valid envelope of exactly so many bytes, without saying its length beforehand. */
export function huge(bytes: number): MiddlewareHandler {
  return async () => new Response(bigEnvelope(bytes), { headers: { "Content-Type": "application/json" } });
}

export function status(code: number): MiddlewareHandler {
  const body = WITHOUT_BODY.has(code) ? null : JSON.stringify(envelope(code));
  return async () => new Response(body, { status: code, headers: { "Content-Type": "application/json" } });
}

function changeBody(change: (body: Bytes, signal: AbortSignal) => Bytes): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { body, status, headers } = c.res;
    if (body !== null) c.res = new Response(change(body, c.req.raw.signal), { status, headers });
  };
}

async function* bigEnvelope(bytes: number): Bytes {
  const encoder = new TextEncoder();
  const head = encoder.encode('{"code":0,"message":"success","data":"');
  const tail = encoder.encode('"}');
  const filler = encoder.encode("x".repeat(CHUNK_BYTES));
  yield head;
  let left = bytes - head.length - tail.length;
  for (; left > 0; left -= CHUNK_BYTES) yield filler.subarray(0, left);
  yield tail;
}

function envelope(code: number): { code: number; message: string; data: null } {
  return { code, message: "This fault was ordered.", data: null };
}

/** Waits, but no longer than the caller does. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
