/**
 * What comes in over HTTP: requests are validated by these schemas, and the description is generated from
 * them.
 */
import * as z from "zod/mini";
import { dialectNames } from "../vocabulary.ts";

const text = z.string();
const flag = z._default(z.enum(["0", "1"]), "0");

/**
 * Names are composed (NFKC), as compiled skills have them: the same name looks the same however it was typed.
 * A skill's name has at most 64 characters, which may be two units of UTF-16 each.
 */
const skillName = text.check(z.normalize("NFKC"), z.minLength(1), z.maxLength(128));
const names = z.optional(text.check(z.normalize("NFKC"), z.maxLength(4_000)));

export const functionParameter = z.object({ function: text.check(z.minLength(1), z.maxLength(64)) });
export const skillParameter = z.object({ name: skillName });

export const skillsQuery = z.strictObject({
  format: z._default(z.enum(["json", "text"]), "json"),
  category: z.optional(text),
});

export const skillQuery = z.strictObject({ protocol: flag });

export const toolsQuery = z.strictObject({
  format: z.enum(dialectNames),
  skills: names,
  functions: names,
  category: z.optional(text),
});

const dryRunQuery = z.strictObject({ dry_run: flag });

export const invokeQuery = z.extend(dryRunQuery, { format: z.optional(z.enum(dialectNames)) });

export const putSkillQuery = dryRunQuery;
