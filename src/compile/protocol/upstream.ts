import { COMMON_SCOPE, joinScopes, RESPONSE_SCOPE, type Scope } from "../../expression/index.ts";
import type { Field, ResponseRule, Template, Upstream } from "../../ir.ts";
import {
  DEFAULT_RESPONSE_BYTES,
  DEFAULT_TIMEOUT_MS,
  MAX_RESPONSE_BYTES_CEILING,
  MAX_TIMEOUT_MS,
} from "../../limits.ts";
import { credentialHeaderNames, framingHeaderNames, HEADER_NAME, HEADER_VALUE } from "../../vocabulary.ts";
import { conditionAt, expressionAt, templateAt } from "./reading/expressions.ts";
import { type Place, report } from "./reading/place.ts";
import type { FieldReader } from "./reading/reader.ts";

/** An upstream with the reply rule that its functions inherit. */
export interface UpstreamSection {
  name: string;
  upstream: Upstream;
  response: ResponseRule;
  /** For what is found out only later. */
  fields: FieldReader;
}

/**
 * Which variables an upstream may name for pointing its base URL elsewhere; uploads may not choose freely.
 */
export type BaseUrlVariableRule = (variable: string, baseUrl: string) => boolean;

/** The name of the upstream that `upstream:` (without a name) describes. */
export const DEFAULT_UPSTREAM = "default";

/** What is said of replies where nothing is said. */
export const NO_RESPONSE_RULE: ResponseRule = {
  success: null,
  data: null,
  error: { code: null, message: null, retryAfter: null },
};

const FRAMING_HEADERS: ReadonlySet<string> = new Set(framingHeaderNames);

/** Headers that the gateway owns: a skill that set them could smuggle credentials or break the framing. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([...credentialHeaderNames, ...framingHeaderNames]);

/** Whether a credential can travel in a header of this name. */
export function mayCarryKey(header: string): boolean {
  return HEADER_NAME.test(header) && !FRAMING_HEADERS.has(header.toLowerCase());
}

/** Whether a skill may set a header of this name, by `headers` or by `x-in: header`. */
export function mayBeSkillHeader(header: string): boolean {
  return HEADER_NAME.test(header) && !RESERVED_HEADERS.has(header.toLowerCase());
}

/** Says why a skill may not set a header. */
export function reportHeaderName(place: Place, header: string): void {
  if (HEADER_NAME.test(header))
    report(place, "header-reserved", `the header ${header} is not a skill's to set`);
  else report(place, "header-invalid", `${JSON.stringify(header)} is no header's name, such as X-API-Key`);
}

/** Says of what is written for a header that no header can hold it: every request with it would fail. */
function checkHeaderValue(place: Place, name: string, value: Template): void {
  const written =
    value.kind === "text"
      ? value.parts.filter((part) => typeof part === "string")
      : value.kind === "literal"
        ? [value.value].filter((literal) => typeof literal === "string")
        : [];
  if (written.every((text) => HEADER_VALUE.test(text))) return;
  report(place, "header-invalid", `${name} is visible ASCII characters, spaces and tabs on one line`);
}

/** Reads one upstream; with diagnostics, and without a base URL, where it cannot be called. */
export function readUpstream(
  name: string,
  fields: FieldReader,
  mayName: BaseUrlVariableRule,
): UpstreamSection {
  const baseUrl = readBaseUrl(fields) ?? "";
  const variable = readVariable(fields, baseUrl, mayName);
  const upstream = {
    baseUrl,
    baseUrlVariable: variable,
    headers: readHeaders(fields, COMMON_SCOPE),
    timeoutMs: fields.milliseconds("timeout", 1, MAX_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS,
    maxResponseBytes:
      fields.number("max_response_bytes", 1, MAX_RESPONSE_BYTES_CEILING, true) ?? DEFAULT_RESPONSE_BYTES,
  };
  const response = readResponse(fields, COMMON_SCOPE);
  fields.finish();
  return { name, upstream, response, fields };
}

function readBaseUrl(fields: FieldReader): string | null {
  const text = fields.requiredText("base_url");
  if (text === null) return null;
  return isUrl(fields, "base_url", text) ? withoutTrailingSlashes(text) : null;
}

/** Whether a field holds a URL that requests may go to; says what is wrong with it where it does not. */
export function isUrl(fields: FieldReader, key: string, text: string): boolean {
  const fault = urlFault(text);
  if (fault === null) return true;
  report(fields.at(key) ?? fields.place, "base-url-invalid", `${fields.nameOf(key)} ${fault}`);
  return false;
}

function urlFault(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    return "is not an absolute https URL";
  if (url.username !== "" || url.password !== "") return "holds a user name or password";
  return /[?#]/.test(text) ? "holds a query or a fragment" : null;
}

function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}

function readVariable(fields: FieldReader, baseUrl: string, mayName: BaseUrlVariableRule): string | null {
  const variable = fields.text("base_url_variable");
  if (variable === null || mayName(variable, baseUrl)) return variable;
  const message = `an uploaded skill cannot let the operator's variable ${variable} decide where it calls`;
  report(fields.keyPlace("base_url_variable"), "base-url-variable-forbidden", message, "remove this line");
  return null;
}

/** Reads `headers`: fixed texts or templates, without the ones that the gateway owns. */
export function readHeaders(fields: FieldReader, scope: Scope): Field[] {
  const headers = fields.mapping("headers");
  if (headers === null) return [];
  return headers.keys.flatMap((name): Field[] => {
    const place = headers.at(name);
    if (place === null) return [];
    if (!mayBeSkillHeader(name)) {
      reportHeaderName(headers.keyPlace(name), name);
      return [];
    }
    const value = templateAt(place, headers.nameOf(name), scope);
    if (value === null) return [];
    checkHeaderValue(place, headers.nameOf(name), value);
    return [{ name, value }];
  });
}

/** Reads `response`; what it does not say is null. */
export function readResponse(fields: FieldReader, scope: Scope): ResponseRule {
  const response = fields.mapping("response");
  if (response === null) return NO_RESPONSE_RULE;
  const replyScope = joinScopes(scope, RESPONSE_SCOPE);
  const read = (reader: FieldReader | null, key: string): string | null =>
    reader === null ? null : expressionAt(reader.at(key), reader.nameOf(key), replyScope);
  const error = response.mapping("error");
  const rule: ResponseRule = {
    success: conditionAt(response.at("success"), response.nameOf("success"), replyScope),
    data: read(response, "data"),
    error: {
      code: read(error, "code"),
      message: read(error, "message"),
      retryAfter: read(error, "retry_after"),
    },
  };
  error?.finish();
  response.finish();
  return rule;
}
