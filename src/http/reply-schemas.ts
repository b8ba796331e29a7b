/** What goes out over HTTP, for the description of the interface; the worker does not need them. */
import * as z from "zod/mini";
import { lossSchema } from "../ir.ts";
import { limiterKinds } from "../limiter/index.ts";
import { callFormatNames, dialectNames, pagesStopNames, windowNames } from "../vocabulary.ts";

const text = z.string();

export const health = z.object({
  status: z.literal("ok"),
  version: text,
  catalog: text,
  stores: z.object({ skills: z.boolean(), limits: z.enum(limiterKinds) }),
  faults: z
    .array(text)
    .check(z.describe("What is wrong with the operator's settings; what is wrong is not used")),
  open: z.boolean(),
  setup: z.nullable(text).check(z.describe("What the operator has still to do; null where that is nothing")),
});

export const openapi = z.record(text, z.unknown());

const listedSkill = z.object({
  name: text,
  title: text,
  description: text,
  category: z.nullable(text),
  version: z.nullable(text),
  source: z.enum(["bundled", "user"]),
  overrides: z.boolean(),
  stale: z
    .boolean()
    .check(z.describe("Whether the bundled skill has changed since the caller's own was made from it")),
  functions: z.array(text),
});

const skillFiles = z.array(z.object({ path: text, bytes: z.int() }));

export const skillList = z.object({
  catalog: text,
  total: z.int().check(z.describe("All that were found, on this page or not")),
  categories: z
    .array(z.object({ category: text, skills: z.int() }))
    .check(z.describe("How many of them each category has")),
  skills: z.array(listedSkill).check(z.describe("By category and name; with q the best first")),
  next_cursor: z.nullable(text).check(z.describe("Null where nothing is left")),
  shortened: z.int().check(z.describe("How many descriptions of this page are not whole, for max_chars")),
});

const piece = z.object({
  status: z.literal("ok"),
  name: text,
  source: z.enum(["bundled", "user"]),
  version: z
    .nullable(z.int())
    .check(z.describe("Counts the caller's own versions; null where it is bundled")),
  stale: z.boolean(),
  files: skillFiles.check(z.describe("The first ones; GET /v1/skills/{name}/files gives all")),
  files_omitted: z.int(),
  content: text,
  total_chars: z.int().check(z.describe("Of the document, or in mode section of the section")),
  offset: z.int(),
  next_offset: z.nullable(z.int()).check(z.describe("Where the rest begins; null where nothing is left")),
  complete: z.boolean(),
});

const outline = {
  outline: z
    .array(
      z.object({
        section: text.check(z.describe("What to ask for it by")),
        level: z.int(),
        chars: z.int(),
        first_line: z.optional(text),
      }),
    )
    .check(z.describe("The sections in their order, of the document or of a section that is too large")),
  sections_omitted: z
    .int()
    .check(z.describe("How many more sections there are than the outline had room for")),
};

export const loadedSkill = z.discriminatedUnion("mode", [
  z.extend(piece, { mode: z.literal("document") }),
  z.extend(piece, { mode: z.literal("outline"), ...outline }),
  z.extend(piece, { mode: z.literal("section"), section: text, document_chars: z.int(), ...outline }),
]);

const toolNotes = z.array(
  z.object({
    option: text,
    function: z.nullable(text).check(z.describe("Null where the note is on the whole list")),
    note: text,
  }),
);

export const toolList = z.object({
  format: z.enum(dialectNames),
  catalog: text,
  tools: z.array(z.record(text, z.unknown())),
  notes: z
    .optional(toolNotes)
    .check(
      z.describe("What an option did not do, or what is left to do; absent where there is nothing to say"),
    ),
});

export const lossList = z.object({
  format: z.enum(dialectNames),
  catalog: text,
  losses: z.array(
    z.object({
      skill: text,
      tool: text.check(z.describe("The tool's name in this format")),
      function: text,
      path: text.check(z.describe("JSON Pointer into the function's parameters")),
      keyword: text,
      outcome: lossSchema.shape.outcome,
      note: text,
    }),
  ),
  notes: toolNotes,
});

/** What of a list that comes in pages is in the result, and what was left out. */
const gatheredPages = z.object({
  count: z.int(),
  complete: z.boolean(),
  stopped_by: z.nullable(z.enum(pagesStopNames)),
  next: z
    .nullable(z.union([text, z.number()]))
    .check(
      z.describe(
        "Where the rest begins, as the value of the parameter that turns the pages; null for several lists",
      ),
    ),
});

const step = z.object({
  id: text,
  function: text,
  calls: z.int(),
  attempts: z.int(),
  skipped: z.boolean(),
  stale: z.boolean().check(z.describe("Whether it was given data whose time is over")),
  age_ms: z.int().check(z.describe("How long ago the oldest of its data was made")),
  pages: z.nullable(gatheredPages).check(z.describe("Of the lists of all its calls together")),
  returns_faults: z.int(),
});

/** Where a page stands in the JSON text of the result that it is of. */
const resultPage = z.object({
  result: text.check(z.describe("Names the result, to ask for other pages of it")),
  offset: z.int(),
  next_offset: z.nullable(z.int()),
  total_chars: z.int(),
  complete: z.boolean(),
});

/** A result that is not as the function says is given all the same. */
const returnsFaults = z.object({
  count: z.int(),
  listed: z.array(z.object({ path: text, rule: text, expected: text, got: text })),
});

const outcome = z.object({
  request_id: text,
  skill: text,
  function: text,
  source: z.enum(["bundled", "user"]),
  attempts: z.int(),
  cached: z
    .boolean()
    .check(z.describe("Whether the result was kept, or was being made for somebody else at this moment")),
  stale: z
    .boolean()
    .check(
      z.describe(
        "Whether its time is over: it is being made anew, or could not be made anew; of a chain, whether that is so of a step",
      ),
    ),
  age_ms: z
    .int()
    .check(
      z.describe(
        "How long ago the result was made, of a chain the oldest of its steps' data; 0 where that was for this call",
      ),
    ),
  pages: z.nullable(gatheredPages).check(z.describe("Of a chain, the lists of all its steps together")),
  page: z.nullable(resultPage).check(z.describe("Null where `data` is the whole result")),
  steps: z.nullable(z.array(step)),
  returns_faults: z
    .nullable(returnsFaults)
    .check(
      z.describe(
        "Null where the function does not say what it returns, or this result was not looked at: " +
          "a large one, or one soon after another",
      ),
    ),
  duration_ms: z.int(),
});

export const invocation = z.object({ data: z.unknown(), meta: outcome });

export const answeredCalls = z.object({
  format: z.enum(callFormatNames),
  messages: z
    .array(z.record(text, z.unknown()))
    .check(
      z.describe("What answers the calls, to be appended as it is; empty where the message calls nothing"),
    ),
  calls: z
    .array(
      z.object({
        id: z.nullable(text),
        name: text,
        error_code: z
          .nullable(text)
          .check(z.describe("Null where the call succeeded; TOO_MANY_CALLS where it was not made")),
        meta: z.nullable(outcome).check(z.describe("Null where the call failed")),
      }),
    )
    .check(z.describe("What came of each call, in the order of the message")),
});

/** How one limit stands. */
const limitState = z.object({
  name: text.check(z.describe("As in the RateLimit and RateLimit-Policy fields of a call's reply")),
  label: text.check(z.describe("Who shares the limit, for people")),
  window: z.enum(windowNames),
  time_zone: z.nullable(text).check(z.describe("Whose midnight ends the day; null for a minute")),
  max: z.int(),
  used: z.int(),
  left: z.int(),
  reset_ms: z.int().check(z.describe("Until all of it is free again, given no other calls")),
});

export const limitList = z.object({
  limits: z.array(limitState),
  unlisted: z.int().check(z.describe("How many more there are")),
});

export const diagnostic = z.object({
  code: text,
  severity: z.enum(["error", "warning"]),
  line: z.int(),
  column: z.int(),
  message: text,
  fix: z.nullable(text),
});

const difference = z.object({
  path: text.check(z.describe("JSON Pointer")),
  before: z.unknown(),
  after: z.unknown(),
});

const side = z.object({
  version: z.nullable(z.int()).check(z.describe("Null where it is bundled, or not stored")),
  source: z.enum(["bundled", "user"]),
  digest: text,
});

const skillDifference = z.object({
  name: text,
  from: z.nullable(side),
  to: side,
  unified: z
    .nullable(text)
    .check(z.describe("As `patch` takes it; empty where nothing is different, null where too much is")),
  structure: z
    .nullable(
      z.object({
        skill: z.array(difference),
        functions: z.array(
          z.object({
            name: text,
            change: z.enum(["added", "removed", "changed"]),
            differences: z.array(difference),
          }),
        ),
      }),
    )
    .check(z.describe("What is different for those who call it; null where a document compiles no more")),
  files: z.array(z.object({ path: text, change: z.enum(["added", "removed", "changed"]) })),
});

export const versionDifference = z.extend(skillDifference, {
  stale: z.boolean(),
  rebase: z
    .nullable(z.object({ clean: z.boolean(), conflicts: z.nullable(z.int()) }))
    .check(z.describe("Where the skill is stale: whether what the bundled one has become fits in")),
});

export const storedSkill = z.object({
  name: text,
  version: z.nullable(z.int()).check(z.describe("Of a dry run the version that stays")),
  digest: text,
  created: z.boolean(),
  stored: z.boolean(),
  overrides: z.boolean(),
  stale: z.boolean(),
  files: skillFiles,
  warnings: z.array(diagnostic),
  diff: z.nullable(skillDifference).check(z.describe("Of a dry run, against what is there")),
});

export const versionList = z.object({
  name: text,
  current: z.int(),
  versions: z
    .array(
      z.object({
        version: z.int(),
        digest: text,
        author: text,
        written_at: text,
        files: skillFiles,
      }),
    )
    .check(z.describe("The latest first")),
});

export const fileList = z.object({
  name: text,
  files: z.array(z.object({ path: text, bytes: z.int(), digest: text })),
});

export const deletedSkill = z.object({
  name: text,
  deleted: z.literal(true),
  now: z.enum(["bundled", "gone"]),
});

const time = z.iso.datetime();
const limit = z.object({
  max: z.int(),
  window: z.enum(windowNames),
  time_zone: z.nullable(text).check(z.describe("Whose midnight ends a day; null for a minute")),
});
const granted = {
  scopes: z.array(text),
  skills: z.nullable(z.array(text)).check(z.describe("The only skills there are for the key; null for all")),
  limits: z.array(limit),
  expires_at: z.nullable(time),
};

const key = {
  id: text,
  tenant: text,
  name: text,
  ...granted,
  created_at: time,
  created_by: z.nullable(text).check(z.describe("The id of the key that issued it; null for the operator's")),
  former_until: z
    .nullable(time)
    .check(z.describe("Until when the key before the last rotation may be used; null where it may not")),
};

export const currentKey = z.object({
  tenant: text,
  key: z
    .nullable(z.object({ id: text, name: text }))
    .check(z.describe("Null for the operator's key, and where no key is asked for")),
  ...granted,
  operator: z.boolean(),
});

export const shownKey = z.object(key);
export const keyList = z.object({ tenant: text, keys: z.array(shownKey) });
export const issuedKey = z.object({ key: text.check(z.describe("Shown this once")), ...key });
export const revokedKey = z.object({ id: text, tenant: text, revoked: z.literal(true) });

const secret = {
  name: text,
  hosts: z.array(text),
  updated_at: time,
  updated_by: z.nullable(text).check(z.describe("The id of the key that set it; null for the operator's")),
};

export const storedSecret = z.object({ tenant: text, ...secret, created: z.boolean() });
export const secretList = z.object({
  tenant: text,
  secrets: z.array(
    z.object({
      ...secret,
      current: z
        .boolean()
        .check(z.describe("Whether it is encrypted under the newest key; set it again where it is not")),
    }),
  ),
});
export const deletedSecret = z.object({ tenant: text, name: text, deleted: z.literal(true) });

export const failure = z.object({
  error: text,
  error_code: text,
  retryable: z.boolean(),
  retry_after_ms: z.nullable(z.int()),
  hint: text,
  request_id: text,
  cached: z.boolean().check(z.describe("Whether it was kept from an earlier call, as the function says")),
  age_ms: z.int().check(z.describe("How long ago the upstream said so; 0 where that was for this request")),
  step: z.nullable(text),
  details: z.array(z.unknown()),
  upstream: z.nullable(
    z.object({ status: z.nullable(z.int()), code: z.nullable(text), message: z.nullable(text) }),
  ),
});
