import type {
  Authentication,
  Binding,
  CacheRule,
  Constraints,
  FunctionDefinition,
  Pagination,
  Skill,
  Step,
  Template,
} from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";

/** A function as it is after compiling, with the smallest thing for whatever a test does not say. */
export function functionWith(
  name: string,
  binding: Binding,
  change: Partial<FunctionDefinition> = {},
): FunctionDefinition {
  return {
    name,
    title: null,
    description: "Does what a test wants.",
    category: null,
    parameters: { type: "object", properties: {}, required: [] },
    returns: null,
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    permission: null,
    cost: 1,
    cache: null,
    timeoutMs: null,
    deprecated: false,
    examples: [],
    binding,
    ...change,
  };
}

/** A parameters schema of these properties, all of them optional. */
export function parameters(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: [] };
}

/** `GET` of a path, with these parameters in the query. */
export function get(
  path: string,
  query: readonly string[] = [],
  { data = null, paginate = null }: { data?: string | null; paginate?: Pagination | null } = {},
): Binding {
  return {
    kind: "request",
    request: {
      upstream: "main",
      method: "GET",
      path: [path],
      query: query.map((name) => ({ name, value: { kind: "argument", name }, style: "csv" })),
      headers: [],
      body: null,
    },
    response: { success: null, data, error: { code: "body.code", message: null, retryAfter: null } },
    paginate,
  };
}

/** A chain of these steps. */
export function chain(steps: readonly Step[], result: string | null = null): Binding {
  return { kind: "steps", steps: [...steps], result };
}

/** A step that calls a function of its own name with what these expressions give. */
export function step(
  id: string,
  call: string,
  change: Partial<Step> & { args?: Record<string, string> } = {},
): Step {
  const { args = {}, ...rest } = change;
  const members = Object.entries(args).map(([name, source]): [string, Template] => [
    name,
    { kind: "expression", source },
  ]);
  return { id, call, with: { kind: "object", members }, when: null, forEach: null, after: [], ...rest };
}

/** How results are kept: a minute, for everybody, and nothing more, unless it says otherwise. */
export function cacheRule(change: Partial<CacheRule> = {}): CacheRule {
  const none = { staleWhileRevalidateMs: 0, staleIfErrorMs: 0, failures: [] };
  return { ttlMs: 60_000, scope: "shared", ...none, ...change };
}

/** A skill whose one upstream is where the operator's variable says. */
export function skillWith(
  name: string,
  functions: FunctionDefinition[],
  authentication: Authentication[] = [],
  constraints: Partial<Constraints> = {},
): Skill {
  return {
    name,
    title: name,
    description: "A skill that stands for any other in tests.",
    version: null,
    category: null,
    provider: null,
    tags: [],
    modelCompatibility: [],
    triggers: [],
    permission: null,
    overridable: "all",
    frontmatter: {},
    prose: "",
    outline: [],
    references: [],
    upstreams: [{ name: "main", upstream: UPSTREAM }],
    functions,
    examples: [],
    constraints: {
      globalLimits: [],
      functionLimits: [],
      rateLimitCode: null,
      retryHeader: "retry-after",
      authentication,
      errorHandling: NO_RETRIES,
      coverage: { markets: null, exclusions: [] },
      ...constraints,
    },
  };
}

const UPSTREAM = {
  baseUrl: "https://api.test",
  baseUrlVariable: "DEMO_BASE_URL",
  headers: [],
  timeoutMs: 10_000,
  maxResponseBytes: 100_000,
};

/** How failures are handled where nothing is tried again. */
export const NO_RETRIES: Constraints["errorHandling"] = {
  retryableCodes: [],
  nonRetryableCodes: [],
  codes: [],
  maxRetries: 0,
  backoff: { strategy: "fixed", baseDelayMs: 10, maxDelayMs: 10 },
};
