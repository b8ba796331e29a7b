import { zValidator } from "@hono/zod-validator";
import type * as z from "zod/mini";
import type { ArgumentFault } from "../errors.ts";
import { replyFailure } from "./replies.ts";

/** Validates a part of the request; what does not fit is answered in the one form of failures. */
export function validated<Target extends "query" | "param", Schema extends z.ZodMiniObject>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result, context) => {
    if (result.success) return;
    const faults = result.error.issues.map(
      (issue): ArgumentFault => ({
        path: issue.path.map((key) => `/${String(key)}`).join(""),
        rule: issue.code ?? "invalid",
        expected: expectation(issue),
        got: "input" in issue && issue.input !== undefined ? JSON.stringify(issue.input) : "nothing",
      }),
    );
    const place = target === "query" ? "query" : "path";
    const said = faults.map(({ path, expected }) => `${path.slice(1)} is ${expected}`).join("; ");
    return replyFailure(context, {
      code: "INVALID_REQUEST",
      message: `The ${place} does not fit: ${said}.`,
      faults,
    });
  });
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `one of ${issue.values.map(String).join(", ")}`;
  return issue.message;
}
