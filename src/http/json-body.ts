import type * as z from "zod/mini";
import { type ArgumentFault, failed, type Result, success } from "../errors.ts";
import { atPath, escapePointerToken, type JsonValue, jsonKind } from "../json.ts";
import { MAX_ADMINISTRATION_BYTES, MAX_NESTING } from "../limits.ts";
import { parseJson } from "../parse-json.ts";
import { readText } from "./body.ts";
import { expectation } from "./validation.ts";

/**
 * Reads a request's body as JSON that fits a schema. What does not fit is described and never quoted: it may be a
 * secret.
 */
export async function readJsonBody<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
  limitBytes: number = MAX_ADMINISTRATION_BYTES,
): Promise<Result<z.output<Schema>>> {
  const text = await readText(request, limitBytes, "The body");
  if (!text.ok) return text;
  const json = parseJson(text.value, MAX_NESTING);
  if (!json.ok) return failed({ code: "INVALID_REQUEST", message: `The body ${json.fault}.`, faults: [] });
  const read = schema.safeParse(json.value);
  if (read.success) return success(read.data);
  const faults = read.error.issues.flatMap((issue) => faultsOf(issue, json.value));
  const said = faults
    .map(({ path, expected }) => `${path === "" ? "it" : path} is to be ${expected}`)
    .join("; ");
  return failed({ code: "INVALID_REQUEST", message: `The body does not fit: ${said}.`, faults });
}

function faultsOf(issue: z.core.$ZodIssue, body: JsonValue): ArgumentFault[] {
  const place = issue.path.map((token) => (typeof token === "number" ? token : String(token)));
  const places = issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...place, key]) : [place];
  return places.map((tokens) => {
    const got = atPath(body, tokens);
    return {
      path: tokens.map((token) => `/${escapePointerToken(String(token))}`).join(""),
      rule: issue.code ?? "invalid",
      expected: memberExpectation(issue),
      got: got === undefined ? "nothing" : jsonKind(got),
    };
  });
}

/** What was expected of a member of a body, which is no text as parameters are. */
function memberExpectation(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `of type ${issue.expected}`;
  if (issue.code === "unrecognized_keys") return "left out, for it means nothing here";
  return expectation(issue);
}
