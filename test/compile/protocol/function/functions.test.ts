import { describe, expect, test } from "vitest";
import type { FunctionDefinition } from "../../../../src/ir.ts";
import { MAX_CACHE_TTL_MS } from "../../../../src/limits.ts";
import { compiled, said, withBlock } from "../../compiled.ts";

/** A function that computes something; `fields` stand on line 7 behind column 52. */
function skillWith(fields: string): string {
  return withBlock(`functions:\n  - {name: f, description: d, compute: 1 + 1, ${fields}}`);
}

function functionOf(fields: string): FunctionDefinition | undefined {
  const { skill, diagnostics } = compiled(skillWith(fields));
  expect(diagnostics).toEqual([]);
  return skill?.functions[0];
}

describe("a cache", () => {
  test.each([
    ["{ttl: 60}", { ttlMs: 60_000, scope: "tenant" }],
    ["{ttl: 1500ms}", { ttlMs: 1_500, scope: "tenant" }],
    ["{ttl: 5m, scope: shared}", { ttlMs: 300_000, scope: "shared" }],
    ["{ttl: 2h, scope: tenant}", { ttlMs: 7_200_000, scope: "tenant" }],
    ["{ttl: 1d}", { ttlMs: MAX_CACHE_TTL_MS, scope: "tenant" }],
  ])("is read from %s", (cache, rule) => {
    const nothingMore = { staleWhileRevalidateMs: 0, staleIfErrorMs: 0, failures: [] };
    expect(functionOf(`cache: ${cache}`)?.cache).toEqual({ ...nothingMore, ...rule });
  });

  test.each([
    ["{ttl: 1m, stale_while_revalidate: 1h}", { staleWhileRevalidateMs: 3_600_000 }],
    ["{ttl: 1m, stale_if_error: 1d}", { staleIfErrorMs: MAX_CACHE_TTL_MS }],
    ["{ttl: 1m, failures: {not_found: 30s}}", { failures: [{ kind: "not_found", ttlMs: 30_000 }] }],
    [
      "{ttl: 1m, failures: {invalid: 10, not_found: 5}}",
      {
        failures: [
          { kind: "not_found", ttlMs: 5_000 },
          { kind: "invalid", ttlMs: 10_000 },
        ],
      },
    ],
  ])("says what is given besides a fresh result: %s", (cache, more) => {
    const { skill } = compiled(skillWith(`cache: ${cache}`));
    expect(skill?.functions[0]?.cache).toMatchObject({ ttlMs: 60_000, ...more });
  });

  test.each([
    ["a code of its kind", "request: {method: GET, path: /x}", "{a: not_found}", []],
    ["no code of its kind", "request: {method: GET, path: /x}", "{a: invalid}", ["kept-failure-unmet 8:93"]],
    ["no request", "compute: 1 + 1", "{a: not_found}", ["kept-failure-unmet 8:75"]],
  ])("that keeps failures, of %s: %s, %s", (_case, kind, codes, diagnostics) => {
    const text = `upstream: {base_url: "https://a.example"}
functions:
  - {name: f, description: d, ${kind}, cache: {ttl: 1m, failures: {not_found: 1m}}}
constraints: {error_handling: {codes: ${codes}}}`;
    expect(said(withBlock(text))).toEqual(diagnostics);
  });

  test("is none where none is named", () => {
    expect(functionOf("cost: 1")?.cache).toBeNull();
  });

  test.each([
    ["without a time", "{scope: shared}", ["missing-field 7:54"]],
    ["for longer than a day", "{ttl: 25h}", ["value-out-of-range 7:60"]],
    ["for no time", "{ttl: 0}", ["value-out-of-range 7:60"]],
    ["for a text", "{ttl: long}", ["value-out-of-range 7:60"]],
    ["for everybody", "{ttl: 1m, scope: public}", ["not-one-of 7:71"]],
    ["of an unknown field", "{ttl: 1m, key: a}", ["unknown-field 7:64"]],
    ["that is a time alone", "60", ["wrong-type 7:54"]],
    ["stale for no time", "{ttl: 1m, stale_while_revalidate: 0}", ["value-out-of-range 7:88"]],
    ["stale for longer than a day", "{ttl: 1m, stale_if_error: 2d}", ["value-out-of-range 7:80"]],
    ["spelt as in a header", "{ttl: 1m, stale-while-revalidate: 1m}", ["unknown-field 7:64"]],
    ["of failures that tell of the moment", "{ttl: 1m, failures: {unavailable: 1m}}", ["unknown-field 7:75"]],
    ["of failures of no kind", "{ttl: 1m, failures: not_found}", ["wrong-type 7:74"]],
  ])("is not %s", (_case, cache, diagnostics) => {
    expect(said(skillWith(`cache: ${cache}`))).toEqual(diagnostics);
  });

  test("is only for what is read-only, whatever makes it so", () => {
    const withAnnotation = (annotation: string) =>
      skillWith(`annotations: {${annotation}}, cache: {ttl: 1m}`);
    expect(said(withAnnotation("read_only: false"))).toEqual(["read-only-needed 7:80"]);
    expect(said(withAnnotation("read_only: true"))).toEqual([]);
  });
});

describe("annotations that contradict each other", () => {
  test.each([
    ["read-only and destructive", "read_only: true, destructive: true", ["values-contradict 7:78"]],
    ["neither", "read_only: true, destructive: false", []],
    ["destructive alone", "destructive: true, read_only: false", []],
  ])("%s", (_case, annotations, diagnostics) => {
    expect(said(skillWith(`annotations: {${annotations}}`))).toEqual(diagnostics);
  });
});

describe("a field that belongs to another kind of function", () => {
  test.each([
    ["response beside compute", "response: {data: body}", ["field-of-another-kind 7:47"]],
    ["result beside compute", "result: args", ["field-of-another-kind 7:47"]],
    ["paginate beside compute", "paginate: {}", ["field-of-another-kind 7:47"]],
  ])("%s is said", (_case, field, diagnostics) => {
    expect(said(skillWith(field))).toEqual(diagnostics);
  });

  test("is said of a declaration too", () => {
    const text = withBlock("functions:\n  - {name: f, description: d, response: {data: body}}");
    expect(said(text)).toEqual(["function-declaration-only 7:5", "field-of-another-kind 7:31"]);
  });
});

describe("a function that is defined twice", () => {
  test("is kept as it was first, also over several blocks", () => {
    const block = (compute: string) =>
      `\`\`\`yaml\nfunctions:\n  - {name: f, description: d, compute: ${compute}}\n\`\`\`\n`;
    const first = withBlock("functions:\n  - {name: f, description: d, compute: 1 + 1}");
    const text = first + block("2 + 2");
    expect(said(text)).toEqual(["function-duplicate 11:12"]);
    expect(compiled(text).diagnostics[0]?.message).toBe("the function f is defined on line 7 already");
  });
});

describe("a keyword of parameters that speaks to another kind of function", () => {
  test.each([
    ["x-in", "query", ["field-of-another-kind 7:77"]],
    ["x-style", "csv", ["field-of-another-kind 7:77"]],
    ["x-name", "b", ["field-of-another-kind 7:77"]],
    ["x-clause-key", "k", ["field-of-another-kind 7:77"]],
    ["x-label", "A", []],
  ])("%s is said", (keyword, value, diagnostics) => {
    expect(said(skillWith(`parameters: {properties: {a: {${keyword}: ${value}}}}`))).toEqual(diagnostics);
  });
});

describe("two upstreams", () => {
  const skillOn = (upstream: string) =>
    withBlock(
      "upstreams:\n  live: {base_url: https://live.example}\n  history: {base_url: https://history.example}\n" +
        `functions:\n  - name: f\n    description: d\n    request: {method: GET, path: /x${upstream}}`,
    );

  test("are both kept, and each function says which it uses", () => {
    const { skill, diagnostics } = compiled(skillOn(", upstream: history"));
    expect(diagnostics).toEqual([]);
    expect(skill?.upstreams.map(({ name }) => name)).toEqual(["live", "history"]);
    expect(skill?.functions[0]?.binding).toMatchObject({ request: { upstream: "history" } });
  });

  test("may not both be the one that functions use without naming it", () => {
    const text = withBlock(
      "upstream: {base_url: https://a.example}\nupstreams: {default: {base_url: https://b.example}}\n" +
        "functions:\n  - {name: f, description: d, request: {method: GET, path: /x}}",
    );
    expect(said(text)).toEqual(["duplicate-section 7:13"]);
  });

  test.each([
    ["none is named", "", ["upstream-missing 12:14"], null],
    ["another is named", ", upstream: histroy", ["upstream-unknown 12:48"], "upstream: history"],
    ["no name is near", ", upstream: archive", ["upstream-unknown 12:48"], null],
  ])("and it is said where %s", (_case, upstream, diagnostics, fix) => {
    expect(said(skillOn(upstream))).toEqual(diagnostics);
    expect(compiled(skillOn(upstream)).diagnostics[0]?.fix).toBe(fix);
  });
});
