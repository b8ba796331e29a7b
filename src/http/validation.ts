import { zValidator } from "@hono/zod-validator";
import * as z from "zod/mini";
import type { ArgumentFault } from "../errors.ts";
import { quoteValue } from "../schema/index.ts";
import { replyFailure } from "./replies.ts";

/** What a request may hold of a part before its schema has looked at it. */
type Received = Readonly<Record<string, string | string[] | undefined>>;

/** Validates a part of the request; what does not fit is answered in the one form of failures. */
export function validated<Target extends "query" | "param", Schema extends z.ZodMiniObject>(
  target: Target,
  schema: Schema,
) {
  const validator = zValidator(target, schema, (result, context) => {
    if (result.success) return;
    const received: Received = target === "query" ? context.req.queries() : context.req.param();
    const faults = result.error.issues.flatMap((issue) => faultsOf(issue, received));
    const place = target === "query" ? "query" : "path";
    const said = faults.map(({ path, expected }) => `${path.slice(1)} is ${expected}`).join("; ");
    return replyFailure(context, {
      code: "INVALID_REQUEST",
      message: `The ${place} does not fit: ${said}.`,
      faults,
    });
  });
  const defaults = target === "query" ? z.safeParse(schema, {}) : null;
  if (defaults?.success !== true) return validator;
  // Most requests have no query, and what their validation comes to is known.
  const quick: typeof validator = (context, next) => {
    if (context.req.url.includes("?")) return validator(context, next);
    context.req.addValidatedData("query", defaults.data);
    return next();
  };
  return quick;
}

/** A parameter that means nothing here is a fault as well: a misspelt one would otherwise be passed over. */
function faultsOf(issue: z.core.$ZodIssue, received: Received): ArgumentFault[] {
  const names = issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0] ?? "")];
  return names.map((name) => faultOf(name, issue, received));
}

function faultOf(name: string, issue: z.core.$ZodIssue, received: Received): ArgumentFault {
  const value = Object.hasOwn(received, name) ? received[name] : undefined;
  const [first] = Array.isArray(value) && value.length === 1 ? value : [value];
  return {
    path: `/${name}`,
    rule: issue.code ?? "invalid",
    expected: expectation(issue),
    got: first === undefined ? "nothing" : quoteValue(first),
  };
}

/** What was expected, in words; `zod/mini` brings none. */
export function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${amountOf(issue.minimum, issue.origin)}`;
    case "too_big":
      return `${issue.inclusive === false ? "less than" : "at most"} ${amountOf(issue.maximum, issue.origin)}`;
    case "unrecognized_keys":
      return "no parameter of this operation";
    case "invalid_type":
      return "given once, as text";
    default:
      return issue.message;
  }
}

/** What of a value is bounded depends on its kind: a number's size, a text's length, a list's length. */
function amountOf(bound: number | bigint, origin: string): string {
  const ending = Number(bound) === 1 ? "" : "s";
  if (origin === "string") return `${bound} character${ending} long`;
  return origin === "array" ? `${bound} item${ending} long` : String(bound);
}
