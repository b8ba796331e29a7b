/** A message with a body: a request that came in, or a reply that an upstream gave. */
type Message = Pick<Request, "headers" | "body" | "arrayBuffer">;

/**
 * Reads a body of at most `limitBytes`, or null where it is longer; the rest is then not read. A body whose
 * length was declared is read at once, which on Workers is several times as fast as chunk by chunk; HTTP
 * itself sees to it that such a body is no longer than declared, unless it is compressed. A declaration that
 * is no number counts as none.
 */
export async function readBody(message: Message, limitBytes: number): Promise<Uint8Array | null> {
  const { headers } = message;
  const declared = headers.get("content-length");
  const isCertain = declared !== null && /^\d+$/.test(declared) && !headers.has("content-encoding");
  if (isCertain) return Number(declared) > limitBytes ? null : new Uint8Array(await message.arrayBuffer());
  // Asked for only here, because the runtime makes a stream of a body that is asked for.
  const { body } = message;
  return body === null ? new Uint8Array() : readChunks(body, limitBytes);
}

async function readChunks(body: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array | null> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, size);
    size += value.byteLength;
    if (size > limitBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
