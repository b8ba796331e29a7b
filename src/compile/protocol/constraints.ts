import { isMap, isScalar } from "yaml";
import type { Scope } from "../../expression/index.ts";
import type { Authentication, Constraints, ErrorHandling, Exclusion, RateLimit } from "../../ir.ts";
import { DEFAULT_BASE_DELAY_MS, DEFAULT_MAX_DELAY_MS, MAX_DELAY_MS, MAX_RETRIES } from "../../limits.ts";
import { probablyMeant } from "../../nearest.ts";
import { backoffStrategyNames } from "../../vocabulary.ts";
import { conditionAt } from "./expressions.ts";
import { FieldReader, type Place, report, textAt } from "./reader.ts";
import { mayCarryKey } from "./upstream.ts";

const MAX_REQUESTS = 1_000_000_000;

export const NO_CONSTRAINTS: Constraints = {
  globalLimits: [],
  functionLimits: [],
  rateLimitCode: null,
  retryHeader: "retry-after",
  authentication: { method: "none" },
  errorHandling: {
    retryableCodes: [],
    nonRetryableCodes: [],
    maxRetries: 2,
    backoff: {
      strategy: "exponential_jitter",
      baseDelayMs: DEFAULT_BASE_DELAY_MS,
      maxDelayMs: DEFAULT_MAX_DELAY_MS,
    },
  },
  coverage: { markets: null, exclusions: [] },
};

/**
 * Reads `constraints`.
 * @param functions the names of the skill's functions, for the rules that name one
 * @param scope what an exclusion's condition may name
 */
export function readConstraints(
  fields: FieldReader,
  functions: readonly string[],
  scope: Scope,
): Constraints {
  const rateLimit = fields.mapping("rate_limit");
  const global = rateLimit?.mapping("global") ?? null;
  const constraints: Constraints = {
    globalLimits: global === null ? [] : readLimits(global),
    rateLimitCode: global?.text("error_code") ?? null,
    retryHeader: (global?.text("retry_header") ?? NO_CONSTRAINTS.retryHeader).toLowerCase(),
    functionLimits: rateLimit === null ? [] : readFunctionLimits(rateLimit, functions),
    authentication: readAuthentication(fields.mapping("authentication")),
    errorHandling: readErrorHandling(fields.mapping("error_handling")),
    coverage: readCoverage(fields.mapping("data_coverage"), scope),
  };
  global?.finish();
  rateLimit?.finish();
  fields.finish();
  return constraints;
}

function readLimits(fields: FieldReader): RateLimit[] {
  const windows = [
    ["max_requests_per_minute", "minute"],
    ["max_requests_per_day", "day"],
  ] as const;
  return windows.flatMap(([key, window]): RateLimit[] => {
    const max = fields.number(key, 1, MAX_REQUESTS, true);
    return max === null ? [] : [{ max, window }];
  });
}

function readFunctionLimits(
  rateLimit: FieldReader,
  functions: readonly string[],
): Constraints["functionLimits"] {
  const perEndpoint = rateLimit.mapping("per_endpoint");
  if (perEndpoint === null) return [];
  return perEndpoint.keys.flatMap((name) => {
    const fields = perEndpoint.mapping(name);
    if (fields === null) return [];
    if (!functions.includes(name)) reportUnknownFunction(perEndpoint.keyPlace(name), name, functions);
    const limits = readLimits(fields);
    fields.finish();
    return [{ function: name, limits }];
  });
}

/** Says that a rule or an example is about a function that the document does not define. */
export function reportUnknownFunction(place: Place, name: string, functions: readonly string[]): void {
  const meant = probablyMeant(name, functions);
  const message = `there is no function ${name} here; there are: ${functions.join(", ") || "none"}`;
  report(place, "function-unknown", message, meant);
}

const NO_AUTHENTICATION: Authentication = { method: "none" };
const DECLARED_METHODS = ["none", "api_key", "bearer", "basic", "oauth2_client_credentials"] as const;

function readAuthentication(fields: FieldReader | null): Authentication {
  if (fields === null) return NO_AUTHENTICATION;
  if (!fields.has("method")) report(fields.place, "missing-field", `${fields.nameOf("method")} is missing`);
  const method = fields.oneOf("method", DECLARED_METHODS) ?? "none";
  if (method !== "none" && method !== "api_key" && method !== "bearer") {
    const place = fields.at("method") ?? fields.place;
    report(place, "authentication-unsupported", `the method ${method} is not supported yet`);
    return NO_AUTHENTICATION;
  }
  const authentication = method === "none" ? NO_AUTHENTICATION : readMethod(method, fields);
  fields.finish();
  return authentication;
}

function readMethod(method: "api_key" | "bearer", fields: FieldReader): Authentication {
  const variable = readSecretName(fields);
  if (variable === null) return NO_AUTHENTICATION;
  if (method === "bearer") return { method, variable };
  const header = fields.text("header");
  const query = fields.text("query");
  if (header === null && query === null) {
    report(
      fields.place,
      "missing-field",
      `${fields.name} says in which header or query parameter the key travels`,
      "header: X-API-Key",
    );
  }
  if (header !== null && !mayCarryKey(header))
    report(
      fields.at("header") ?? fields.place,
      "header-reserved",
      `no key can travel in the header ${header}`,
    );
  return header === null && query !== null
    ? { method, in: "query", name: query, variable }
    : { method, in: "header", name: header ?? "X-API-Key", variable };
}

/** A secret's name: that of an environment variable, so that it can be one. */
function readSecretName(fields: FieldReader): string | null {
  const variable = fields.requiredText("env_variable");
  if (variable === null || /^[A-Z][A-Z0-9_]{0,127}$/.test(variable)) return variable;
  const message = `a secret's name is in capitals, digits and _, not ${JSON.stringify(variable)}`;
  report(fields.at("env_variable") ?? fields.place, "secret-name-invalid", message);
  return null;
}

function readErrorHandling(fields: FieldReader | null): ErrorHandling {
  const defaults = NO_CONSTRAINTS.errorHandling;
  if (fields === null) return defaults;
  const handling: ErrorHandling = {
    retryableCodes: fields.texts("retryable_codes"),
    nonRetryableCodes: fields.texts("non_retryable_codes"),
    maxRetries: fields.number("max_retries", 0, MAX_RETRIES, true) ?? defaults.maxRetries,
    backoff: {
      strategy: fields.oneOf("backoff_strategy", backoffStrategyNames) ?? defaults.backoff.strategy,
      baseDelayMs: fields.milliseconds("base_delay", 1, MAX_DELAY_MS) ?? defaults.backoff.baseDelayMs,
      maxDelayMs: fields.milliseconds("max_delay", 1, MAX_DELAY_MS) ?? defaults.backoff.maxDelayMs,
    },
  };
  fields.finish();
  return handling;
}

function readCoverage(fields: FieldReader | null, scope: Scope): Constraints["coverage"] {
  if (fields === null) return NO_CONSTRAINTS.coverage;
  const coverage = {
    markets: fields.json("markets") ?? null,
    exclusions: fields
      .items("exclusions")
      .flatMap(({ place, name }) => readExclusion(place, name, scope) ?? []),
  };
  fields.finish();
  return coverage;
}

/** An exclusion is prose, which models read, or a rule, which the gateway also enforces. */
function readExclusion(place: Place, name: string, scope: Scope): Exclusion | null {
  if (isScalar(place.node)) {
    const message = textAt(place, name);
    return message === null ? null : { when: null, message };
  }
  if (!isMap(place.node)) {
    report(place, "wrong-type", `${name} is a sentence, or a mapping with when and message`);
    return null;
  }
  const fields = FieldReader.at(place, name);
  if (fields === null) return null;
  if (!fields.has("when")) report(place, "missing-field", `${fields.nameOf("when")} is missing`);
  const when = conditionAt(fields.at("when"), fields.nameOf("when"), scope);
  const message = fields.requiredText("message")?.trim() ?? null;
  fields.finish();
  return message === null ? null : { when, message };
}
