import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Result } from "../../../src/errors.ts";
import { type Plan, plan } from "../../../src/invoke/plan/plan.ts";
import { callValues } from "../../../src/invoke/prepared.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../../src/json.ts";
import { prepared, type Sketch } from "../compiled.ts";

const NAMES = ["a", "b", "c", "d", "e"];
/** Parameters that no path has. */
const ELSEWHERE = ["c", "d", "e"];

const nasty = fc.constantFrom(
  ...[
    ".",
    "..",
    "/",
    "\\",
    "%2e",
    "%2F",
    "%5c",
    "?",
    "#",
    "@",
    ":",
    ";",
    "&",
    "=",
    "{b}",
    "${a}",
    "\r\n",
    "\0",
  ],
  ...["//evil.test", "http://evil.test/", "腾", "😀", "\ud800", "\u2025", "．．", "／", " "],
);
const text = fc.oneof(
  fc.array(nasty, { maxLength: 4 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(text, scalar, { maxKeys: 2 }),
);

/** A segment of a path template: fixed text and placeholders, at least one of them. */
const segment = fc
  .array(fc.oneof(fc.constantFrom("x", "v1", "-", "~", "%20", ".json"), fc.constantFrom("{a}", "{b}")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(""));

/** Parameters that stand in the path, and others each in a place of its own. */
function parametersFor(path: string, places: readonly string[], styles: readonly string[]): JsonObject {
  const inPath = ["a", "b"].filter((name) => path.includes(`{${name}}`)).map((name) => [name, {}]);
  const others = ELSEWHERE.map((name, index) => {
    const place = places[index] ?? "query";
    const style = place === "query" ? { "x-style": styles[index] ?? "csv" } : {};
    return [name, { "x-in": place, ...style }];
  });
  return Object.fromEntries([...inPath, ...others]);
}

const sketch = fc
  .record({
    base: fc.constantFrom(
      "https://api.test",
      "https://api.test/",
      "https://api.test:8443/v1",
      "https://api.test/a/b//",
    ),
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
    segments: fc.array(segment, { minLength: 1, maxLength: 4 }),
    encode: fc.constantFrom("json", "form", "text"),
    places: fc.tuple(...ELSEWHERE.map(() => fc.constantFrom("query", "header", "body"))),
    styles: fc.tuple(...ELSEWHERE.map(() => fc.constantFrom("csv", "repeat", "brackets", "pipe"))),
  })
  .map(({ base, method, segments, encode, places, styles }) => {
    const path = `/${segments.join("/")}`;
    const hasBody = method === "POST" || method === "PUT";
    const allowed = hasBody ? places : places.map((place) => (place === "body" ? "query" : place));
    const made: Sketch = {
      parameters: parametersFor(path, allowed, styles),
      upstream: { base_url: base },
      request: { method, path, ...(hasBody ? { encode } : {}) },
    };
    return { made, base, path, hasBody };
  });

/** What a URL's path may be: the base's path and the template's, each placeholder within its own segment. */
function pattern(base: string, path: string): RegExp {
  const fixed = new URL(base).pathname.replace(/\/+$/, "") + path;
  const parts = fixed.split(/\{[ab]\}/).map((part) => part.replaceAll(/[.~$()*+?^|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/?#\\\\]+")}$`);
}

function planned(made: Sketch, given: Record<string, JsonValue>): Result<Plan> {
  const names = Object.keys(made.parameters ?? {});
  const args = jsonObject(names.map((name) => [name, given[name] ?? null]));
  const call = { id: "request-1", time: 0, skill: "demo", function: "ask" };
  return plan(prepared(made), args, callValues(args, { call, vars: {} }), () => undefined);
}

describe("a plan of any skill with any arguments", () => {
  test("stays within the host and the path of its template, and within its own fields", () => {
    const given = fc.record(Object.fromEntries(NAMES.map((name) => [name, value])));
    let plans = 0;
    fc.assert(
      fc.property(sketch, given, ({ made, base, path, hasBody }, args) => {
        const result = planned(made, args);
        if (!result.ok || result.value.kind !== "request") {
          expect(["INVALID_ARGUMENTS", "EXPRESSION_FAILED"]).toContain(result.ok ? "" : result.failure.code);
          return;
        }
        plans += 1;
        const { url: written, headers, body } = result.value.request;
        const url = new URL(written);
        expect([url.origin, url.username, url.hash]).toEqual([new URL(base).origin, "", ""]);
        // Written as it is read: no reader of URLs has anything to take away from it.
        expect(url.href).toBe(written);
        expect(url.pathname).toMatch(pattern(base, path));
        for (const name of url.searchParams.keys())
          expect(Object.keys(made.parameters ?? {})).toContain(name.replace(/\[\]$/, ""));
        for (const [, header] of headers) expect(header).toMatch(/^[\t\x20-\x7e]*$/);
        if (!hasBody) expect(body).toBeNull();
      }),
      { numRuns: 400 },
    );
    expect(plans).toBeGreaterThan(50);
  });
});
