/** JSON text that comes from outside, of callers and of upstreams, as values that lost nothing on the way. */
import type { JsonValue } from "./json.ts";

/** A value, or what is wrong with the text in words that complete "the body …". */
export type ParsedJson = { ok: true; value: JsonValue } | { ok: false; fault: string };

/**
 * Parses JSON without losing anything: a number that a double cannot hold comes back as the text it was
 * written in, half a surrogate pair as U+FFFD. Blank text is null.
 */
export function parseJson(text: string, maxNesting: number): ParsedJson {
  if (text.trim() === "") return { ok: true, value: null };
  const wellFormed = LONE_SURROGATE_POSSIBLE.test(text) ? replaceLoneSurrogates(text) : text;
  try {
    const value: JsonValue = JSON.parse(wellFormed);
    if (nestsDeeperThan(value, maxNesting)) {
      return { ok: false, fault: `is nested deeper than ${maxNesting} levels` };
    }
    // The reviver recurses and is eight times slower, so it runs only where it is needed and after the check
    // on depth.
    return { ok: true, value: INEXACT_POSSIBLE.test(wellFormed) ? JSON.parse(wellFormed, keepExact) : value };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, fault: syntaxFault(wellFormed) };
    throw error;
  }
}

/**
 * A run of 16 digits at the start of a value, or an exponent of three; strings may match too, which costs
 * only time.
 */
const INEXACT_POSSIBLE = /(?:^|[\s:,[-])\d{16}|\d[eE]\+?\d{3}/;

function keepExact(_key: string, value: JsonValue, context?: { source?: string }): JsonValue {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && isInexact(source, value) ? source : value;
}

/** Whether a text is a number as `parseJson` keeps it, because a double cannot hold it. */
export function isNumberInText(text: string): boolean {
  return NUMBER.test(text) && isInexact(text, Number(text));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Whether a double is not the number that was written. 1e20 says itself that it is approximate, and the decimals of a
 * small number are; twenty digits written out are meant.
 */
function isInexact(source: string, value: number): boolean {
  if (Number.isSafeInteger(value)) return false;
  const written = Math.abs(value) > Number.MAX_SAFE_INTEGER && /^-?\d{16}/.test(source);
  return written || !Number.isFinite(value);
}

const LONE_SURROGATE_POSSIBLE = /\\u[dD][89a-fA-F]/;
/** Every escape is consumed, so that the `u` after an escaped backslash is not taken for one. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g;

function replaceLoneSurrogates(text: string): string {
  return text.replace(ESCAPE, (sequence, lone?: string) => (lone === undefined ? sequence : "\\ufffd"));
}

/** Loops rather than `some`, which takes several times as long and is called for every reply. */
function nestsDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (nestsDeeperThan(item, levels - 1)) return true;
    return false;
  }
  // What JSON makes has no enumerable members but its own.
  for (const name in value) if (nestsDeeperThan(value[name] ?? null, levels - 1)) return true;
  return false;
}

/** In words of our own: the engine's message quotes the text, which may hold anything. */
function syntaxFault(text: string): string {
  return text.trimStart().startsWith("<") ? "holds markup, perhaps an error page" : "is not valid JSON";
}
