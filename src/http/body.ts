import { readBody } from "../body.ts";
import { failed, type Result, success } from "../errors.ts";

/**
 * Reads a request's body as UTF-8 text and stops at the cap, so that nobody can make the gateway hold more.
 */
export async function readText(request: Request, limitBytes: number, what: string): Promise<Result<string>> {
  const bytes = await readBody(request, limitBytes);
  if (bytes === null) return failed({ code: "PAYLOAD_TOO_LARGE", what, limitBytes });
  try {
    return success(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed({ code: "INVALID_REQUEST", message: `${what} is not UTF-8 text.`, faults: [] });
  }
}
