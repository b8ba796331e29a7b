/** What comes in over HTTP: requests are validated by these schemas, and the description is generated from them. */
import * as z from "zod/mini";
import { dialectNames } from "../vocabulary.ts";

const text = z.string();
const flag = z._default(z.enum(["0", "1"]), "0");
const names = z.optional(text.check(z.maxLength(4_000)));

export const functionParameter = z.object({ function: text.check(z.minLength(1), z.maxLength(64)) });
export const skillParameter = z.object({ name: text.check(z.minLength(1), z.maxLength(64)) });

export const skillsQuery = z.object({
  format: z._default(z.enum(["json", "text"]), "json"),
  category: z.optional(text),
});

export const skillQuery = z.object({ protocol: flag });

export const toolsQuery = z.object({
  format: z.enum(dialectNames),
  skills: names,
  functions: names,
  category: z.optional(text),
});

export const invokeQuery = z.object({ dry_run: flag });

export const putSkillQuery = z.object({ dry_run: flag });
