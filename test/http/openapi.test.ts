import { describe, expect, test } from "vitest";
import { failureTable } from "../../src/errors.ts";
import { openApiDocument } from "../../src/http/index.ts";
import { operations } from "../../src/http/operations.ts";
import { routeScope } from "../../src/http/scopes.ts";
import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { member } from "./description.ts";

const document = openApiDocument("1.2.3");

function described({ path, method }: { path: string; method: string }): JsonObject {
  const operation = member(document, "paths", path, method);
  if (isJsonObject(operation)) return operation;
  throw new Error(`no ${method} ${path}`);
}

function listed(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

describe("the description of the interface", () => {
  test("is an OpenAPI 3.1 document of this version", () => {
    expect(document).toMatchObject({
      openapi: "3.1.0",
      info: { title: "Skillgate", version: "1.2.3" },
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("has every operation, and references to nothing but what it holds", () => {
    const paths = Object.entries(isJsonObject(document.paths) ? document.paths : {});
    const found = paths.flatMap(([path, item]) =>
      Object.keys(isJsonObject(item) ? item : {}).map((method) => `${method} ${path}`),
    );
    expect(found.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
    const references = new Set(referencesIn(document));
    expect(references.size).toBeGreaterThan(0);
    for (const reference of references) {
      expect(reference).toMatch(/^#\//);
      expect(isJsonObject(atPointer(document, reference.slice(1)))).toBe(true);
    }
  });

  test("names every failure that a caller can meet on some operation, and no other", () => {
    const codes = new Set(
      operations.flatMap((operation) =>
        Object.entries(member(described(operation), "responses") ?? {})
          .filter(([status]) => Number(status) >= 400)
          .flatMap(([, response]) => String(member(response, "description")).split(", ")),
      ),
    );
    // A route that is not there belongs to no operation, and a call too many stands in a reply that succeeds.
    const elsewhere = ["UNKNOWN_ROUTE", "TOO_MANY_CALLS"];
    const known = failureTable()
      .map(({ code }) => code)
      .filter((code) => !elsewhere.includes(code));
    expect([...codes].sort()).toEqual(known.sort());
  });
});

describe.each(operations)("the description of $method $path", (operation) => {
  test("has a summary, and every placeholder of the path as a parameter that is required", () => {
    const { summary, parameters } = described(operation);
    expect(summary).toMatch(/^[A-Z]/);
    const inPath = listed(parameters).filter((parameter) => member(parameter, "in") === "path");
    const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath.map((parameter) => [member(parameter, "name"), member(parameter, "required")])).toEqual(
      placeholders.map((name) => [name, true]),
    );
    for (const parameter of listed(parameters))
      expect(isJsonObject(member(parameter, "schema") ?? null)).toBe(true);
  });

  test("has a description for every reply, and one form for every failure", () => {
    const responses = member(described(operation), "responses");
    const statuses = Object.entries(isJsonObject(responses) ? responses : {});
    expect(statuses.some(([status]) => status.startsWith("2"))).toBe(true);
    for (const [status, response] of statuses) {
      expect(member(response, "description")).toMatch(/\S/);
      if (Number(status) < 400) continue;
      expect(member(response, "content", "application/json", "schema")).toEqual({
        $ref: "#/components/schemas/Failure",
      });
    }
  });

  test("asks for a key with a scope, but for health and what is for any key", () => {
    const { security, responses } = described(operation);
    const scope = routeScope(operation.method.toUpperCase(), operation.path);
    const forKey = scope == null ? undefined : [{ key: [scope] }];
    expect(security).toEqual(operation.path === "/health" ? [] : forKey);
    expect(member(responses, "401") === undefined).toBe(operation.path === "/health");
  });
});
