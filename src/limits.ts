/**
 * Every cap of the gateway, with the reason for its value. Sizes are bytes unless the name says otherwise,
 * times are milliseconds.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * A SKILL.md: three times the largest one met in public collections (294 KB), far below KV's 25 MiB value.
 */
export const MAX_SKILL_BYTES = 1 * MIB;

/**
 * Front matter: the Agent Skills fields come to 3 KB at their own maxima; more is a body that was never
 * closed.
 */
export const MAX_FRONT_MATTER_BYTES = 16 * KIB;

/**
 * Aliases that one YAML document may expand to; enough for shared snippets, too few for a "billion laughs".
 */
export const MAX_YAML_ALIASES = 100;

/**
 * Nodes that aliases may add to one YAML document: each shared snippet a few hundred, none a copy of the
 * whole.
 */
export const MAX_YAML_ALIASED_NODES = 20_000;

/** Depth of nesting in a protocol block or a request body; JSON Schemas met in practice stay under 20. */
export const MAX_NESTING = 64;

/** Functions in one skill: models choose badly beyond 30 to 50 tools in view, so this is already generous. */
export const MAX_FUNCTIONS_PER_SKILL = 200;

/**
 * Examples in one list, and calls in one example: models are shown a handful, and each is checked at every
 * upload.
 */
export const MAX_EXAMPLES = 200;
export const MAX_PARALLEL_CALLS = 20;

/** Diagnostics kept for one document: more tells nobody anything new. */
export const MAX_DIAGNOSTICS = 100;

/** `name` of a skill, in characters (agentskills.io specification). */
export const MAX_SKILL_NAME_CHARACTERS = 64;

/** `description` of a skill, in characters (agentskills.io specification). */
export const MAX_SKILL_DESCRIPTION_CHARACTERS = 1024;

/** A description shorter than this does not tell a model when to choose the skill. */
export const MIN_SKILL_DESCRIPTION_CHARACTERS = 20;

/** A body of `POST /v1/invoke`: arguments come from a model's turn, which is far smaller. */
export const MAX_INVOKE_BYTES = 256 * KIB;

/** Default cap on an upstream's reply; a skill may lower or raise it up to `MAX_RESPONSE_BYTES_CEILING`. */
export const DEFAULT_RESPONSE_BYTES = 2 * MIB;

/** Parsing 8 MiB of JSON takes about 40 ms, the most that a paid Worker should spend on one call. */
export const MAX_RESPONSE_BYTES_CEILING = 8 * MIB;

/** Default time for one attempt against an upstream, including the reading of its body. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** The whole call, retries and waits included: below the 30 s at which common HTTP clients give up. */
export const CALL_DEADLINE_MS = 25_000;

/** The longest that a skill may set for one attempt: no attempt outlives its call. */
export const MAX_TIMEOUT_MS = CALL_DEADLINE_MS;

/** Retries that a skill may declare; with the first attempt this stays far inside 50 subrequests. */
export const MAX_RETRIES = 5;

/**
 * The longest delay between attempts that a skill may set: one of the whole call's time is never waited out.
 */
export const MAX_DELAY_MS = CALL_DEADLINE_MS;

/**
 * First delay of a growing backoff, and the longest one, where the skill sets none: whatever the call has
 * time for.
 */
export const DEFAULT_BASE_DELAY_MS = 1_000;
export const DEFAULT_MAX_DELAY_MS = MAX_DELAY_MS;

/** Redirects followed by hand for one request (each is checked again). */
export const MAX_REDIRECTS = 3;

/** Text quoted from a caller or an upstream inside a message, in characters. */
export const MAX_QUOTED_CHARACTERS = 200;

/** Source text of one expression: the longest useful ones have a few hundred characters. */
export const MAX_EXPRESSION_CHARACTERS = 4_000;

/** Nodes of one expression's syntax tree. */
export const MAX_EXPRESSION_NODES = 1_000;

/** Nesting of an expression's syntax tree. */
export const MAX_EXPRESSION_DEPTH = 50;

/**
 * Comprehensions (`map`, `filter`, …) within comprehensions: two cover tables, three cover tables of tables.
 */
export const MAX_COMPREHENSION_NESTING = 3;

/**
 * Steps of one evaluation (elements visited, nodes run in loops, states of a pattern, eight at a time): 20 to
 * 60 ms.
 */
export const MAX_EXPRESSION_STEPS = 200_000;

/** Characters of a text, or elements of a list, that an expression may build. */
export const MAX_EXPRESSION_OUTPUT = 1_000_000;

/**
 * Characters of a whole result, texts that stand in it twice counted twice: the largest reply fits as it is.
 */
export const MAX_EXPRESSION_RESULT_CHARACTERS = MAX_RESPONSE_BYTES_CEILING;

/** Instructions of a compiled pattern; bounded repetition multiplies them. */
export const MAX_PATTERN_INSTRUCTIONS = 2_000;

/** How long an isolate may serve what it last read from KV before it looks again. */
export const DEFAULT_FRESHNESS_MS = 5_000;

/** User skills of one tenant: one page of a KV list. */
export const MAX_USER_SKILLS = 1_000;

/** The shortest `expirationTtl`, in seconds, that Workers KV takes. */
export const KV_MIN_TTL_SECONDS = 60;

/** Workers KV takes one write a second for a key and answers 429 to more. */
export const KV_WRITE_INTERVAL_MS = 1_000;

/**
 * Pages of 1,000 keys that one look at the counters reads: far above the isolates that one limit is shared
 * by.
 */
export const MAX_COUNTER_PAGES = 3;

/**
 * How long background work may wait: a Worker ends it 30 s after the reply, and a slow write needs some of
 * that.
 */
export const MAX_BACKGROUND_WAIT_MS = 20_000;

/**
 * How long after its time background work counts as under way: together with the wait, the 30 s that a Worker
 * gives.
 */
export const BACKGROUND_PATIENCE_MS = 10_000;

/**
 * How long a call may wait for a look at the counters: a list takes 10 to 100 ms, and none is worth more than
 * this.
 */
export const COUNTER_LOOK_DEADLINE_MS = 250;

/**
 * Longest wait that an upstream's Retry-After is taken for: a day, the longest window of a quota; more is a
 * broken clock.
 */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Nesting of an upstream's JSON: threads of comments and syntax trees reach tens; recursion here is safe to
 * thousands.
 */
export const MAX_REPLY_NESTING = 200;

/**
 * Nodes of one function's schema that a provider is shown; OpenAI takes 5,000 properties, and models far
 * fewer.
 */
export const MAX_SCHEMA_NODES = 5_000;

/**
 * How often a recursive structure is spelled out where a provider has no references: itself, and one level
 * inside.
 */
export const MAX_INLINED_REPETITIONS = 2;

/** A rule said in words because a provider's schema cannot say it, in characters; longer ones models skip. */
export const MAX_SCHEMA_SENTENCE_CHARACTERS = 400;

/**
 * How long Workers KV may show the state before a write: "60 seconds or more" elsewhere, when what it cached
 * times out.
 */
export const KV_PROPAGATION_MS = 60_000;

/**
 * How long a write of a user skill may take before the next one goes ahead: five operations, and a second try
 * after one second.
 */
export const WRITE_PATIENCE_MS = 10_000;

/**
 * Schemas that one value is checked against (`allOf`, `anyOf`, `$ref` …): the widest unions met have about
 * 100.
 */
export const MAX_SCHEMAS_FOR_ONE_VALUE = 500;

/** References followed in one check of a value against a schema; 256 KiB of arguments need a few thousand. */
export const MAX_SCHEMA_REFERENCES = 100_000;

/**
 * Steps of one check of a value: patterns take characters times instructions, some 100 ms at worst;
 * `uniqueItems` takes the square of a list's length, enough for five lists of MAX_UNIQUE_ITEMS.
 */
export const MAX_PATTERN_STEPS = 5_000_000;

/**
 * The same for all values that one document gives for itself (examples, defaults): half a second at worst.
 */
export const MAX_DOCUMENT_PATTERN_STEPS = 20_000_000;

/** Defaults filled into one set of arguments: more than any real schema has, and done in milliseconds. */
export const MAX_FILLED_DEFAULTS = 10_000;

/** Values that a message lists of those that would have been right; what is longer nobody reads. */
export const MAX_LISTED_VALUES = 30;

/**
 * Faults that one refusal of arguments lists: a model corrects a handful at a time, and the reply stays
 * short.
 */
export const MAX_LISTED_FAULTS = 30;

/**
 * Values of one `enum`: OpenAI takes 1,000 in all of a tool, and every value of a call is compared with each.
 */
export const MAX_ENUM_VALUES = 1_000;

/**
 * Items of a list in which none may be twice (`uniqueItems`): each is compared with each other one, a million
 * comparisons, which take some 5 ms for texts and 100 ms for objects that differ in their last member only.
 */
export const MAX_UNIQUE_ITEMS = 1_000;

/**
 * Characters (UTF-16 units) of a member name that `patternProperties` are matched against by backtracking: far
 * more than a name has, and few enough for the square of their number.
 */
export const MAX_MATCHED_NAME_CHARACTERS = 1_000;
