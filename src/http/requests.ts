/**
 * What comes in over HTTP: requests are validated by these schemas, and the description is generated from
 * them.
 */
import * as z from "zod/mini";
import { canonicalHost, TENANT_NAME } from "../access/index.ts";
import {
  DEFAULT_CALL_RESULT_CHARACTERS,
  DEFAULT_LOADED_CHARACTERS,
  MAX_CALLS_RESULT_CHARACTERS,
  MAX_EDITS,
  MAX_KEY_LIFETIME_SECONDS,
  MAX_KEY_LIMITS,
  MAX_KEY_NAME_CHARACTERS,
  MAX_KEY_OVERLAP_SECONDS,
  MAX_KEY_SCOPES,
  MAX_KEY_SKILLS,
  MAX_RESULT_PAGE_CHARACTERS,
  MAX_SCOPE_CHARACTERS,
  MAX_SECRET_CHARACTERS,
  MAX_SECRET_HOSTS,
  MAX_SECTION_NAME_UNITS,
  MAX_USER_SKILLS,
  MIN_LISTED_CHARACTERS,
  MIN_LOADED_CHARACTERS,
  MIN_PROMPT_CHARACTERS,
  MIN_RESULT_PAGE_CHARACTERS,
} from "../limits.ts";
import { promptLanguages } from "../reading/index.ts";
import { callFormatNames, dialectNames, windowNames } from "../vocabulary.ts";

const text = z.string();
const flag = z._default(z.enum(["0", "1"]), "0");

/** A flag that says what it is for. */
function option(description: string) {
  return z._default(z.enum(["0", "1"]).check(z.describe(description)), "0");
}

/**
 * Names are composed (NFKC), as compiled skills have them: the same name looks the same however it was typed.
 * A skill's name has at most 64 characters, which may be two units of UTF-16 each.
 */
const skillName = text.check(z.normalize("NFKC"), z.minLength(1), z.maxLength(128));

/** A list of names, at least one: an empty one would choose nothing, which nobody asks for. */
const names = z.optional(
  text.check(
    z.normalize("NFKC"),
    z.maxLength(4_000),
    z.refine((given) => /[^\s,]/.test(given), "names, separated by commas"),
  ),
);

export const functionParameter = z.object({ function: text.check(z.minLength(1), z.maxLength(64)) });
export const skillParameter = z.object({ name: skillName });

export const toolsQuery = z.strictObject({
  format: z.enum(dialectNames),
  skills: names,
  functions: names,
  category: z.optional(text),
  strict: option("Tools that the provider holds a model to, as far as its rules and budgets allow"),
  examples: option("Examples of calls with each tool"),
  defer: option("Tools that the provider loads when a model searches for them, where it can"),
  unbound: option("Also functions that a skill only declares and that cannot be called here"),
});
export type ToolsQuery = z.output<typeof toolsQuery>;

/** The names of a list that is separated by commas; null where there is none. */
export function nameSet(list: string | undefined): ReadonlySet<string> | null {
  if (list === undefined) return null;
  return new Set(
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

/** A number in digits, within bounds. */
function wholeNumber(minimum: number, maximum: number, description: string) {
  const fits = (given: string) =>
    /^\d{1,10}$/.test(given) && Number(given) >= minimum && Number(given) <= maximum;
  return z.optional(
    text.check(
      z.refine(fits, `a whole number from ${minimum} to ${maximum}`),
      z.meta({ type: "integer", minimum, maximum, description }),
    ),
  );
}

/** Which lines of the index, and how much of them. */
export const skillsQuery = z.strictObject({
  format: z._default(z.enum(["json", "text"]), "json"),
  category: z.optional(text),
  q: z.optional(
    text.check(
      z.minLength(1),
      z.maxLength(500),
      z.describe(
        "A question in any words: skills that may answer it, best first, by their names, descriptions, triggers, " +
          "parameters and headings",
      ),
    ),
  ),
  limit: wholeNumber(1, MAX_USER_SKILLS, "How many skills at most"),
  cursor: z.optional(
    text.check(
      z.refine((given) => /^\d{1,6}-[0-9a-z]{1,16}$/.test(given), "the `next_cursor` of a reply"),
      z.describe("Where to go on, with all else as it was: `next_cursor` of the reply before"),
    ),
  ),
  max_chars: wholeNumber(
    MIN_LISTED_CHARACTERS,
    MAX_RESULT_PAGE_CHARACTERS,
    "How large the whole reply may be, in characters (code points). Descriptions are shortened for it, those of the " +
      "skills that answer `q` best last; names never are. Where names alone are too much, `next_cursor` gives the rest",
  ),
});
export type SkillsQuery = z.output<typeof skillsQuery>;

/** What a system prompt tells a model. */
export const promptQuery = z.strictObject({
  lang: z._default(z.enum(promptLanguages).check(z.describe("The language of the rules")), "en"),
  format: z.optional(
    z
      .enum([...dialectNames, "text"])
      .check(
        z.describe(
          "Whose tools the model is given, for the names that they have there; text for a model without tools, which is " +
            "told of their parameters and how to write a call (POST /v1/calls?format=text)",
        ),
      ),
  ),
  skills: z.optional(
    text.check(
      z.normalize("NFKC"),
      z.maxLength(4_000),
      z.describe("Only these skills, with their documents"),
    ),
  ),
  max_chars: wholeNumber(
    MIN_PROMPT_CHARACTERS,
    MAX_RESULT_PAGE_CHARACTERS,
    "How large the prompt may be, in characters (code points): documents are cut and descriptions shortened for it",
  ),
});
export type PromptQuery = z.output<typeof promptQuery>;

/** What of a document is read, and how much of it at once. */
export const skillQuery = z
  .strictObject({
    section: z.optional(
      text.check(
        z.minLength(1),
        z.maxLength(MAX_SECTION_NAME_UNITS),
        z.describe(
          "A section alone: its heading, or `Parent > Child`, as an outline gives it. AMBIGUOUS_SECTION where several " +
            "are named so, with the paths that would do",
        ),
      ),
    ),
    offset: wholeNumber(
      0,
      1_000_000_000,
      "Where to go on, `next_offset` of the reply before; in characters (code points) of the document, or of the section",
    ),
    max_chars: wholeNumber(
      MIN_LOADED_CHARACTERS,
      MAX_RESULT_PAGE_CHARACTERS,
      "How large the whole reply may be, in characters (code points). A larger document comes as its outline and its " +
        `opening. ${DEFAULT_LOADED_CHARACTERS} where it is not said`,
    ),
    protocol: option("The whole source, front matter and protocol blocks included; it has no sections"),
  })
  .check(
    z.refine(({ section, protocol }) => section === undefined || protocol === "0", {
      path: ["section"],
      message: "given without protocol=1",
    }),
  );

const dryRunQuery = z.strictObject({ dry_run: flag });

/** How much of a result is given at once, and which page of one that was given in part. */
export const invokeQuery = z
  .extend(dryRunQuery, {
    format: z.optional(z.enum(dialectNames)),
    max_chars: wholeNumber(
      MIN_RESULT_PAGE_CHARACTERS,
      MAX_RESULT_PAGE_CHARACTERS,
      "How large `data` may be, in characters (code points) as it stands in the reply. A larger result is given " +
        "as a page of its JSON text: `data` is then a text, and `meta.page` says where it stands",
    ),
    result: z.optional(
      text.check(
        z.refine((given) => /^[0-9a-f]{64}$/.test(given), "the name of a result that a reply gave"),
        z.describe(
          "With `meta.page.result` of an earlier reply: another page of that very result. Nothing is called or " +
            "counted, and the body is not read. RESULT_GONE where the result is no longer held",
        ),
      ),
    ),
    offset: wholeNumber(0, 1_000_000_000, "With `result`: where the page begins, `meta.page.next_offset`"),
  })
  .check(
    z.refine(({ offset, result }) => offset === undefined || result !== undefined, {
      path: ["offset"],
      message: "given together with result",
    }),
  );

export const callsQuery = z.strictObject({
  format: z.optional(
    z
      .enum(callFormatNames)
      .check(
        z.describe(
          "Whose message the body is: a provider's, or (text) the very text that a model wrote. Without it the body " +
            "is an object of `format` and `message`",
        ),
      ),
  ),
  max_chars: wholeNumber(
    MIN_RESULT_PAGE_CHARACTERS,
    MAX_RESULT_PAGE_CHARACTERS,
    "How large `data` of each result may be, in characters (code points) as it stands in the message; of a larger " +
      `one the model is given the beginning. ${DEFAULT_CALL_RESULT_CHARACTERS} where it is not said. All results of a ` +
      `message share ${MAX_CALLS_RESULT_CHARACTERS} characters in equal parts`,
  ),
});

/** A write that is tried out first: everything is checked and shown, and nothing is stored. */
export const writeQuery = z.strictObject({
  dry_run: option("Check, and show the difference; store nothing"),
});

export const putSkillQuery = z.extend(writeQuery, {
  rebased: option("The document has in it what the bundled skill is by now: it is no longer stale"),
});

/** A SKILL.md with the files beside it, as one upload. */
export const skillBundle = z.strictObject({
  skill: text.check(z.describe("The SKILL.md")),
  files: z.optional(
    z
      .record(text, z.union([text, z.strictObject({ base64: text })], { error: 'a text, or {"base64": …}' }))
      .check(z.describe("All files by path, as text or in base64; without it they stay as they are")),
  ),
});

export const editList = z.strictObject({
  edits: z
    .array(
      z.strictObject({
        find: text.check(z.minLength(1), z.describe("Text that the document has, letter by letter")),
        replace: text,
        all: z._default(
          z.boolean().check(z.describe("Replace it wherever it stands; otherwise it may stand only once")),
          false,
        ),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_EDITS)),
});
export type Edit = z.output<typeof editList>["edits"][number];

export const rollbackTarget = z.strictObject({ version: z.int().check(z.positive()) });

export const diffQuery = z.strictObject({
  from: wholeNumber(1, 1_000_000_000, "A version; without it the one before `to`"),
  to: wholeNumber(1, 1_000_000_000, "A version; without it the latest"),
  against: z.optional(
    z.enum(["bundled"]).check(z.describe("Compare with the bundled skill of that name in place of `from`")),
  ),
});

/** For the description; the path is read from the address as it was sent. */
export const fileParameter = z.object({
  name: skillName,
  path: text.check(
    z.describe("Below references, templates, examples, assets or scripts; its slashes stand as they are"),
  ),
});

const tenantName = text.check(
  z.refine((given) => TENANT_NAME.test(given), "1 to 63 lower-case letters, digits and inner hyphens"),
  z.meta({ pattern: TENANT_NAME.source }),
);

export const tenantQuery = z.strictObject({
  tenant: z.optional(
    tenantName.check(z.describe("Another tenant than the key's own, which only the operator's key may name")),
  ),
});

export const keyParameter = z.object({ id: text.check(z.minLength(1), z.maxLength(64)) });

export const rotateQuery = z.extend(tenantQuery, {
  overlap_s: wholeNumber(
    0,
    MAX_KEY_OVERLAP_SECONDS,
    "For how many seconds the former key may still be used; 0 where it is not said. While the key before that may be " +
      "used, only overlap_s=0 in so many words rotates the key: it ends both at once",
  ),
});

const scope = text.check(
  z.minLength(1),
  z.maxLength(MAX_SCOPE_CHARACTERS),
  z.refine((given) => given === given.trim(), "written without blanks around it"),
);

export const keyBody = z.strictObject({
  name: text.check(
    z.minLength(1),
    z.maxLength(MAX_KEY_NAME_CHARACTERS),
    z.describe("For people to tell it by"),
  ),
  scopes: z
    .array(scope)
    .check(
      z.minLength(1),
      z.maxLength(MAX_KEY_SCOPES),
      z.describe(
        "skills:read, skills:write, invoke, admin; permissions that skills ask for; * for all of both",
      ),
    ),
  skills: z.optional(
    z
      .array(skillName)
      .check(
        z.minLength(1),
        z.maxLength(MAX_KEY_SKILLS),
        z.describe("The only skills that there are for the key, also as steps of others; without it, all"),
      ),
  ),
  limits: z.optional(
    z
      .array(z.strictObject({ max: z.int().check(z.positive()), window: z.enum(windowNames) }))
      .check(z.maxLength(MAX_KEY_LIMITS), z.describe("What calls with the key may come to")),
  ),
  expires_in_s: z.optional(
    z
      .int()
      .check(
        z.positive(),
        z.maximum(MAX_KEY_LIFETIME_SECONDS),
        z.describe("Seconds until the key ends; without it, never"),
      ),
  ),
});

const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,127}$/;

export const secretParameter = z.object({
  name: text.check(
    z.refine((given) => SECRET_NAME.test(given), "in capitals, digits and _, as a skill's `env_variable`"),
    z.meta({ pattern: SECRET_NAME.source }),
  ),
});

const host = text.check(
  z.refine(
    (given) => canonicalHost(given) !== null,
    "one host, with or without a port and without wildcards",
  ),
  z.describe("As in a URL: api.example.com, or api.example.com:8443"),
);

export const secretBody = z.strictObject({
  value: text.check(
    z.maxLength(MAX_SECRET_CHARACTERS),
    z.refine((given) => given.trim() !== "", "not blank"),
    z.describe("Never given back; blanks around it are dropped"),
  ),
  hosts: z
    .array(host)
    .check(
      z.minLength(1),
      z.maxLength(MAX_SECRET_HOSTS),
      z.describe("The only hosts that the secret, and tokens that it buys, may go to"),
    ),
});
