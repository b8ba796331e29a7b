/** Takes the values of secrets out of what an upstream says. */
import type { Failure } from "../../errors.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../../json.ts";
import type { UpstreamReply } from "./request.ts";

/** What stands where a secret stood. */
const REDACTED = "[redacted]";

/** Replaces secrets wherever they occur; what holds none is returned as it is. */
export interface Scrubber {
  text(text: string): string;
  /** Strings and keys at any depth. */
  json(value: JsonValue): JsonValue;
}

/** A scrubber for these values, as they are and as URLs write them; empty ones are ignored. */
export function createScrubber(secrets: readonly string[]): Scrubber {
  const needles = [...new Set(secrets.filter((secret) => secret.trim() !== "").flatMap(spellings))];
  // A secret may contain another one; the longer goes first, so that nothing is left of it.
  needles.sort((one, other) => other.length - one.length);
  const text = (given: string) =>
    needles.reduce((scrubbed, needle) => scrubbed.replaceAll(needle, REDACTED), given);
  const occursIn = (given: string) => needles.some((needle) => given.includes(needle));
  return {
    text,
    // Looking first costs a tenth of rebuilding, and replies that echo a secret are rare.
    json: (value) => (someText(value, occursIn) ? mapTexts(value, text) : value),
  };
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

/**
 * A header is sent without the blanks around it, and secrets often end in a newline. A host is lower case in
 * a URL; a query writes a space as `+`, a path as `%20`, and a URL within another's query is encoded twice.
 */
function spellings(secret: string): string[] {
  return [secret, secret.trim()].flatMap((value) => {
    const form = new URLSearchParams([["", value]]).toString().slice(1);
    const encoded = encodeURIComponent(value.toWellFormed());
    return [value, value.toLowerCase(), form, encoded, encodeURIComponent(form), encodeURIComponent(encoded)];
  });
}

function someText(value: JsonValue, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (Array.isArray(value)) return value.some((item) => someText(item, test));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) => test(key) || someText(member, test));
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isJsonObject(value)) return value;
  return jsonObject(Object.entries(value).map(([key, member]) => [change(key), mapTexts(member, change)]));
}

/** A reply without the secrets that it repeats. */
export function scrubReply(reply: UpstreamReply, scrubber: Scrubber): UpstreamReply {
  return {
    ...reply,
    headers: new Map([...reply.headers].map(([name, value]) => [name, scrubber.text(value)])),
    body: scrubber.json(reply.body),
  };
}

/** A failure without them; only these two repeat words of the upstream: the host of a redirect, and a media type. */
export function scrubFailure(failure: Failure, scrubber: Scrubber): Failure {
  if (failure.code === "EGRESS_DENIED") return { ...failure, host: scrubber.text(failure.host) };
  if (failure.code === "UPSTREAM_UNPARSABLE") return { ...failure, reason: scrubber.text(failure.reason) };
  return failure;
}
