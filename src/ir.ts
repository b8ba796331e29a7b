/**
 * The domain in one file: what a skill document means once it is compiled. The zod schemas are the authority,
 * the types are inferred from them. Every default is filled by the compiler, so nothing here is optional that
 * a default covers; `null` says "the document does not say".
 */
import * as z from "zod/mini";
import type { JsonObject, JsonValue } from "./json.ts";
import {
  backoffStrategyNames,
  bodyEncodingNames,
  cacheScopeNames,
  encodingNames,
  IR_VERSION,
  keptErrorKindNames,
  methodNames,
  overridableNames,
  queryStyleNames,
  upstreamErrorKindNames,
  type Window,
} from "./vocabulary.ts";

const text = z.string();
const textOrNull = z.nullable(text);
const json = z.custom<JsonValue>((value) => value !== undefined);
const object = z.custom<JsonObject>((value) => typeof value === "object" && value !== null);
const milliseconds = z.number().check(z.int(), z.nonnegative());

/** The source of a CEL expression, checked by the compiler. */
export const expressionSchema = text;

/**
 * A value to be made at call time. `literal` is itself, `argument` is an argument as given, `expression`
 * keeps the type of its result, `text` splices its parts together, `object` and `array` are made member by
 * member; a member whose expression gives null is left out of an object.
 */
export type Template =
  | { kind: "literal"; value: JsonValue }
  | { kind: "argument"; name: string }
  | { kind: "expression"; source: string }
  | { kind: "text"; parts: (string | { source: string })[] }
  | { kind: "object"; members: [string, Template][] }
  | { kind: "array"; items: Template[] };

export const templateSchema: z.ZodMiniType<Template> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("literal"), value: json }),
  z.object({ kind: z.literal("argument"), name: text }),
  z.object({ kind: z.literal("expression"), source: expressionSchema }),
  z.object({
    kind: z.literal("text"),
    parts: z.array(z.union([text, z.object({ source: expressionSchema })])),
  }),
  z.object({
    kind: z.literal("object"),
    members: z.array(z.tuple([text, z.lazy((): z.ZodMiniType<Template> => templateSchema)])),
  }),
  z.object({
    kind: z.literal("array"),
    items: z.array(z.lazy((): z.ZodMiniType<Template> => templateSchema)),
  }),
]);

export const queryStyleSchema = z.enum(queryStyleNames);
export type QueryStyle = z.infer<typeof queryStyleSchema>;

export const methodSchema = z.enum(methodNames);
export type Method = z.infer<typeof methodSchema>;

/** A path template as pieces: fixed text, or the name of the parameter that stands there. */
export const pathPartSchema = z.union([text, z.object({ parameter: text })]);
export type PathPart = z.infer<typeof pathPartSchema>;

/** A field of a query string, header or body, under the name it has on the wire. */
export const fieldSchema = z.object({ name: text, value: templateSchema });
export type Field = z.infer<typeof fieldSchema>;
export const queryFieldSchema = z.extend(fieldSchema, { style: queryStyleSchema });
export type QueryField = z.infer<typeof queryFieldSchema>;

export const bodySchema = z.object({ encode: z.enum(bodyEncodingNames), value: templateSchema });
export type BodyBinding = z.infer<typeof bodySchema>;

/** How a function's arguments become an HTTP request. Every parameter stands in exactly one place. */
export const requestBindingSchema = z.object({
  upstream: text,
  method: methodSchema,
  path: z.array(pathPartSchema),
  query: z.array(queryFieldSchema),
  headers: z.array(fieldSchema),
  body: z.nullable(bodySchema),
});
export type RequestBinding = z.infer<typeof requestBindingSchema>;

/** How to read an upstream's reply; null takes the default (status 2xx, the whole body, no error fields). */
export const responseRuleSchema = z.object({
  success: z.nullable(expressionSchema),
  data: z.nullable(expressionSchema),
  error: z.object({
    code: z.nullable(expressionSchema),
    message: z.nullable(expressionSchema),
    retryAfter: z.nullable(expressionSchema),
  }),
});
export type ResponseRule = z.infer<typeof responseRuleSchema>;

/**
 * How the pages of a list are gathered into one. Each page's payload is a list, and the payload of the call is
 * all of them joined. `parameter` is the name of a query field on the wire; a `cursor` is taken from a reply by
 * `next` (null or an empty text ends), a `page` counts from `first`, an `offset` counts the items seen, a
 * `link` follows the reply's `Link: <…>; rel="next"` (RFC 8288). `more` ends the gathering where it gives
 * false; without it, a page without items does.
 */
export const paginationSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("cursor"), parameter: text, next: expressionSchema, maxPages: z.number() }),
  z.object({
    kind: z.literal("page"),
    parameter: text,
    first: z.number(),
    more: z.nullable(expressionSchema),
    maxPages: z.number(),
  }),
  z.object({
    kind: z.literal("offset"),
    parameter: text,
    more: z.nullable(expressionSchema),
    maxPages: z.number(),
  }),
  z.object({ kind: z.literal("link"), maxPages: z.number() }),
]);
export type Pagination = z.infer<typeof paginationSchema>;

/** A piece of a prompt: fixed text, or the name of the parameter whose value stands there. */
export const promptPieceSchema = z.union([text, z.object({ parameter: text })]);
export type PromptPiece = z.infer<typeof promptPieceSchema>;

/**
 * A part of a prompt. A clause is its pieces where its parameter has a value that is not null and not an empty
 * text, and nothing where it has none.
 */
export const promptPartSchema = z.union([
  promptPieceSchema,
  z.object({ clause: text, pieces: z.array(promptPieceSchema) }),
]);
export type PromptPart = z.infer<typeof promptPartSchema>;

/**
 * One call of a chain. `after` names the earlier steps whose results it uses; steps that do not wait for each
 * other run side by side. With `forEach` (an expression that gives a list) the function is called once for each
 * element, which `with` knows as `item`, and the step's result is the list of results. A step whose `when` gives
 * false is left out and its result is null.
 */
export const stepSchema = z.object({
  id: text,
  call: text,
  with: templateSchema,
  when: z.nullable(expressionSchema),
  forEach: z.nullable(expressionSchema),
  after: z.array(text),
});
export type Step = z.infer<typeof stepSchema>;

/** What a call does: exactly one of the kinds; `declaration` does nothing and cannot be called. */
export const bindingSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("request"),
    request: requestBindingSchema,
    response: responseRuleSchema,
    paginate: z.nullable(paginationSchema),
  }),
  z.object({ kind: z.literal("prompt"), parts: z.array(promptPartSchema) }),
  z.object({ kind: z.literal("compute"), expression: expressionSchema }),
  /** Steps in an order in which each comes after those that it waits for; `result` sees all of them. */
  z.object({ kind: z.literal("steps"), steps: z.array(stepSchema), result: z.nullable(expressionSchema) }),
  z.object({ kind: z.literal("declaration") }),
]);
export type Binding = z.infer<typeof bindingSchema>;

export const annotationsSchema = z.object({
  readOnly: z.boolean(),
  destructive: z.boolean(),
  idempotent: z.boolean(),
  openWorld: z.boolean(),
});
export type Annotations = z.infer<typeof annotationsSchema>;

/**
 * How long a result may be given again, and to whom: to any tenant, or only to the one that asked. After `ttlMs` it is
 * stale, and may be given for so long while it is made anew, or where making it anew fails (RFC 5861).
 */
export const cacheRuleSchema = z.object({
  ttlMs: milliseconds,
  scope: z.enum(cacheScopeNames),
  staleWhileRevalidateMs: milliseconds,
  staleIfErrorMs: milliseconds,
  /** Failures that are given again too, each kind for a time of its own. */
  failures: z.array(z.object({ kind: z.enum(keptErrorKindNames), ttlMs: milliseconds })),
});
export type CacheRule = z.infer<typeof cacheRuleSchema>;

/** One tool that a model can call. `parameters` and `returns` are JSON Schema 2020-12. */
export const functionSchema = z.object({
  name: text,
  title: textOrNull,
  description: text,
  category: textOrNull,
  parameters: object,
  returns: z.nullable(object),
  annotations: annotationsSchema,
  permission: textOrNull,
  cost: z.number(),
  cache: z.nullable(cacheRuleSchema),
  timeoutMs: z.nullable(milliseconds),
  deprecated: z.boolean(),
  examples: z.array(object),
  binding: bindingSchema,
});
export type FunctionDefinition = z.infer<typeof functionSchema>;

/** Where requests go. `baseUrlVariable` names the operator's variable that may point it elsewhere. */
export const upstreamSchema = z.object({
  baseUrl: text,
  baseUrlVariable: textOrNull,
  headers: z.array(fieldSchema),
  timeoutMs: milliseconds,
  maxResponseBytes: z.number(),
});
export type Upstream = z.infer<typeof upstreamSchema>;

const windowSchema = z.custom<Window>(
  (value) => typeof value === "string" && /^(minute|day(@[A-Za-z].*)?)$/.test(value),
);

/** At most `max` units in a window; a call spends its function's `cost`. */
export const rateLimitSchema = z.object({ max: z.number(), window: windowSchema });
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** How a credential travels. `variable` names a Worker secret; its value is never part of the IR. */
export const authenticationSchema = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("api_key"),
    in: z.enum(["header", "query"]),
    name: text,
    variable: text,
  }),
  z.object({ method: z.literal("bearer"), variable: text }),
  /** The secret is the password of `username`; where that is null, it is `name:password` itself (RFC 7617). */
  z.object({ method: z.literal("basic"), username: textOrNull, variable: text }),
  /** RFC 6749, section 4.4: the secret buys a token at `tokenUrl`, which then travels as a bearer. */
  z.object({
    method: z.literal("oauth2_client_credentials"),
    tokenUrl: text,
    clientId: text,
    variable: text,
    scopes: z.array(text),
    audience: textOrNull,
    /** Whether the client shows its secret in the Authorization header or in the form (section 2.3.1). */
    secretIn: z.enum(["header", "body"]),
  }),
]);
export type Authentication = z.infer<typeof authenticationSchema>;

export const errorHandlingSchema = z.object({
  retryableCodes: z.array(text),
  nonRetryableCodes: z.array(text),
  /** What the upstream's own codes mean. */
  codes: z.array(z.object({ code: text, kind: z.enum(upstreamErrorKindNames) })),
  maxRetries: z.number(),
  backoff: z.object({
    strategy: z.enum(backoffStrategyNames),
    baseDelayMs: milliseconds,
    maxDelayMs: milliseconds,
  }),
});
export type ErrorHandling = z.infer<typeof errorHandlingSchema>;

/** Data that does not exist: where `when` holds for a call, the call is refused with `message`. */
export const exclusionSchema = z.object({ when: z.nullable(expressionSchema), message: text });
export type Exclusion = z.infer<typeof exclusionSchema>;

export const constraintsSchema = z.object({
  /** Limits on the skill's credential, whichever function is called. */
  globalLimits: z.array(rateLimitSchema),
  /** Limits of single functions, by name. */
  functionLimits: z.array(z.object({ function: text, limits: z.array(rateLimitSchema) })),
  /** The upstream's own code for "too many requests", and the header that says how long to wait. */
  rateLimitCode: textOrNull,
  retryHeader: text,
  /** All that go with every request, in an order of their own, not the document's; empty where none does. */
  authentication: z.array(authenticationSchema),
  errorHandling: errorHandlingSchema,
  coverage: z.object({ markets: json, exclusions: z.array(exclusionSchema) }),
});
export type Constraints = z.infer<typeof constraintsSchema>;

/** What a user may say and the call that answers it; shown to models and run by checks. */
export const exampleSchema = z.object({
  user: text,
  thought: textOrNull,
  calls: z.array(z.object({ function: text, parameters: object })),
});
export type Example = z.infer<typeof exampleSchema>;

/**
 * A section of a skill's prose: a heading with all that follows it up to the next heading of its level or
 * above. Offsets count code points of `prose`; sections stand in the order of their headings, so that a
 * section's children follow it, one level or more deeper.
 */
export const sectionSchema = z.object({
  title: text,
  /** 1 to 6, as the heading has it. */
  level: z.number(),
  start: z.number(),
  end: z.number(),
  /** The first line of text under the heading, before any other heading; empty where there is none. */
  firstLine: text,
});
export type SkillSection = z.infer<typeof sectionSchema>;

/** A compiled skill. `prose` is the document without front matter and protocol blocks. */
export const skillSchema = z.object({
  name: text,
  title: text,
  description: text,
  version: textOrNull,
  category: textOrNull,
  provider: textOrNull,
  tags: z.array(text),
  modelCompatibility: z.array(text),
  triggers: z.array(text),
  permission: textOrNull,
  /** How far a tenant's own skill may stand in the place of this one where it is bundled. */
  overridable: z.enum(overridableNames),
  frontmatter: object,
  prose: text,
  outline: z.array(sectionSchema),
  /** Files of the skill's folder that the prose names, as paths from that folder, in the order of naming. */
  references: z.array(text),
  upstreams: z.array(z.object({ name: text, upstream: upstreamSchema })),
  functions: z.array(functionSchema),
  examples: z.array(exampleSchema),
  constraints: constraintsSchema,
});
export type Skill = z.infer<typeof skillSchema>;

/** What became of something that a provider's format cannot express. */
export const lossSchema = z.object({
  function: text,
  /** JSON Pointer into the function's parameters. */
  path: text,
  keyword: text,
  outcome: z.enum(["described", "widened", "dropped", "renamed"]),
  note: text,
});
export type Loss = z.infer<typeof lossSchema>;

/** One function in one provider's words: the tool as JSON text, and what got lost on the way. */
export const encodedToolSchema = z.object({ json: text, losses: z.array(lossSchema) });
export type EncodedTool = z.infer<typeof encodedToolSchema>;

/** A skill as it is stored and bundled: the source, what it compiled to, and all that derives from it. */
export const skillRecordSchema = z.object({
  irVersion: z.literal(IR_VERSION),
  /** SHA-256 of the source text, in hexadecimal. */
  digest: text,
  source: text,
  skill: skillSchema,
  /** Encodings in the order of `skill.functions`; declarations have none. */
  tools: z.record(z.enum(encodingNames), z.array(encodedToolSchema)),
});
export type SkillRecord = z.infer<typeof skillRecordSchema>;

/** A skill's line in an index: enough to list it and to find a function's skill without opening it. */
export const indexEntrySchema = z.object({
  name: text,
  title: text,
  description: text,
  category: textOrNull,
  version: textOrNull,
  digest: text,
  permission: textOrNull,
  overridable: z.enum(overridableNames),
  /** The digest of the bundled skill that a tenant's own was made from; null where it was made from none. */
  base: textOrNull,
  functions: z.array(z.object({ name: text, description: text, permission: textOrNull })),
});
export type IndexEntry = z.infer<typeof indexEntrySchema>;

/**
 * A skill's line with what else a search finds it by: its triggers and tags, what users say in its
 * examples, the parameters of its functions and its headings, as one text of at most MAX_KEYWORD_CHARACTERS.
 */
export const searchableEntrySchema = z.extend(indexEntrySchema, { keywords: text });
export type SearchableEntry = z.infer<typeof searchableEntrySchema>;

/** A secret that a skill needs. */
export const secretUseSchema = z.object({
  variable: text,
  /** Where the secret buys the tokens that go with requests; null where it goes with them itself. */
  tokenUrl: textOrNull,
});
export type SecretUse = z.infer<typeof secretUseSchema>;

/** Where the functions of a bundled skill send requests, and the secrets that go with them. */
export const bundledUpstreamSchema = z.object({
  skill: text,
  /** Every permission that the skill and its functions ask for. */
  permissions: z.array(text),
  baseUrl: text,
  baseUrlVariable: textOrNull,
  secrets: z.array(secretUseSchema),
  /** What the skill allows to be sent there in all. */
  limits: z.array(rateLimitSchema),
});
export type BundledUpstream = z.infer<typeof bundledUpstreamSchema>;
