/** Takes the values of secrets out of what an upstream says. */
import type { Failure } from "../../errors.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import type { ReplyHeaders, UpstreamReply } from "./request.ts";
import { MAX_LAYERS, secretPattern } from "./spellings.ts";
import { type Span, unescaped } from "./unescape.ts";

/** What stands where a secret stood. */
const REDACTED = "[redacted]";

/** Replaces secrets wherever they occur; what holds none is returned as it is. */
export interface Scrubber {
  text(text: string): string;
  /** Strings and keys at any depth, and numbers where a secret is one. */
  json(value: JsonValue): JsonValue;
}

/** A scrubber for these values, however they are spelled; empty ones are ignored. */
export function createScrubber(secrets: readonly string[]): Scrubber {
  const { source, shortest } = secretPattern(secrets);
  const [any, every] = [new RegExp(source, "i"), new RegExp(source, "gi")];
  // Most texts of a reply are shorter than any secret.
  const occursIn = (given: string) => given.length >= shortest && occurs(any, given, MAX_LAYERS);
  const text = (given: string) =>
    occursIn(given) ? withoutSpans(given, spansOf(every, given, MAX_LAYERS)) : given;
  const walk: Walk = { occursIn, text, readsNumbers: secrets.some((secret) => /^\d+$/.test(secret.trim())) };
  return {
    text,
    // Looking first costs a tenth of rebuilding, and replies that echo a secret are rare.
    json: (value) => (holdsSecret(value, walk) ? scrubbed(value, walk) : value),
  };
}

/** Whether a pattern occurs in a text, or in what is left of it where so many layers of escapes are undone. */
function occurs(pattern: RegExp, text: string, layers: number): boolean {
  if (pattern.test(text)) return true;
  const inner = layers === 0 ? null : unescaped(text);
  return inner !== null && occurs(pattern, inner.text, layers - 1);
}

/**
 * Where a pattern occurs, each layer of escapes undone after the other: only there can be told what has been escaped
 * by others, while what stands around a secret may form an escape with its beginning.
 */
function spansOf(pattern: RegExp, text: string, layers: number): Span[] {
  const spans = Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  const inner = layers === 0 ? null : unescaped(text);
  if (inner === null) return spans;
  const within = spansOf(pattern, inner.text, layers - 1).map((span) => inner.sourceOf(span));
  return [...spans, ...within];
}

/** Several layers find the same secret; what overlaps is taken out as one. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start >= kept) parts.push(text.slice(kept, start), REDACTED);
    kept = Math.max(kept, end);
  }
  return parts.join("") + text.slice(kept);
}

/** How the parts of a value are looked at. */
interface Walk {
  occursIn(text: string): boolean;
  text(text: string): string;
  /** Whether numbers are looked at too: an upstream may say a secret of digits back as one. */
  readsNumbers: boolean;
}

const MAX_KEPT = 100;
const kept = new Map<string, Scrubber>();

/** As `createScrubber`, made once for the same secrets: a gateway has few, and uses them for every call. */
export function scrubberFor(secrets: readonly string[]): Scrubber {
  const key = JSON.stringify(secrets);
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const scrubber = createScrubber(secrets);
  kept.set(key, scrubber);
  return scrubber;
}

function holdsSecret(value: JsonValue, walk: Walk): boolean {
  if (typeof value === "string") return walk.occursIn(value);
  if (typeof value === "number") return walk.readsNumbers && walk.occursIn(String(value));
  if (Array.isArray(value)) return value.some((item) => holdsSecret(item, walk));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) => walk.occursIn(key) || holdsSecret(member, walk));
}

function scrubbed(value: JsonValue, walk: Walk): JsonValue {
  if (typeof value === "string") return walk.text(value);
  if (typeof value === "number") return holdsSecret(value, walk) ? walk.text(String(value)) : value;
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, walk));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [walk.text(key), scrubbed(member, walk)] as const,
  );
  return jsonObject(members);
}

/** A reply without the secrets that it repeats. */
export function scrubReply(reply: UpstreamReply, scrubber: Scrubber): UpstreamReply {
  return {
    ...reply,
    headers: scrubHeaders(reply.headers, scrubber),
    body: scrubber.json(reply.body),
  };
}

/** Scrubbed as they are asked for, which few of them ever are. */
function scrubHeaders(headers: ReplyHeaders, { text }: Scrubber): ReplyHeaders {
  return {
    get: (name) => {
      const value = headers.get(name);
      return typeof value === "string" ? text(value) : value;
    },
    *[Symbol.iterator]() {
      for (const [name, value] of headers) yield [name, text(value)] satisfies [string, string];
    },
  };
}

/** A failure without them; only these two repeat words of the upstream: the host of a redirect, and a media type. */
export function scrubFailure(failure: Failure, scrubber: Scrubber): Failure {
  if (failure.code === "EGRESS_DENIED") return { ...failure, host: scrubber.text(failure.host) };
  if (failure.code === "UPSTREAM_UNPARSABLE") return { ...failure, reason: scrubber.text(failure.reason) };
  return failure;
}
