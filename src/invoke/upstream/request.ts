/** The vocabulary of the outgoing half of a call: what is planned, what the sender adds, what comes back. */
import type { Method } from "../../ir.ts";
import type { JsonValue } from "../../json.ts";

/** A complete HTTP request to an upstream, decided before any I/O. It holds no secret. */
export interface UpstreamRequest {
  method: Method;
  /** Absolute, with its query. */
  url: string;
  /** In the order they are sent; a name may stand more than once. */
  headers: readonly (readonly [string, string])[];
  body: string | null;
  /** Time for the whole attempt in milliseconds: connecting, redirects, headers and body. */
  timeoutMs: number;
  /** Cap on the reply's body, counted after the transfer's compression is undone. */
  maxResponseBytes: number;
}

/** What the sender adds after planning. */
export interface Credential {
  headers: readonly (readonly [string, string])[];
  query: readonly (readonly [string, string])[];
  /** Values to scrub from everything that goes back. */
  secrets: readonly string[];
}

/** For an upstream that asks for none, or that must not get it. */
export const NO_CREDENTIAL: Credential = { headers: [], query: [], secrets: [] };

/** The headers of a reply, by lower-case name; few are ever asked for. */
export interface ReplyHeaders extends Iterable<[string, string]> {
  get(name: string): string | null | undefined;
}

/** What an upstream answered, whatever its status. */
export interface UpstreamReply {
  /** Who answered: where redirects were followed, the origin of the last. */
  origin: string;
  status: number;
  headers: ReplyHeaders;
  body: JsonValue;
  /** How large the body was, with the transfer's compression undone. */
  bytes: number;
  /** `type/subtype` in lower case without parameters; null where the reply names none. */
  mediaType: string | null;
}
