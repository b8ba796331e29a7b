import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure, Result } from "../../../src/errors.ts";
import { prepareArguments } from "../../../src/invoke/checks/arguments.ts";
import type { BaseUrlLookup } from "../../../src/invoke/plan/base-url.ts";
import { type Plan, plan } from "../../../src/invoke/plan/plan.ts";
import { callValues, type PreparedFunction, prepare } from "../../../src/invoke/prepared.ts";
import type { UpstreamRequest } from "../../../src/invoke/upstream/request.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../../src/json.ts";
import { VERSION } from "../../../src/version.ts";
import { anyOf, authenticated, compiled, functionOf, placed, prepared, type Sketch } from "../compiled.ts";

const NO_VARIABLES: BaseUrlLookup = () => undefined;

function planned(sketch: Sketch, args: JsonObject, baseUrlOf = NO_VARIABLES): Result<Plan> {
  return plannedFor(prepared(sketch), args, baseUrlOf);
}

function plannedFor(ready: PreparedFunction, args: JsonObject, baseUrlOf = NO_VARIABLES): Result<Plan> {
  const complete = prepareArguments(ready, args);
  if (!complete.ok) return complete;
  const call = { id: "request-1", time: 1_772_280_000_000, skill: "demo", function: "ask" };
  const vars = jsonObject([["SKILL_REGION", "eu"]]);
  return plan(ready, complete.value, callValues(complete.value, { call, vars }), baseUrlOf);
}

function requestFor(sketch: Sketch, args: JsonObject = {}, baseUrlOf = NO_VARIABLES): UpstreamRequest {
  return requestOf(planned(sketch, args, baseUrlOf));
}

function requestOf(result: Result<Plan>): UpstreamRequest {
  if (result.ok && result.value.kind === "request") return result.value.request;
  throw new Error(JSON.stringify(result));
}

function failureOf(sketch: Sketch, args: JsonObject = {}): Failure | null {
  const result = planned(sketch, args);
  return result.ok ? null : result.failure;
}

/** The headers besides the ones that every request has. */
function ownHeaders({ headers }: UpstreamRequest): Record<string, string> {
  const own = headers.filter(([name]) => !["accept", "content-type", "user-agent"].includes(name));
  return Object.fromEntries(own);
}

const urls: [string, Sketch, JsonObject, string][] = [
  ["keeps the path of the base", { request: { path: "/x" } }, {}, "https://api.test/v1/x"],
  [
    "has no doubled slash",
    { upstream: { base_url: "https://api.test/v1//" }, request: { path: "/x" } },
    {},
    "https://api.test/v1/x",
  ],
  [
    "has no query where no optional parameter is given",
    { parameters: anyOf("a", "b", "c", "d", "e") },
    {},
    "https://api.test/v1/x",
  ],
  [
    "has false, zero and an empty text, and neither null nor an empty list",
    { parameters: anyOf("a", "b", "c", "d", "e") },
    { a: false, b: 0, c: "", d: null, e: [] },
    "https://api.test/v1/x?a=false&b=0&c=",
  ],
  [
    "writes lists in the style that the parameter asks for",
    {
      parameters: {
        a: {},
        b: { "x-style": "repeat" },
        c: { "x-style": "brackets" },
        d: { "x-style": "pipe" },
      },
    },
    { a: [1, 2], b: [1, 2], c: [1, 2], d: [1, 2] },
    "https://api.test/v1/x?a=1,2&b=1&b=2&c%5B%5D=1&c%5B%5D=2&d=1%7C2",
  ],
  [
    "has wire names in place of parameters' own",
    { parameters: { size: { "x-name": "page[size]" } } },
    { size: 5 },
    "https://api.test/v1/x?page%5Bsize%5D=5",
  ],
  [
    "has what expressions make of arguments, defaults and the operator's variables",
    {
      parameters: { a: { type: "integer", default: 3 } },
      request: {
        query: { double: "${a * 2}", place: "${vars.SKILL_REGION}-${call.function}", fixed: "yes" },
      },
    },
    {},
    "https://api.test/v1/x?double=6&place=eu-ask&fixed=yes",
  ],
  [
    "leaves out what an expression makes null",
    { parameters: anyOf("a"), request: { query: { q: "${a == null ? null : 'given'}" } } },
    {},
    "https://api.test/v1/x",
  ],
  [
    "has values of the query beside a body that is a list of the same name",
    {
      parameters: {
        values: {},
        query_values: { "x-in": "query", "x-name": "values", "x-style": "repeat" },
        id: {},
      },
      request: { method: "PUT", path: "/things/{id}", body: "${values}" },
    },
    { values: [1, 2], query_values: ["a", "b"], id: "p" },
    "https://api.test/v1/things/p?values=a&values=b",
  ],
  [
    "keeps same names in path, query and body apart",
    {
      parameters: {
        id: {},
        query_id: { "x-in": "query", "x-name": "id" },
        body_id: { "x-in": "body", "x-name": "id" },
      },
      request: { method: "PUT", path: "/things/{id}" },
    },
    { id: "p", query_id: "q", body_id: "b" },
    "https://api.test/v1/things/p?id=q",
  ],
];

describe("the URL of a plan", () => {
  test.each(urls)("%s", (_what, sketch, args, url) => {
    expect(requestFor(sketch, args).url).toBe(url);
  });

  test("begins where the operator's variable says, else where the skill says", () => {
    const sketch = { upstream: { base_url_variable: "DEMO_BASE_URL" } };
    const elsewhere: BaseUrlLookup = (name) =>
      name === "DEMO_BASE_URL" ? "http://127.0.0.1:9/v2/" : undefined;
    expect(requestFor(sketch, {}, elsewhere).url).toBe("http://127.0.0.1:9/v2/x");
    expect(requestFor(sketch, {}).url).toBe("https://api.test/v1/x");
    expect(requestFor({}, {}, () => "http://127.0.0.1:9").url).toBe("https://api.test/v1/x");
  });

  test("is that of the upstream which the function names", () => {
    const upstreams = {
      quotes: { base_url: "https://quotes.test" },
      orders: { base_url: "https://orders.test", headers: { "X-Desk": "1" }, timeout: "2s" },
    };
    const request = requestFor({ upstreams, request: { upstream: "orders" } });
    expect(request).toMatchObject({ url: "https://orders.test/x", timeoutMs: 2_000 });
    expect(ownHeaders(request)).toEqual({ "x-desk": "1" });
  });

  test("lists a path argument that is missing or makes a dot segment among the faults", () => {
    const sketch = { parameters: anyOf("a"), request: { path: "/{a}/x" } };
    for (const a of [null, "", ".."]) {
      expect(failureOf(sketch, { a })).toMatchObject({
        code: "INVALID_ARGUMENTS",
        function: "ask",
        faults: [{ path: "/a", rule: "path" }],
      });
    }
  });

  test("never leaves the host and the path of its template, whatever the arguments are", () => {
    const template = "/a/{p}/{q}.{p}/z-{r}";
    const ready = prepared({
      parameters: { ...anyOf("p", "q", "r", "s"), t: { "x-style": "brackets" } },
      request: { path: template },
    });
    const nasty = fc.constantFrom(
      ".",
      "..",
      "/",
      "\\",
      "%2e",
      "%2F",
      "?",
      "#",
      "@",
      ":",
      ";",
      "//evil.test",
      "\n",
      "\0",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(nasty).map((parts) => parts.join("")),
    );
    const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
    const value: fc.Arbitrary<JsonValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
    const args = fc.record({ p: value, q: value, r: value, s: value, t: value });
    const path = /^\/v1\/a\/[^/?#]+\/[^/?#]+\.[^/?#]+\/z-[^/?#]+$/;
    fc.assert(
      fc.property(args, (given) => {
        const arguments_ = jsonObject(Object.entries(given));
        const result = plan(ready, arguments_, new Map(), NO_VARIABLES);
        if (!result.ok || result.value.kind !== "request") {
          expect(result).toMatchObject({ failure: { code: "INVALID_ARGUMENTS" } });
          return;
        }
        const url = new URL(result.value.request.url);
        expect({ origin: url.origin, username: url.username, hash: url.hash }).toEqual({
          origin: "https://api.test",
          username: "",
          hash: "",
        });
        expect(url.pathname).toMatch(path);
        for (const name of url.searchParams.keys()) expect(["s", "t[]", "t"]).toContain(name);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the headers of a plan", () => {
  test.each<[string, JsonValue, string]>([
    ["text", "eu-1", "eu-1"],
    ["a number", 7, "7"],
    ["a boolean", false, "false"],
    ["a list, joined by commas", ["a", "b", null], "a, b"],
    ["an object, as JSON", { a: 1 }, '{"a":1}'],
    ["blanks around a text, which no header keeps", " \ta b\t ", "a b"],
    ["an empty text", "", ""],
  ])("hold %s", (_what, region, expected) => {
    const sketch = { parameters: placed("header", ["region"], { "x-name": "X-Region" }) };
    expect(ownHeaders(requestFor(sketch, { region }))).toEqual({ "x-region": expected });
  });

  test.each<[string, JsonValue]>([
    ["null", null],
    ["an empty list", []],
    ["a list of nulls", [null]],
  ])("lack one that is %s", (_what, region) => {
    const sketch = { parameters: placed("header", ["region"]) };
    expect(ownHeaders(requestFor(sketch, { region }))).toEqual({});
  });

  test.each([
    ["a carriage return", "a\rb"],
    ["a line feed and a header of its own", "a\nX-Evil: 1"],
    ["a line feed at the end", "a\n"],
    ["NUL", "a\0"],
    ["DEL", "a\u007f"],
    ["Latin letters above ASCII", "né"],
    ["Chinese", "腾讯"],
    ["a line separator", "a\u2028b"],
  ])("are refused with %s, and the fault names the argument", (_what, text) => {
    const sketch = { parameters: placed("header", ["a/b"], { "x-name": "X-Region" }) };
    expect(failureOf(sketch, { "a/b": text })).toEqual({
      code: "INVALID_ARGUMENTS",
      function: "ask",
      faults: [
        {
          path: "/a~1b",
          rule: "header",
          expected: expect.stringContaining("the header X-Region"),
          got: JSON.stringify(text),
        },
      ],
      unlisted: 0,
    });
  });

  test("name the header where an expression made it of several arguments", () => {
    const sketch = { parameters: anyOf("a"), request: { headers: { "X-Note": "note ${a}" } } };
    expect(failureOf(sketch, { a: "a\nb" })).toMatchObject({
      faults: [{ path: "", rule: "header", expected: expect.stringContaining("X-Note") }],
    });
  });
});

describe("headers of one name in a plan", () => {
  test("are those of the upstream and of the function, which wins over it", () => {
    const sketch = {
      upstream: { headers: { "X-Client": "skillgate", "X-Level": "upstream" } },
      request: { headers: { "x-level": "function" } },
    };
    expect(requestFor(sketch).headers).toEqual([
      ["accept", expect.any(String)],
      ["user-agent", `skillgate/${VERSION}`],
      ["x-client", "skillgate"],
      ["x-level", "function"],
    ]);
  });

  test("leave the upstream's standing where the function's own is not given", () => {
    const sketch = {
      parameters: placed("header", ["level"], { "x-name": "X-Level" }),
      upstream: { headers: { "X-Level": "upstream" } },
    };
    expect(ownHeaders(requestFor(sketch))).toEqual({ "x-level": "upstream" });
    expect(ownHeaders(requestFor(sketch, { level: "mine" }))).toEqual({ "x-level": "mine" });
  });

  test("are the skill's own for Accept, User-Agent and Content-Type, once each", () => {
    const own = { Accept: "text/csv", "User-Agent": "desk/2", "Content-Type": "application/vnd.api+json" };
    const sketch = { parameters: anyOf("a"), request: { method: "POST", headers: own } };
    expect(requestFor(sketch, { a: 1 }).headers).toEqual([
      ["accept", "text/csv"],
      ["user-agent", "desk/2"],
      ["content-type", "application/vnd.api+json"],
    ]);
  });

  test.each(["authorization", "Cookie", "host", "transfer-encoding"])(
    "lack what only the gateway may set, also where a skill has it that compiles no more: %s",
    (name) => {
      const skill = compiled({ request: { headers: { "X-Other": "kept" } } });
      const definition = functionOf(skill);
      const { binding } = definition;
      if (binding.kind !== "request") throw new Error("the function sends no request");
      const headers = [
        ...binding.request.headers,
        { name, value: { kind: "literal", value: "mine" } as const },
      ];
      const request = { ...binding.request, headers };
      const ready = prepare(skill, { ...definition, binding: { ...binding, request } });
      const result = plan(ready, {}, new Map(), NO_VARIABLES);
      if (!result.ok || result.value.kind !== "request") throw new Error(JSON.stringify(result));
      expect(ownHeaders(result.value.request)).toEqual({ "x-other": "kept" });
    },
  );

  test("never stand in for the credential, nor does a field of the query", () => {
    const credential = { method: "api_key", env_variable: "DEMO_KEY" };
    const requestWith = (sketch: Sketch, place: JsonObject, args: JsonObject) => {
      const skill = authenticated(sketch, { ...credential, ...place });
      return requestOf(plannedFor(prepare(skill, functionOf(skill)), args));
    };
    const header = { parameters: placed("header", ["key"], { "x-name": "x-api-key" }) };
    expect(ownHeaders(requestWith(header, { header: "X-API-Key" }, { key: "forged" }))).toEqual({});
    const query = { parameters: anyOf("key", "other") };
    const { url } = requestWith(query, { query: "key" }, { key: "forged", other: 1 });
    expect(url).toBe("https://api.test/v1/x?other=1");
  });
});

const post = (request: JsonObject = {}): JsonObject => ({ method: "POST", path: "/x", ...request });

const bodies: [string, Sketch, JsonObject, string, string][] = [
  [
    "JSON of the parameters that stand nowhere else",
    { parameters: anyOf("a", "b", "c"), request: post({ path: "/x/{a}" }) },
    { a: 1, b: 'say "x"\n', c: [true] },
    "application/json",
    '{"b":"say \\"x\\"\\n","c":[true]}',
  ],
  [
    "JSON without what was not given",
    { parameters: anyOf("a", "b"), request: post() },
    { a: null },
    "application/json",
    "{}",
  ],
  [
    "a template, whose values are never text to be parsed",
    {
      parameters: anyOf("msg"),
      request: post({ body: { m: "${msg}", all: ["${msg}", 1], note: "> ${msg}" } }),
    },
    { msg: 'a "b"\n${c}' },
    "application/json",
    JSON.stringify({ m: 'a "b"\n${c}', all: ['a "b"\n${c}', 1], note: '> a "b"\n${c}' }),
  ],
  [
    "one argument as the whole of it",
    { parameters: anyOf("rows"), request: post({ body: "${rows}" }) },
    { rows: [1, "二"] },
    "application/json",
    '[1,"二"]',
  ],
  [
    "a form, with lists repeated and nothing for null",
    { parameters: anyOf("a", "b", "c", "d"), request: post({ encode: "form" }) },
    { a: "1 & 2", b: ["x", "y"], c: null, d: "腾" },
    "application/x-www-form-urlencoded",
    "a=1%20%26%202&b=x&b=y&d=%E8%85%BE",
  ],
  [
    "a form whose names came with the arguments",
    { parameters: anyOf("form"), request: post({ encode: "form", body: "${form}" }) },
    { form: { "a&b": 1, "\ud800": 2 } },
    "application/x-www-form-urlencoded",
    "a%26b=1&%EF%BF%BD=2",
  ],
  [
    "text",
    { parameters: anyOf("note"), request: post({ encode: "text", body: "${note}" }) },
    { note: "第一行\n第二行" },
    "text/plain; charset=utf-8",
    "第一行\n第二行",
  ],
  [
    "text of a number",
    { parameters: anyOf("note"), request: post({ encode: "text", body: "${note}" }) },
    { note: 0 },
    "text/plain; charset=utf-8",
    "0",
  ],
];

describe("the body of a plan", () => {
  test.each(bodies)("is %s", (_what, sketch, args, type, text) => {
    const { body, headers } = requestFor(sketch, args);
    expect(body).toBe(text);
    expect(new Map(headers).get("content-type")).toBe(type);
  });

  test.each(["json", "form", "text"])("is none where it comes out as null, as %s", (encode) => {
    const sketch = { parameters: anyOf("a"), request: post({ encode, body: "${a}" }) };
    const { body, headers } = requestFor(sketch);
    expect(body).toBeNull();
    expect(headers.map(([name]) => name)).toEqual(["accept", "user-agent"]);
  });

  test.each<[JsonValue, string]>([
    ["a=1", "string"],
    [[1], "array"],
  ])("is refused as a form where it is %j", (a, kind) => {
    const sketch = { parameters: anyOf("a"), request: post({ encode: "form", body: "${a}" }) };
    expect(failureOf(sketch, { a })).toMatchObject({
      code: "EXPRESSION_FAILED",
      reason: expect.stringContaining(kind),
    });
  });

  test("holds no parameter of the path or the query, and those hold none of it", () => {
    const sketch = {
      parameters: { a: {}, b: {}, x: {}, q: { "x-in": "query" } },
      request: post({ path: "/svc/{a}/{b}" }),
    };
    const { url, body } = requestFor(sketch, { a: 1, b: 2, x: 3, q: 4 });
    expect({ url, body }).toEqual({ url: "https://api.test/v1/svc/1/2?q=4", body: '{"x":3}' });
  });
});

describe("a plan", () => {
  test("is the same for the same call", () => {
    const sketch = { parameters: anyOf("a"), request: { query: { at: "${call.time}", a: "${a}" } } };
    expect(planned(sketch, { a: "x" })).toEqual(planned(sketch, { a: "x" }));
  });

  test("has the function's timeout, else the upstream's, and the upstream's cap on replies", () => {
    const upstream = { timeout: "7s", max_response_bytes: 1_000 };
    expect(requestFor({ upstream })).toMatchObject({ timeoutMs: 7_000, maxResponseBytes: 1_000 });
    expect(requestFor({ upstream, also: { timeout: "3s" } }).timeoutMs).toBe(3_000);
  });

  test.each<[string, JsonObject, boolean]>([
    ["GET", {}, true],
    ["HEAD", {}, true],
    ["PUT", {}, true],
    ["DELETE", {}, true],
    ["POST", {}, false],
    ["PATCH", {}, false],
    ["POST", { idempotent: true }, true],
    ["POST", { read_only: true }, true],
  ])("of %s with annotations %j may be sent twice: %j", (method, annotations, repeatable) => {
    const result = planned({ request: { method }, also: { annotations } }, {});
    expect(result).toMatchObject({ value: { kind: "request", repeatable } });
  });

  test("of a computation is its answer, and a failed one says why", () => {
    const sketch = { parameters: { a: { type: "integer" } }, required: ["a"], compute: "100 / a" };
    expect(planned(sketch, { a: 5 })).toEqual({
      ok: true,
      value: { kind: "answer", by: "compute", value: 20 },
    });
    expect(failureOf(sketch, { a: 0 })).toMatchObject({ code: "EXPRESSION_FAILED", where: "ask" });
  });

  test("fails by the first expression that cannot be computed, and sends nothing half made", () => {
    const sketch = {
      parameters: { a: { type: "integer" } },
      required: ["a"],
      request: { query: { q: "${100 / a}", r: "${1 / a}" } },
    };
    expect(failureOf(sketch, { a: 0 })).toMatchObject({ code: "EXPRESSION_FAILED", where: "100 / a" });
  });

  test("takes parameters whose names mean something to JavaScript as any others", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const parameters = JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join(",")}}`);
    const args = JSON.parse(`{${names.map((name) => `"${name}":"x"`).join(",")}}`);
    expect(requestFor({ parameters }, {}).url).toBe("https://api.test/v1/x");
    expect(requestFor({ parameters }, args).url).toBe(
      "https://api.test/v1/x?__proto__=x&constructor=x&toString=x&hasOwnProperty=x",
    );
    const body = requestFor({ parameters, request: { method: "POST" } }, args).body;
    expect(body).toBe('{"__proto__":"x","constructor":"x","toString":"x","hasOwnProperty":"x"}');
  });
});

test("a skill that lacks the upstream it names, which compiles nowhere, is a fault of the program", () => {
  const skill = { ...compiled({}), upstreams: [] };
  const broken = prepare(skill, { ...functionOf(skill) });
  expect(() => plan(broken, {}, new Map(), NO_VARIABLES)).toThrow("demo has no upstream");
});
