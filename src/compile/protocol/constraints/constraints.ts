import type { Constraints, FunctionDefinition } from "../../../ir.ts";
import { DEFAULT_BASE_DELAY_MS, DEFAULT_MAX_DELAY_MS } from "../../../limits.ts";
import { HEADER_NAME } from "../../../vocabulary.ts";
import type { FieldReader } from "../reading/reader.ts";
import { reportHeaderName } from "../upstream.ts";
import { readCoverage } from "./coverage.ts";
import { readCredentials } from "./credentials.ts";
import { readErrorHandling } from "./error-handling.ts";
import { readFunctionLimits, readLimits, readTimeZone } from "./rate-limit.ts";

/** The constraints of a skill that names none. */
export const NO_CONSTRAINTS: Constraints = {
  globalLimits: [],
  functionLimits: [],
  rateLimitCode: null,
  retryHeader: "retry-after",
  authentication: [],
  errorHandling: {
    retryableCodes: [],
    nonRetryableCodes: [],
    codes: [],
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
 * @param functions those of the skill, which rules may name and whose parameters conditions may name
 */
export function readConstraints(fields: FieldReader, functions: readonly FunctionDefinition[]): Constraints {
  const rateLimit = fields.mapping("rate_limit");
  const global = rateLimit?.mapping("global") ?? null;
  const timeZone = rateLimit === null ? "UTC" : readTimeZone(rateLimit);
  const handling = fields.mapping("error_handling");
  const coverage = fields.mapping("data_coverage");
  const { errorHandling, coverage: everything, retryHeader } = NO_CONSTRAINTS;
  const constraints: Constraints = {
    globalLimits: global === null ? [] : readLimits(global, timeZone),
    rateLimitCode: global?.text("error_code") ?? null,
    retryHeader: (global === null ? null : readHeaderName(global)) ?? retryHeader,
    functionLimits: rateLimit === null ? [] : readFunctionLimits(rateLimit, functions, timeZone),
    authentication: readCredentials(fields),
    errorHandling: handling === null ? errorHandling : readErrorHandling(handling, errorHandling),
    coverage: coverage === null ? everything : readCoverage(coverage, functions),
  };
  global?.finish();
  rateLimit?.finish();
  fields.finish();
  return constraints;
}

function readHeaderName(fields: FieldReader): string | null {
  const header = fields.text("retry_header");
  if (header === null || HEADER_NAME.test(header)) return header?.toLowerCase() ?? null;
  reportHeaderName(fields.at("retry_header") ?? fields.place, header);
  return null;
}
