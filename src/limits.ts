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

/** Credentials that go with one request: upstreams ask for two, and each may be a limit to count by. */
export const MAX_CREDENTIALS = 4;

/** Steps of one function: each is a call of its own, and a Worker on the free plan sends 50 requests for one. */
export const MAX_STEPS = 20;

/** Pages gathered by one call: with a second try for each this stays inside the 50 requests of the free plan. */
export const MAX_PAGES = 20;

/** The longest that a result may be given again as fresh, and after that as stale: a day each. */
export const MAX_CACHE_TTL_MS = 24 * 60 * 60 * 1_000;

/** The shortest: a result that is good for less is gone before anyone asks again. */
export const MIN_CACHE_TTL_MS = 1_000;

/** Diagnostics kept for one document: more tells nobody anything new. */
export const MAX_DIAGNOSTICS = 100;

/** What one diagnostic says: the names that it lists may be thousands, and each of any length. */
export const MAX_DIAGNOSTIC_CHARACTERS = 1_000;

/**
 * A misspelt name that a right one is looked for, in UTF-16 units, and how many of similar length are looked at: one
 * that a person would find among them is there, and a hundred such names take some 100 ms.
 */
export const MAX_SIMILAR_NAME_UNITS = 100;
export const MAX_SIMILAR_NAMES = 2_000;

/** Times that a document is compiled and fixed again before it is left as it is; a round fixes all that is known. */
export const MAX_FIX_ROUNDS = 200;

/** `name` of a skill, in characters (agentskills.io specification). */
export const MAX_SKILL_NAME_CHARACTERS = 64;

/** `description` of a skill, in characters (agentskills.io specification). */
export const MAX_SKILL_DESCRIPTION_CHARACTERS = 1024;

/** A description shorter than this does not tell a model when to choose the skill. */
export const MIN_SKILL_DESCRIPTION_CHARACTERS = 20;

/** A body of `POST /v1/invoke`: arguments come from a model's turn, which is far smaller. */
export const MAX_INVOKE_BYTES = 256 * KIB;

/**
 * Calls of one message that are answered, made or not: providers take at most 128 tools, and models make far fewer
 * calls at once. More of them would make an answer many times as large as the message.
 */
export const MAX_MESSAGE_CALLS = 128;

/**
 * What a model is given of all results of one message together, in characters: some 500,000 tokens, which no context
 * has room for, and enough for `MAX_CHAIN_CALLS` results of the usual size.
 */
export const MAX_CALLS_RESULT_CHARACTERS = 2_000_000;

/** A body of `POST /v1/calls`: several calls, and what the model says and shows of its thoughts beside them. */
export const MAX_CALLS_BYTES = 1 * MIB;

/**
 * What a model is given of one result where nobody says how much, in characters (code points): some 12,000 tokens, so
 * that several results leave most of a context free.
 */
export const DEFAULT_CALL_RESULT_CHARACTERS = 50_000;

/** The longest name that is looked for where a model calls it: those of functions, tools and skills are no longer. */
export const MAX_CALLED_NAME_CHARACTERS = 64;

/** Names that a model is offered in place of one that nobody has, nearest first: the one meant is among them. */
export const MAX_OFFERED_NAMES = 20;

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

/** The same of all patterns in one schema, which the first call makes: 20 ms; large API descriptions have 450. */
export const MAX_SCHEMA_PATTERN_STATES = 20_000;

/** How long an isolate may serve what it last read from KV before it looks again. */
export const DEFAULT_FRESHNESS_MS = 5_000;

/**
 * What a write of a user skill announces: that the tenant's skills may change until then. Several writes share one
 * announcement, which KV takes once a second; a put that takes longer than this has long been given up.
 */
export const CHANGE_ANNOUNCED_MS = 20_000;

/** Keys that Workers KV gives in one bulk read, which counts as one operation. */
export const KV_BULK_KEYS = 100;

/**
 * Characters (UTF-16 units) that one bulk read asks for: KV gives at most 25 MiB at once, and each takes at most three
 * bytes.
 */
export const KV_BULK_CHARACTERS = 8_000_000;

/** Former versions kept of a user skill: a fortnight of daily changes, and a manifest of a few KB. */
export const MAX_FORMER_VERSIONS = 20;

/** A file beside a SKILL.md, like the document itself. */
export const MAX_SKILL_FILE_BYTES = 1 * MIB;

/** Files of one skill: the largest public collections have some 40; each is a write of its own in KV. */
export const MAX_SKILL_FILES = 64;

/** A skill with all its files, packed or not: what an isolate can hold several times. */
export const MAX_BUNDLE_BYTES = 8 * MIB;

/** A JSON bundle: base64 takes four characters for three bytes, and escapes some more. */
export const MAX_JSON_BUNDLE_BYTES = 12 * MIB;

/** The path of a file beside a SKILL.md: every file system and archive takes it. */
export const MAX_FILE_PATH_BYTES = 200;

/** Edits of one PATCH, and its body: each edit is searched for in the whole document. */
export const MAX_EDITS = 100;
export const MAX_EDITS_BYTES = 2 * MIB;

/** Steps of comparing two documents; more changed lines than these make a difference that nobody reads. */
export const MAX_DIFFERING_LINES = 2_000;

/** Structural differences that are listed of one function, or of a skill. */
export const MAX_LISTED_DIFFERENCES = 200;

/** Skills that one request asks for by name and no index has yet: the ones that somebody has just put. */
export const MAX_UNLISTED_SKILLS = 10;

/**
 * How long a record is kept that was made anew for another version of this program, and how many of them one read
 * keeps: a Worker has 1,000 operations for a request.
 */
export const KEPT_UPGRADE_SECONDS = 30 * 24 * 60 * 60;
export const MAX_KEPT_UPGRADES = 50;

/** Contents that nobody names any more, deleted at one time: a Worker has 1,000 operations for a request. */
export const MAX_SWEPT_CONTENTS = 200;

/** User skills of one tenant: one page of a KV list. */
export const MAX_USER_SKILLS = 1_000;

/** The shortest `expirationTtl`, in seconds, that Workers KV takes. */
export const KV_MIN_TTL_SECONDS = 60;

/** Workers KV takes one write a second for a key and answers 429 to more. */
export const KV_WRITE_INTERVAL_MS = 1_000;

/** The largest value that KV takes; a longer one is refused however often it is sent. */
export const KV_MAX_VALUE_BYTES = 25 * MIB;

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
 * How long a call near its limit may wait for a claim on the counters: a write and a list take 20 to 200 ms, and no
 * limit is worth more than this.
 */
export const COUNTER_DEADLINE_MS = 500;

/**
 * How long a call may wait for the object that counts exactly: a round trip takes 5 to 300 ms, by the distance, and a
 * start of the object some more. Then the call is decided by what the isolate knows.
 */
export const EXACT_DEADLINE_MS = 1_000;

/** The first pause before an object that failed is asked again, and the longest that it doubles to. */
export const EXACT_BASE_PAUSE_MS = 1_000;
export const EXACT_MAX_PAUSE_MS = 30_000;

/** Objects whose faults an isolate remembers. */
export const MAX_FAULTY_OBJECTS = 1_000;

/** How long an object counts a call that others have yet to admit too: far longer than they take, tries included. */
export const HOLD_MS = 15_000;

/** How often an isolate says to an object what became of a call, where the object does not hear it. */
export const MAX_SETTLE_TRIES = 3;

/** How often an object clears what is past: alarms cost, and what is past is a few rows. */
export const CLEARING_INTERVAL_MS = 10 * 60_000;

/**
 * Longest wait that an upstream's Retry-After is taken for, by the caller who is told it and by the bucket that it
 * closes to all calls: whatever an upstream says, one call in an hour finds out whether it is still so.
 */
export const MAX_CLOSURE_MS = 60 * 60_000;

/** How often an isolate looks whether others were told to wait: reads of KV may be a minute old anyway. */
export const CLOSURE_LOOK_INTERVAL_MS = 30_000;

/** Buckets whose closures an isolate remembers. */
export const MAX_CLOSURES = 1_000;

/** Limits that one listing shows: more than the functions of any catalog met so far have. */
export const MAX_LISTED_LIMITS = 500;

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

/** Examples that are shown with a tool, and the characters of one: each is paid for in every request. */
export const MAX_TOOL_EXAMPLES = 3;
export const MAX_TOOL_EXAMPLE_CHARACTERS = 400;

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

/**
 * Schemas that a check stands in at once, each within the one before: a value nests MAX_REPLY_NESTING deep, and each
 * level takes a few. Each takes some 700 bytes of the stack.
 */
export const MAX_SCHEMA_DEPTH = 700;

/** Faults that are looked for in one value, of which MAX_LISTED_FAULTS are shown. */
export const MAX_FAULTS = 6_000;

/** What one fault says was expected, in characters: room for the values of an `enum`, or for several shapes. */
export const MAX_EXPECTED_CHARACTERS = 1_000;

/**
 * Steps of one check of a value, whatever it does (src/schema/evaluation/steps.ts says what each kind of work takes): 20
 * to 30 ms at worst. Arguments of the usual kind take some hundreds of steps, and a reply of 1,400 values with a schema
 * out of a large API description some 60,000.
 */
export const MAX_VALIDATION_STEPS = 1_000_000;

/** The same for all values that one document gives for itself (examples, defaults): 0.3 s at worst. */
export const MAX_DOCUMENT_VALIDATION_STEPS = 10_000_000;

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
 * Characters (UTF-16 units) of a member name that `patternProperties` are matched against by backtracking: far
 * more than a name has, and few enough for the square of their number.
 */
export const MAX_MATCHED_NAME_CHARACTERS = 1_000;

/** A rendered prompt: more than the context of any model takes, and built in milliseconds. */
export const MAX_PROMPT_CHARACTERS = 1_000_000;

/** How deep a chain may call chains: one of single calls, one of such chains, and one more. */
export const MAX_CHAIN_DEPTH = 3;

/** Elements that one step of a chain may call its function for, and calls of a whole chain, chains within included. */
export const MAX_STEP_ELEMENTS = 20;
export const MAX_CHAIN_CALLS = 30;

/**
 * Requests that one call may lead to, with its retries, pages and steps: a Worker on the free plan may make 50, and
 * tokens, redirects and the store need some of them.
 */
export const MAX_CALL_REQUESTS = 40;

/** Bytes of good replies that one call may take in all: an isolate's 128 MB hold several such calls. */
export const MAX_CALL_RESPONSE_BYTES = 2 * MAX_RESPONSE_BYTES_CEILING;

/** Requests of one call that are under way at once: a Worker keeps six connections open. */
export const MAX_PARALLEL_REQUESTS = 6;

/** Time for one request for an access token. */
export const TOKEN_TIMEOUT_MS = 10_000;

/**
 * How long a token is used whose endpoint does not say how long it holds: short, since a refused one is renewed anyway.
 */
export const DEFAULT_TOKEN_LIFETIME_MS = 5 * 60 * 1_000;

/** The longest that a token is kept, whatever its endpoint says: a day, as a client's secret may be withdrawn. */
export const MAX_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1_000;

/** A token is given up this long before its end, or a tenth of its life before: it has yet to travel. */
export const TOKEN_MARGIN_MS = 60_000;

/** How long a refusal of a token is remembered, so that calls do not hammer an endpoint that says no. */
export const TOKEN_REFUSAL_MS = 5_000;

/** Tokens kept by an isolate: one for each client and scope that skills use. */
export const MAX_KEPT_TOKENS = 100;

/** A token endpoint's reply; tokens of the largest kind (JWTs with claims) have some 10 KB. */
export const MAX_TOKEN_REPLY_BYTES = 64 * KIB;

/** Results that an isolate keeps, and the bytes that they take in all: an isolate has 128 MB for everything. */
export const MAX_KEPT_RESULTS = 1_000;
export const MAX_KEPT_RESULTS_BYTES = 16 * MIB;

/** The largest result that is kept, by the bytes that it takes: one must not push out all the others. */
export const MAX_KEPT_RESULT_BYTES = 1 * MIB;

/** What a kept result takes beside its texts: objects and places in tables, some 500 bytes, rounded up. */
export const KEPT_RESULT_OVERHEAD_BYTES = 1 * KIB;

/** A longer name of a kept result is replaced by its digest: it would take more than most results do. */
export const MAX_CACHE_KEY_CHARACTERS = 2_000;

/**
 * How long a result is not made anew after an attempt at it has failed, and what that doubles to at most: as a closed
 * circuit, that of one function and its arguments.
 */
export const REFRESH_BASE_PAUSE_MS = 5_000;
export const REFRESH_MAX_PAUSE_MS = 60_000;

/**
 * How long it rests at most where the upstream, or a limit, says how long to wait: a reply may say a day, which nobody
 * would learn to be over. Nothing is sent all the same while a limit or the upstream's own word forbids it.
 */
export const REFRESH_MAX_DECLARED_PAUSE_MS = 5 * 60_000;

/**
 * How often a request shows that it is still making what others wait for, and after how long a silence they take it for
 * one that the platform has ended; together well below the time of a call, which they need to make it themselves.
 */
export const FLIGHT_BEAT_MS = 1_000;
export const FLIGHT_PATIENCE_MS = 5_000;

/**
 * How far clocks may be apart that one isolate reads: a Worker's stands still while it computes, so that what one
 * request has kept may seem to be made a moment later than another's now.
 */
export const CLOCK_TOLERANCE_MS = 1_000;

/** Sections of a skill's outline: the longest real documents have some 200 headings. */
export const MAX_SECTIONS = 1_000;

/** A section's title, and the first line under it, in an outline: enough to choose by. */
export const MAX_TITLE_CHARACTERS = 200;
export const MAX_FIRST_LINE_CHARACTERS = 160;

/** Source text (UTF-16 units) that a title or a first line is taken from: links are longer than their words. */
export const MAX_PLAIN_TEXT_CHARACTERS = 500;

/** References of a document that are complained of one by one, of each kind; the others are counted. */
export const MAX_REFERENCE_DIAGNOSTICS = 10;

/**
 * Failures in a row after which nothing is sent to a host for a pause: as many as one call makes with every retry that
 * a skill may declare.
 */
export const CIRCUIT_FAILURES = MAX_RETRIES + 1;

/** The first pause, and the longest one that it doubles to: an upstream that is back is found within a minute. */
export const CIRCUIT_BASE_PAUSE_MS = 5_000;
export const CIRCUIT_MAX_PAUSE_MS = 60_000;

/** How long a probe is waited for: its call is over by then, or the platform has ended it without a word. */
export const CIRCUIT_PROBE_MS = CALL_DEADLINE_MS;

/** When to ask again while a probe is under way. */
export const CIRCUIT_PROBE_WAIT_MS = 1_000;

/** How long failures are remembered: longer than the longest pause, so that the next one is longer still. */
export const CIRCUIT_MEMORY_MS = 5 * 60_000;

/** Circuits that an isolate remembers, of those that are not simply closed. */
export const MAX_CIRCUITS = 1_000;

/**
 * Values of a result that is held against its function's `returns`, and how often that is done for one function: some 7
 * µs a value are too much for each of many calls, and what an upstream has changed shows in any one of them.
 */
export const MAX_CHECKED_VALUES = 1_000;
export const RETURNS_CHECK_INTERVAL_MS = 1_000;

/** Faults of a result that are listed: whoever wrote the skill sees from a few what has changed. */
export const MAX_RETURNS_FAULTS = 10;

/** What a caller may take of a result at once, in characters: the least is of use, the most is all of most results. */
export const MIN_RESULT_PAGE_CHARACTERS = 1_000;
export const MAX_RESULT_PAGE_CHARACTERS = 1_000_000;

/**
 * What `load_skill` gives of a document at once, in characters of its whole reply: where nobody says how much (some
 * 2,500 tokens of English), and the least, in which there is room for text beside the longest names.
 */
export const DEFAULT_LOADED_CHARACTERS = 10_000;
export const MIN_LOADED_CHARACTERS = 1_000;

/** The least that an index may be held to, in characters: there is room for a few skills. */
export const MIN_LISTED_CHARACTERS = 1_000;

/** The least that a system prompt may be held to, in characters: its rules take about 1,900 in English. */
export const MIN_PROMPT_CHARACTERS = 1_000;

/** Searches that an isolate keeps, each through all that some tenant sees: one of 100 skills takes about 1 MB. */
export const MAX_KEPT_SEARCHES = 8;

/** Sections that are listed where one was asked for that is not there, nearest first; most documents have fewer. */
export const MAX_LISTED_SECTIONS = 100;

/** The name of a section, in UTF-16 units: six headings of MAX_TITLE_CHARACTERS one under the other. */
export const MAX_SECTION_NAME_UNITS = 3_000;

/**
 * What a skill is found by besides its line in the index, in characters: some 60 headings. A tenant's index, which is
 * read every few seconds, has it for each skill.
 */
export const MAX_KEYWORD_CHARACTERS = 2_000;

/** How long a result is held while its pages are read: a model's turn takes seconds, and a person reads some. */
export const HELD_RESULT_MS = 10 * 60_000;

/** Results that an isolate holds so, and their characters in all: two of the largest, or hundreds of usual ones. */
export const MAX_HELD_RESULTS = 200;
export const MAX_HELD_CHARACTERS = 2 * MAX_EXPRESSION_RESULT_CHARACTERS;

/** Characters of replies that an isolate keeps for tenants' own catalogs: about 10 MB of its 128, with their bytes. */
export const MAX_KEPT_BODY_CHARACTERS = 2_000_000;

/** The shortest `cacheTtl`, in seconds, that Workers KV takes: a key that is revoked elsewhere lives so long at most. */
export const KV_MIN_CACHE_TTL_SECONDS = 30;

/**
 * How long a key or a secret that was read before is good for while the store answers nothing: as long as KV itself may
 * show the state before, so that a fault keeps nothing alive for longer than distance does.
 */
export const STALE_RECORD_MS = KV_PROPAGATION_MS;

/** Keys and secrets of one tenant; a list reads each of them, and a request may make 1,000 operations. */
export const MAX_KEYS_PER_TENANT = 100;
export const MAX_SECRETS_PER_TENANT = 100;

/**
 * Keys, and secrets, that an isolate remembers, of those that are there and of those that are not: most have some
 * hundred bytes, the largest 16 KB.
 */
export const MAX_REMEMBERED_RECORDS = 1_000;

/**
 * Keys that an isolate does not know and yet looks for in a minute: many times the keys that first come to one, and few
 * enough that guessing costs next to nothing.
 */
export const MAX_UNKNOWN_KEY_READS = 300;

/** A body of `/v1/keys` or `/v1/secrets`. */
export const MAX_ADMINISTRATION_BYTES = 64 * KIB;

/** A tenant's secret, in UTF-16 units: private keys in PEM have some 3,200. */
export const MAX_SECRET_CHARACTERS = 8_192;

/** Hosts that one secret is bound to. */
export const MAX_SECRET_HOSTS = 10;

/** What a key may hold: more is a sign that it should be several keys. */
export const MAX_KEY_SCOPES = 50;
export const MAX_KEY_SKILLS = 200;
export const MAX_KEY_LIMITS = 4;
export const MAX_KEY_NAME_CHARACTERS = 100;

/** A permission's name in a key. */
export const MAX_SCOPE_CHARACTERS = 64;

/** The longest life that a key may be given, in seconds: ten years. One without an end is issued by leaving it out. */
export const MAX_KEY_LIFETIME_SECONDS = 10 * 365 * 24 * 60 * 60;

/** How long a former key may still be used after it was replaced, in seconds: a week. */
export const MAX_KEY_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
