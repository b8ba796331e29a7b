/** Takes the values of secrets out of what an upstream says. */
import type { Failure } from "../../errors.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import type { ReplyHeaders, UpstreamReply } from "./request.ts";
import { spellingsOf } from "./spellings.ts";

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
  const needles = [...new Set(secrets.filter((secret) => secret.trim() !== "").flatMap(spellingsOf))];
  // A secret may contain another one; the longer goes first, so that nothing is left of it.
  needles.sort((one, other) => other.length - one.length);
  const shortest = needles.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  // Most texts of a reply are shorter than any secret.
  const occursIn = (given: string) =>
    given.length >= shortest && needles.some((needle) => given.includes(needle));
  const text = (given: string) =>
    occursIn(given) ? needles.reduce((left, needle) => left.replaceAll(needle, REDACTED), given) : given;
  const walk: Walk = { occursIn, text, readsNumbers: secrets.some((secret) => /^\d+$/.test(secret.trim())) };
  return {
    text,
    // Looking first costs a tenth of rebuilding, and replies that echo a secret are rare.
    json: (value) => (holdsSecret(value, walk) ? scrubbed(value, walk) : value),
  };
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
