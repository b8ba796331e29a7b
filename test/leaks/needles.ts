/** What planted secrets look like, however they are spelled. */
import { spellingsOf } from "../../scripts/sandbox/faults/spellings.ts";
import type { Needle } from "./find.ts";
import { planted } from "./planted.ts";

/** Shorter ones would be found by chance. */
const MIN_CHARACTERS = 6;

/** What is looked for: every spelling of a value, and its Base64 wherever it stands within something longer. */
function needlesOf(secrets: Readonly<Record<string, string>>): Needle[] {
  const needles = new Map<string, Needle>();
  for (const [secret, value] of Object.entries(secrets).flatMap(withParts)) {
    for (const [spelling, text] of [...spellingsOf(value), ...base64Cores(value)])
      if (text.length >= MIN_CHARACTERS && !needles.has(text)) needles.set(text, { secret, spelling, text });
  }
  return [...needles.values()];
}

/** Every spelling of every planted secret. */
export const plantedNeedles: readonly Needle[] = needlesOf(planted);

/** A secret that is `name:password` holds another one. */
function withParts([secret, value]: [string, string]): [string, string][] {
  const [, password] = /^[\w-]+:(.+)$/.exec(value) ?? [];
  return password === undefined
    ? [[secret, value]]
    : [
        [secret, value],
        [`${secret}, password`, password],
      ];
}

/**
 * The characters of a value's Base64 that are the same whatever stands before and after it: six bits each, and three
 * ways to lie on the bytes.
 */
function base64Cores(value: string): [string, string][] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((offset): [string, string][] => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    const urlSafe = core.replaceAll("+", "-").replaceAll("/", "_");
    return [
      [`base64 at ${offset}`, core],
      [`base64url at ${offset}`, urlSafe],
    ];
  });
}
