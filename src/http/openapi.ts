import * as z from "zod/mini";
import { type FailureCode, failureTable } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type Operation, operations } from "./operations.ts";
import { failure } from "./reply-schemas.ts";
import { routeScope } from "./scopes.ts";

/**
 * The description of the HTTP interface (OpenAPI 3.1), made at build time from the schemas that validate it.
 */
export function openApiDocument(version: string): JsonObject {
  const paths: JsonObject = {};
  for (const operation of operations) {
    const existing = paths[operation.path];
    paths[operation.path] = {
      ...(isJsonObject(existing) ? existing : {}),
      [operation.method]: describe(operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Skillgate",
      version,
      description: "Skill documents as tools that any AI agent can call.",
    },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: { Failure: jsonSchema(failure) },
    },
  };
}

function jsonSchema(schema: z.ZodMiniType, io: "input" | "output" = "output"): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  const json: JsonValue = JSON.parse(JSON.stringify(rest));
  return isJsonObject(json) ? json : {};
}

/** What reading and looking up a key may come to. */
const KEY_FAILURES: readonly FailureCode[] = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMIT_EXCEEDED",
  "STORE_UNAVAILABLE",
];

function describe(operation: Operation): JsonObject {
  const { method, path, summary, parameters, query, body, replies, failures, open } = operation;
  const scope = routeScope(method.toUpperCase(), path) ?? null;
  return {
    summary,
    ...(open === true ? { security: [] } : {}),
    ...(scope === null ? {} : { security: [{ key: [scope] }] }),
    parameters: [...parametersOf("path", parameters), ...parametersOf("query", query)],
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: {
      ...describeReplies(replies),
      ...describeFailures(open === true ? failures : [...KEY_FAILURES, ...failures]),
    },
  };
}

function describeBody({ description, types }: NonNullable<Operation["body"]>): JsonObject {
  const content = Object.entries(types).map(
    ([type, schema]) => [type, { schema: schema === null ? {} : jsonSchema(schema, "input") }] as const,
  );
  return { description, content: Object.fromEntries(content) };
}

function parametersOf(place: "path" | "query", schema: z.ZodMiniObject | undefined): JsonObject[] {
  if (schema === undefined) return [];
  const { properties, required } = jsonSchema(schema, "input");
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: Array.isArray(required) && required.includes(name),
    schema: property,
  }));
}

function describeReplies(replies: Operation["replies"]): JsonObject {
  const described: JsonObject = {};
  for (const { status, description, schema, type } of replies) {
    const known = described[status];
    const content = isJsonObject(known) && isJsonObject(known.content) ? known.content : {};
    if (schema !== undefined) content["application/json"] = { schema: jsonSchema(schema) };
    if (type !== undefined) content[type] = { schema: { type: "string" } };
    described[status] = {
      description: isJsonObject(known) ? (known.description ?? "") : description,
      content,
    };
  }
  return described;
}

/** Failures share one form; a status that several codes have lists them all. */
function describeFailures(codes: readonly FailureCode[]): JsonObject {
  const byStatus = new Map<number, string[]>();
  for (const { code, status } of failureTable()) {
    if (codes.includes(code) || code === "INTERNAL")
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.join(", "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
      },
    ]),
  );
}
