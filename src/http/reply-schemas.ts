/** What goes out over HTTP, for the description of the interface; the worker does not need them. */
import * as z from "zod/mini";

const text = z.string();

export const health = z.object({
  status: z.literal("ok"),
  version: text,
  catalog: text,
  stores: z.object({ skills: z.boolean(), limits: z.enum(["kv", "memory"]) }),
  open: z.boolean(),
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
  functions: z.array(text),
});

export const skillList = z.object({ catalog: text, skills: z.array(listedSkill) });

export const loadedSkill = z.object({
  status: z.literal("ok"),
  mode: z.literal("document"),
  name: text,
  source: z.enum(["bundled", "user"]),
  content: text,
  total_chars: z.int(),
  offset: z.int(),
  next_offset: z.nullable(z.int()),
  complete: z.boolean(),
});

export const toolList = z.object({
  format: text,
  catalog: text,
  tools: z.array(z.record(text, z.unknown())),
});

export const invocation = z.object({
  data: z.unknown(),
  meta: z.object({
    request_id: text,
    skill: text,
    function: text,
    source: z.enum(["bundled", "user"]),
    attempts: z.int(),
    duration_ms: z.int(),
  }),
});

export const diagnostic = z.object({
  code: text,
  severity: z.enum(["error", "warning"]),
  line: z.int(),
  column: z.int(),
  message: text,
  fix: z.nullable(text),
});

export const storedSkill = z.object({
  name: text,
  digest: text,
  created: z.boolean(),
  stored: z.boolean(),
  overrides: z.boolean(),
  warnings: z.array(diagnostic),
});

export const deletedSkill = z.object({
  name: text,
  deleted: z.literal(true),
  now: z.enum(["bundled", "gone"]),
});

export const failure = z.object({
  error: text,
  error_code: text,
  retryable: z.boolean(),
  retry_after_ms: z.nullable(z.int()),
  hint: text,
  request_id: text,
  details: z.array(z.unknown()),
  upstream: z.nullable(
    z.object({ status: z.nullable(z.int()), code: z.nullable(text), message: z.nullable(text) }),
  ),
});
