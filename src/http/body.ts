import { failed, type Result, success } from "../errors.ts";

/** Reads a body as UTF-8 text and stops at the cap, so that nobody can make the gateway hold more. */
export async function readText(request: Request, limitBytes: number, what: string): Promise<Result<string>> {
  const tooLarge = failed({ code: "PAYLOAD_TOO_LARGE", what, limitBytes });
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) return tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) return tooLarge;
    chunks.push(chunk);
  }
  try {
    return success(decode(chunks));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed({ code: "INVALID_REQUEST", message: `${what} is not UTF-8 text.`, faults: [] });
  }
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
