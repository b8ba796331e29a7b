/**
 * The closed sets of words that skills, records and replies are written in. They stand apart from the schemas
 * of `ir.ts` so that the worker, which needs the words but validates no record, does not bundle the schemas.
 */

/** Changes whenever the meaning of a stored record changes; a record of another version is compiled again. */
export const IR_VERSION = 9;

/** How a list becomes part of a query string: `a,b`, `k=a&k=b`, `k[]=a&k[]=b`, `a|b`. */
export const queryStyleNames = ["csv", "repeat", "brackets", "pipe"] as const;

/**
 * What tenants may put in the place of a bundled skill: anything, another text around its protocol, or nothing.
 */
export const overridableNames = ["all", "prose", "none"] as const;
export type Overridable = (typeof overridableNames)[number];

/** The methods that a request may have. */
export const methodNames = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** How a request's body is written. */
export const bodyEncodingNames = ["json", "form", "text"] as const;

/** Whom a cached result may be given to. */
export const cacheScopeNames = ["shared", "tenant"] as const;

/** What an upstream's own error code may mean. */
export const upstreamErrorKindNames = [
  "rate_limited",
  "quota_exhausted",
  "unauthenticated",
  "not_found",
  "invalid",
  "unavailable",
] as const;
export type UpstreamErrorKind = (typeof upstreamErrorKindNames)[number];

/**
 * Those of them that may be given again like a result: answers to the arguments. The others tell of the moment or of
 * the credential, and the next call may find them over.
 */
export const keptErrorKindNames = ["not_found", "invalid"] as const satisfies readonly UpstreamErrorKind[];

/**
 * Why the gathering of pages ended before the last one: the declared number, the bytes of a reply, the time or the
 * requests of a call, a limit on calls, or a page that led to itself.
 */
export const pagesStopNames = ["max_pages", "bytes", "deadline", "requests", "limits", "repetition"] as const;
export type PagesStop = (typeof pagesStopNames)[number];

/** How the pause between attempts grows. */
export const backoffStrategyNames = ["exponential_jitter", "exponential", "fixed"] as const;

/** The windows that a limit may have. */
export const windowNames = ["minute", "day"] as const;
export type WindowName = (typeof windowNames)[number];

/**
 * A window that calls are counted in. A minute is the same everywhere; a day is that of a time zone (`day@Asia/Shanghai`),
 * and of UTC where it names none. It is one word because counters are named by it.
 */
export type Window = WindowName | `day@${string}`;

/** The day of a time zone. */
export function dayIn(timeZone: string): Window {
  return timeZone === "UTC" ? "day" : `day@${timeZone}`;
}

/** The kind of a window. */
export function windowNameOf(window: Window): WindowName {
  return window === "minute" ? "minute" : "day";
}

/** The time zone in which a window begins. */
export function timeZoneOf(window: Window): string {
  return window.startsWith("day@") ? window.slice("day@".length) : "UTC";
}

/** What a key may do, besides the permissions that skills and functions ask for. */
export const scopeNames = ["skills:read", "skills:write", "invoke", "admin"] as const;
export type ScopeName = (typeof scopeNames)[number];

/** The known categories, in the order in which an index shows them; any other comes after these. */
export const categoryNames: readonly string[] = [
  "data-source",
  "strategy",
  "analysis",
  "asset-class",
  "crypto",
  "flow",
  "tool",
  "other",
];

/** The encodings of a function that a record carries ready-made. */
export const encodingNames = ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const;
export type EncodingName = (typeof encodingNames)[number];

/** The providers' formats that tools can be had in. */
export const dialectNames = [...encodingNames, "deepseek"] as const;
export type DialectName = (typeof dialectNames)[number];

/** The formats in which calls of models are understood: those of providers, and plain text that holds them. */
export const callFormatNames = [
  "openai",
  "openai-responses",
  "anthropic",
  "gemini",
  "deepseek",
  "text",
] as const;
export type CallFormatName = (typeof callFormatNames)[number];

/** The encoding that a dialect's tools have; DeepSeek takes OpenAI's as they are. */
export const encodingOf: Readonly<Record<DialectName, EncodingName>> = {
  openai: "openai",
  "openai-responses": "openai-responses",
  anthropic: "anthropic",
  gemini: "gemini",
  mcp: "mcp",
  deepseek: "openai",
};

/**
 * Headers that decide how a message is framed and by whom it is handled (RFC 9110, 7.6.1): never a skill's to
 * set.
 */
export const framingHeaderNames = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
] as const;

/** Headers that carry credentials: only the sender attaches them, after planning. */
export const credentialHeaderNames = ["authorization", "cookie", "proxy-authorization"] as const;

/** A header's name: a token (RFC 9110, section 5.1). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A header's value (RFC 9110, section 5.5), without the obsolete bytes above ASCII, which receivers read differently. */
export const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
