/** The only place that calls an upstream. */
import { readBody } from "../../body.ts";
import { type Failure, failed, type Result, success } from "../../errors.ts";
import type { Method } from "../../ir.ts";
import { credentialHeaderNames, framingHeaderNames, HEADER_NAME } from "../../vocabulary.ts";
import { decodeBody, unparsable } from "./decode.ts";
import { checkEgress, type EgressPolicy } from "./guard.ts";
import { withoutParameters, withParameters } from "./query.ts";
import { type Credential, NO_CREDENTIAL, type UpstreamReply, type UpstreamRequest } from "./request.ts";
import { scrubberFor, scrubFailure, scrubReply } from "./scrub.ts";

export interface SendDependencies {
  fetch: typeof fetch;
  egress: EgressPolicy;
  /** The caller's own: when it fires, the attempt ends. */
  signal: AbortSignal | null;
  /** Redirects that are followed, each checked again. */
  maxRedirects: number;
  /** Asked before a redirect is followed, which is one more request; its failure is that of the attempt. */
  admitRedirect(): Promise<Result<null>>;
}

/**
 * Sends a planned request and reads the reply. Any HTTP status is a reply; what it means is not decided here.
 *
 * Fails with EGRESS_DENIED (the address, or that of a redirect, is not allowed), UPSTREAM_TIMEOUT (also while
 * the body is read), UPSTREAM_UNAVAILABLE with status null (no connection, or it broke), UPSTREAM_TOO_LARGE
 * and UPSTREAM_UNPARSABLE. When the caller's signal fires, that is UPSTREAM_UNAVAILABLE too and its message
 * says so; the signal tells the two apart. Secrets are scrubbed from the reply and from every failure.
 */
export async function send(
  request: UpstreamRequest,
  credential: Credential,
  dependencies: SendDependencies,
): Promise<Result<UpstreamReply>> {
  const scrubber = scrubberFor(credential.secrets);
  const cutoff = startCutoff(request.timeoutMs, dependencies.signal);
  try {
    const { url, method, headers, body } = request;
    const followed = await follow({ url, method, headers, body, credential }, dependencies, cutoff);
    const reply = followed.ok ? await readReply(followed.value, request.maxResponseBytes, cutoff) : followed;
    return reply.ok
      ? success(scrubReply(reply.value, scrubber))
      : failed(scrubFailure(reply.failure, scrubber));
  } finally {
    cutoff.release();
  }
}

/**
 * Headers that belong to the gateway or to the transport. A request's own ones of these names are not sent:
 * the credential is the only source of the first group, and the rest would let a skill forge how a message is
 * framed.
 */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([...credentialHeaderNames, ...framingHeaderNames]);

/** Whether a request header of this name is the gateway's alone to set. */
export function isReservedHeader(name: string): boolean {
  return RESERVED_HEADERS.has(name.toLowerCase());
}

/** One request of a chain of redirects. */
interface Hop {
  url: string;
  method: Method;
  headers: UpstreamRequest["headers"];
  body: string | null;
  credential: Credential;
}

/** A response, and the origin that it is from. */
interface Followed {
  response: Response;
  origin: string;
}

/** The first response that is no redirect to follow. */
async function follow(first: Hop, dependencies: SendDependencies, cutoff: Cutoff): Promise<Result<Followed>> {
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const url = sendable(hop, dependencies.egress);
    if (!url.ok) return url;
    const admission = redirects === 0 ? success(null) : await dependencies.admitRedirect();
    if (!admission.ok) return admission;
    const response = await sendHop(hop, url.value, dependencies, cutoff);
    if (!response.ok) return response;
    const { status } = response.value;
    const location = REDIRECTS.has(status) ? response.value.headers.get("location") : null;
    if (location === null) return success({ response: response.value, origin: url.value.origin });
    const { body } = response.value;
    const discarded = await settle(async () => body?.cancel(), cutoff, BROKEN);
    if (!discarded.ok) return discarded;
    if (redirects === dependencies.maxRedirects)
      return failed(unparsable(tooManyRedirects(redirects), status));
    const target = URL.parse(location, hop.url);
    if (target === null) return failed(unparsable("it redirects to something that is no URL", status));
    hop = nextHop(hop, status, target);
  }
}

function tooManyRedirects(followed: number): string {
  return followed === 0
    ? "it redirects, which is not followed here"
    : `it redirects more than ${followed} times`;
}

/** Where a request goes, if it may be sent. */
function sendable(hop: Hop, egress: EgressPolicy): Result<URL> {
  const url = checkEgress(hop.url, egress);
  if (!url.ok) return url;
  const reason = unsendable(hop);
  return reason === null ? url : failed({ code: "EGRESS_DENIED", host: url.value.host, reason });
}

async function sendHop(
  hop: Hop,
  url: URL,
  { fetch }: SendDependencies,
  cutoff: Cutoff,
): Promise<Result<Response>> {
  const { method, body, credential } = hop;
  const init: RequestInit = {
    method,
    headers: outgoingHeaders(hop),
    body,
    redirect: "manual",
    // The edge's cache is keyed by URL alone; a reply to one credential must not be served to another.
    cache: "no-store",
    signal: cutoff.signal,
  };
  const address = withParameters(url, credential.query);
  // Called as a plain function: workerd refuses a `fetch` that is called as some other object's method.
  return settle(() => fetch(address, init), cutoff, NO_REPLY);
}

/** Visible ASCII, blanks and obs-text (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a header can carry a value, without the blanks and line breaks around it, which are not sent. */
export function isHeaderValue(value: string): boolean {
  return HEADER_VALUE.test(value.trim());
}

/**
 * What no runtime would send, told apart here because `fetch` reports it like a broken network. Values are
 * not quoted.
 */
function unsendable({ method, headers, body, credential }: Hop): string | null {
  if (body !== null && (method === "GET" || method === "HEAD")) return `a ${method} request carries no body`;
  for (const [name, value] of [...headers, ...credential.headers]) {
    if (!HEADER_NAME.test(name)) return "a header's name has characters that HTTP does not allow";
    if (!isHeaderValue(value)) return `the header ${name} has characters that HTTP does not allow`;
  }
  return null;
}

/** Those of the request, except for what the credential sets, and those of the credential. */
function outgoingHeaders({ headers, credential }: Hop): [string, string][] {
  const set = new Set(credential.headers.map(([name]) => name.toLowerCase()));
  const own = headers.filter(([name]) => !isReservedHeader(name) && !set.has(name.toLowerCase()));
  return [...own, ...credential.headers].map(([name, value]) => [name, value.trim()]);
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What another origin may know: how to answer, not whom or what about. */
const CROSS_ORIGIN_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/**
 * The request that a redirect asks for (Fetch Standard, "HTTP-redirect fetch"). Another origin gets neither
 * credential nor body nor any header but those that negotiate content, and once dropped they stay dropped.
 */
function nextHop(hop: Hop, status: number, target: URL): Hop {
  const method = methodAfter(status, hop.method);
  if (new URL(hop.url).origin !== target.origin) {
    const url = withoutParameters(target, hop.credential.query);
    const headers = hop.headers.filter(([name]) => CROSS_ORIGIN_HEADERS.has(name.toLowerCase()));
    return { url, method, headers, body: null, credential: NO_CREDENTIAL };
  }
  if (method === hop.method) return { ...hop, url: target.href };
  const headers = hop.headers.filter(([name]) => !name.toLowerCase().startsWith("content-"));
  return { ...hop, url: target.href, method, headers, body: null };
}

function methodAfter(status: number, method: Method): Method {
  const becomesGet =
    status === 303 ? method !== "HEAD" : method === "POST" && (status === 301 || status === 302);
  return becomesGet ? "GET" : method;
}

async function readReply(
  { response, origin }: Followed,
  limitBytes: number,
  cutoff: Cutoff,
): Promise<Result<UpstreamReply>> {
  const { status } = response;
  const bytes = await settle(() => readBody(response, limitBytes), cutoff, BROKEN);
  if (!bytes.ok) return bytes;
  if (bytes.value === null) {
    return failed({
      code: "UPSTREAM_TOO_LARGE",
      upstream: { status, code: null, message: null },
      limitBytes,
    });
  }
  const decoded = decodeBody(bytes.value, response.headers.get("content-type"), status);
  if (!decoded.ok) return decoded;
  const { headers } = response;
  return success({ origin, status, headers, bytes: bytes.value.length, ...decoded.value });
}

/** What ends an attempt from outside: its time, or the caller. */
interface Cutoff {
  signal: AbortSignal;
  /** Why the attempt was ended, or null where it was not. */
  failure(): Failure | null;
  /** Lets go of the timer and of the caller's signal. */
  release(): void;
}

function startCutoff(timeoutMs: number, caller: AbortSignal | null): Cutoff {
  const controller = new AbortController();
  let failure: Failure | null = null;
  const end = (reason: Failure) => {
    failure ??= reason;
    controller.abort();
  };
  const cancel = () => end(callerGone());
  const timer = setTimeout(() => end({ code: "UPSTREAM_TIMEOUT", timeoutMs }), timeoutMs);
  if (caller?.aborted) cancel();
  caller?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    failure: () => failure,
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", cancel);
    },
  };
}

const NO_REPLY = "no connection, or it broke before the reply";
const BROKEN = "the connection broke in the middle of the reply";

/**
 * Runs one piece of network I/O and makes its rejection a failure. Runtimes reject with anything (TypeError,
 * Error, DOMException) and in words of their own, so the kind of error says nothing that is not said here
 * better.
 */
async function settle<T>(io: () => Promise<T>, cutoff: Cutoff, message: string): Promise<Result<T>> {
  try {
    return success(await io());
  } catch {
    return failed(cutoff.failure() ?? unavailable(message));
  }
}

/** What a call comes to whose caller has gone. */
export function callerGone(): Failure {
  return unavailable("the caller ended the call");
}

function unavailable(message: string): Failure {
  return {
    code: "UPSTREAM_UNAVAILABLE",
    upstream: { status: null, code: null, message },
    retryAfterMs: null,
  };
}
