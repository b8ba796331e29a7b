import { readBody } from "../body.ts";
import { failed, type Result, success } from "../errors.ts";

/** Reads a request's body and stops at the cap, so that nobody can make the gateway hold more. */
export async function readBytes(
  request: Request,
  limitBytes: number,
  what: string,
): Promise<Result<Uint8Array>> {
  const bytes = await readBody(request, limitBytes);
  return bytes === null ? failed({ code: "PAYLOAD_TOO_LARGE", what, limitBytes }) : success(bytes);
}

const STRICT_UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** Reads a request's body as UTF-8 text, to the cap. */
export async function readText(request: Request, limitBytes: number, what: string): Promise<Result<string>> {
  const bytes = await readBytes(request, limitBytes, what);
  if (!bytes.ok) return bytes;
  try {
    return success(STRICT_UTF_8.decode(bytes.value));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed({ code: "INVALID_REQUEST", message: `${what} is not UTF-8 text.`, faults: [] });
  }
}
