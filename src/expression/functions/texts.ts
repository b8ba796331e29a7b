import { cachedPattern } from "../../pattern/index.ts";
import type { Meter } from "../meter.ts";
import { type AddedFunction, type Cost, FunctionError, walkedText } from "./function.ts";
import { backwards, lastPlaceOf, piecesOf, searchFor } from "./search.ts";

/**
 * Functions of texts under the names, and with the meaning, of cel-go's string extension; positions and lengths
 * count characters (code points), as everywhere in CEL. `replacements` stand in for the engine's own, which
 * count UTF-16 units, lower letters beyond ASCII or take time by the product of two lengths.
 */
export const textReplacements: AddedFunction[] = [
  { signature: "string.matches(string): bool", run: matches, cost: payForMatch },
  { signature: "matches(string, string): bool", run: matches },
  { signature: "string.contains(string): bool", run: contains, cost: walkedText },
  { signature: "string.indexOf(string): int", run: indexOf, cost: walkedText },
  { signature: "string.indexOf(string, int): int", run: indexOf },
  { signature: "string.lastIndexOf(string): int", run: lastIndexOf, cost: walkedText },
  { signature: "string.lastIndexOf(string, int): int", run: lastIndexOf },
  { signature: "string.substring(int): string", run: substring, cost: walkedText },
  { signature: "string.substring(int, int): string", run: substring },
  { signature: "string.split(string): list<string>", run: split, cost: payForSplit },
  { signature: "string.split(string, int): list<string>", run: split },
  { signature: "string.lowerAscii(): string", run: lowerAscii, cost: walkedText },
  { signature: "string.upperAscii(): string", run: upperAscii, cost: walkedText },
];

/** Functions of the extension that the engine lacks. */
export const textAdditions: AddedFunction[] = [
  { signature: "string.charAt(int): string", run: charAt, cost: walkedText },
  { signature: "string.replace(string, string): string", run: replace, cost: payForReplacement },
  { signature: "string.replace(string, string, int): string", run: replace },
  { signature: "string.reverse(): string", run: backwards, cost: walkedText },
];

/** The costs of the engine's own functions of texts. */
export const textCosts: [string, Cost][] = [
  ["size", walkedText],
  ["join", payForJoin],
];

function matches(text: string, source: string): boolean {
  return cachedPattern(source).test(text);
}

/** @throws PatternError, as the match itself would */
function payForMatch([text, pattern]: readonly unknown[], meter: Meter): void {
  if (typeof text !== "string" || typeof pattern !== "string") return;
  const { size } = cachedPattern(pattern);
  meter.pay(size + ((text.length * size) >> 3));
}

const SURROGATE = /[\uD800-\uDFFF]/;

/** What counts and cuts a text by characters: itself, where every unit is one. */
function characters(text: string): string | string[] {
  return SURROGATE.test(text) ? Array.from(text) : text;
}

function substring(text: string, from: bigint, to?: bigint): string {
  const all = characters(text);
  const end = to ?? BigInt(all.length);
  if (from < 0n || end < from || end > all.length) {
    throw new FunctionError(`a text of ${all.length} characters has none from ${from} to ${end}`);
  }
  const part = all.slice(Number(from), Number(end));
  return typeof part === "string" ? part : part.join("");
}

/** The index behind the last character is allowed and gives nothing (cel-go). */
function charAt(text: string, index: bigint): string {
  const all = characters(text);
  if (index < 0n || index > all.length) {
    throw new FunctionError(`a text of ${all.length} characters has none at ${index}`);
  }
  return all[Number(index)] ?? "";
}

function contains(text: string, part: string): boolean {
  return searchFor(part)(text, 0) !== -1;
}

function indexOf(text: string, part: string, from = 0n): bigint {
  if (part === "") return from;
  const start = unitAt(text, from);
  return start >= text.length ? -1n : characterAt(text, searchFor(part)(text, start));
}

/** The last place that begins no later than `from`. */
function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  if (part === "") return from ?? BigInt(characters(text).length);
  if (from === undefined) return characterAt(text, lastPlaceOf(part, text));
  const start = unitAt(text, from);
  return start >= text.length
    ? -1n
    : characterAt(text, lastPlaceOf(part, text.slice(0, start + part.length)));
}

/** The UTF-16 unit at which a character begins. @throws FunctionError below zero */
function unitAt(text: string, index: bigint): number {
  if (index < 0n) throw new FunctionError(`${index} is not a position in a text`);
  if (!SURROGATE.test(text) || index >= text.length) return Number(index);
  let unit = 0;
  for (let left = Number(index); left > 0 && unit < text.length; left--) {
    unit += (text.codePointAt(unit) ?? 0) > 0xff_ff ? 2 : 1;
  }
  return unit;
}

function characterAt(text: string, unit: number): bigint {
  return unit <= 0 ? BigInt(unit) : BigInt(characters(text.slice(0, unit)).length);
}

/** At most so many parts, the rest stays in the last one; fewer than none means all of them (cel-go). */
function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return [];
  return piecesOf(text, separator, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit));
}

/** At most so many replacements; fewer than none means all of them. Nothing stands between any two characters. */
function replace(text: string, part: string, other: string, limit = -1n): string {
  if (limit === 0n) return text;
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  if (part !== "") return piecesOf(text, part, most + 1).join(other);
  const all = Array.from(text);
  const last = Math.min(most - 1, all.length);
  return [...all.slice(0, last).map((character) => other + character), other, ...all.slice(last)].join("");
}

function payForSplit([text, separator]: readonly unknown[], meter: Meter): void {
  places(text, separator, meter);
}

function payForReplacement([text, part, other]: readonly unknown[], meter: Meter): void {
  if (typeof text !== "string" || typeof part !== "string" || typeof other !== "string") return;
  const count = places(text, part, meter);
  meter.allow(text.length + count * Math.max(0, other.length - part.length));
}

/** How often a part stands in a text, paying for each. */
function places(text: unknown, part: unknown, meter: Meter): number {
  if (typeof text !== "string" || typeof part !== "string") return 0;
  walkedText([text], meter);
  if (part === "") {
    meter.pay(text.length);
    return text.length + 1;
  }
  const search = searchFor(part);
  let count = 0;
  for (let at = search(text, 0); at !== -1; at = search(text, at + part.length)) {
    meter.pay(1);
    count++;
  }
  return count;
}

function payForJoin([list, separator]: readonly unknown[], meter: Meter): void {
  if (!Array.isArray(list)) return;
  const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);
  let all = list.length * lengthOf(separator);
  for (const item of list) all += lengthOf(item);
  meter.allow(all);
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
