import type { ErrorHandling } from "../../../ir.ts";
import { MAX_DELAY_MS, MAX_RETRIES } from "../../../limits.ts";
import { backoffStrategyNames, upstreamErrorKindNames } from "../../../vocabulary.ts";
import { report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";

/** Reads `error_handling`: which of the upstream's own codes mean what, and how a call is tried again. */
export function readErrorHandling(fields: FieldReader, defaults: ErrorHandling): ErrorHandling {
  const retryableCodes = fields.texts("retryable_codes");
  const codes = fields.mapping("codes");
  const handling: ErrorHandling = {
    retryableCodes,
    nonRetryableCodes: readNonRetryableCodes(fields, retryableCodes),
    codes: codes === null ? [] : readCodes(codes),
    maxRetries: fields.number("max_retries", 0, MAX_RETRIES, true) ?? defaults.maxRetries,
    backoff: readBackoff(fields, defaults.backoff),
  };
  fields.finish();
  return handling;
}

function readNonRetryableCodes(fields: FieldReader, retryable: readonly string[]): string[] {
  return fields.textItems("non_retryable_codes").map(({ text, place }) => {
    if (retryable.includes(text))
      report(place, "values-contradict", `the code ${text} is one of retryable_codes too`);
    return text;
  });
}

function readCodes(fields: FieldReader): ErrorHandling["codes"] {
  const codes = fields.keys.flatMap((code) => {
    const kind = fields.oneOf(code, upstreamErrorKindNames);
    return kind === null ? [] : [{ code, kind }];
  });
  fields.finish();
  return codes;
}

function readBackoff(fields: FieldReader, defaults: ErrorHandling["backoff"]): ErrorHandling["backoff"] {
  const strategy = fields.oneOf("backoff_strategy", backoffStrategyNames) ?? defaults.strategy;
  const base = fields.milliseconds("base_delay", 1, MAX_DELAY_MS);
  const maxDelayMs = fields.milliseconds("max_delay", 1, MAX_DELAY_MS) ?? defaults.maxDelayMs;
  if (base !== null && base > maxDelayMs) {
    const message = `${fields.nameOf("base_delay")} (${base} ms) is more than max_delay (${maxDelayMs} ms)`;
    report(fields.at("base_delay") ?? fields.place, "values-contradict", message);
  }
  return { strategy, baseDelayMs: base ?? Math.min(defaults.baseDelayMs, maxDelayMs), maxDelayMs };
}
