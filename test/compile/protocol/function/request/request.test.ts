import { describe, expect, test } from "vitest";
import type { FunctionDefinition, RequestBinding } from "../../../../../src/ir.ts";
import { CALL_DEADLINE_MS } from "../../../../../src/limits.ts";
import { compiled, said, withBlock } from "../../../compiled.ts";

interface Case {
  parameters?: string;
  request: string;
  /** Those in the path where this is not given. */
  required?: string;
  response?: string;
}

/** A skill whose only function has these parts; `request` begins on line 11. */
function skillWith({ parameters = "{}", request, response, required }: Case): string {
  const inPath = [...request.matchAll(/\{([a-z]+)\}/g)].flatMap(([, name = ""]) =>
    parameters.includes(`${name}: {`) ? [name] : [],
  );
  return withBlock(
    [
      "upstream: {base_url: https://x.example}",
      "functions:",
      "  - name: f",
      "    description: Sends.",
      `    parameters: {properties: ${parameters}, required: [${required ?? [...new Set(inPath)]}]}`,
      `    request: ${request}`,
      ...(response === undefined ? [] : [`    response: {data: '${response}'}`]),
    ].join("\n"),
  );
}

function functionOf(text: string): FunctionDefinition {
  const { skill, diagnostics } = compiled(text);
  expect(diagnostics).toEqual([]);
  const [definition] = skill?.functions ?? [];
  if (definition === undefined) throw new Error("the skill has no function");
  return definition;
}

function requestOf(parts: Case): RequestBinding {
  const { binding } = functionOf(skillWith(parts));
  if (binding.kind !== "request") throw new Error("the function sends no request");
  return binding.request;
}

const argument = (name: string) => ({ kind: "argument", name });

describe("a parameter named like something that expressions have already", () => {
  test.each([
    ["call", "{X-Id: '${call.id}'}", "body"],
    ["vars", "{X-Id: '${vars.SKILL_ID}'}", "body"],
    ["status", "{}", "string(status)"],
    ["body", "{}", "body"],
    ["headers", "{}", "headers"],
  ])("is sent where only the other is named: %s", (name, headers, response) => {
    const text = skillWith({
      parameters: `{${name}: {}}`,
      request: `{method: GET, path: /x, headers: ${headers}}`,
      response,
    });
    const { skill, diagnostics } = compiled(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(["parameter-shadowed"]);
    expect(skill?.functions[0]?.binding).toMatchObject({ request: { query: [{ name }] } });
  });

  test("is reached by args", () => {
    const text = skillWith({
      parameters: "{call: {}, status: {}}",
      request: `{method: GET, path: /x, query: {q: '\${args["call"]}', s: '\${status}'}}`,
    });
    const { skill, diagnostics } = compiled(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(["parameter-shadowed"]);
    expect(skill?.functions[0]?.binding).toMatchObject({
      request: { query: [{ name: "q" }, { name: "s" }] },
    });
  });
});

describe("a parameter that nothing places", () => {
  test.each(["GET", "HEAD", "DELETE"])("goes to the query with %s", (method) => {
    const request = requestOf({ parameters: "{a: {}, b: {}}", request: `{method: ${method}, path: /x}` });
    expect(request.query).toEqual([
      { name: "a", value: argument("a"), style: "csv" },
      { name: "b", value: argument("b"), style: "csv" },
    ]);
    expect(request.body).toBeNull();
  });

  test.each(["POST", "PUT", "PATCH"])("goes to the body with %s", (method) => {
    const request = requestOf({
      parameters: "{a: {}}",
      request: `{method: ${method}, path: /x, encode: form}`,
    });
    expect(request.query).toEqual([]);
    expect(request.body).toEqual({
      encode: "form",
      value: { kind: "object", members: [["a", argument("a")]] },
    });
  });

  test("goes where it wishes, under the name and in the style that it wishes", () => {
    const request = requestOf({
      parameters:
        "{q: {x-in: query, x-name: Q, x-style: repeat}, h: {x-in: header, x-name: X-H}, b: {x-in: body}, p: {x-in: path}}",
      request: "{method: POST, path: '/x/{p}'}",
    });
    expect(request).toEqual({
      upstream: "default",
      method: "POST",
      path: ["/x/", { parameter: "p" }],
      query: [{ name: "Q", value: argument("q"), style: "repeat" }],
      headers: [{ name: "X-H", value: argument("h"), style: "csv" }],
      body: { encode: "json", value: { kind: "object", members: [["b", argument("b")]] } },
    });
  });
});

describe("a parameter is placed by an expression that takes it", () => {
  test.each([
    ["by its name", "${a}"],
    ["within a text", "at ${a}"],
    ["in a calculation", "${size(a) + 1}"],
    ["by args.a", "${args.a}"],
    ['by args["a"]', '${args["a"]}'],
    ["as an optional member", "${args.?a.orValue(1)}"],
    ["in a loop", "${[1].map(x, [x, a])}"],
    ["behind a binding", "${cel.bind(x, a, x)}"],
    ["with all the others", "${args}"],
    ["by has", "${has(args.a)}"],
  ])("%s", (_case, template) => {
    const request = requestOf({
      parameters: "{a: {}, z: {}}",
      request: `{method: GET, path: /x, query: {q: '${template}'}}`,
    });
    const names = request.query.map(({ name }) => name);
    expect(names).toEqual(template === "${args}" ? ["q"] : ["q", "z"]);
  });

  test.each([
    ["a member of something else has its name", "${vars.a}"],
    ["a text has its name", '${"a"}'],
    ["a key has its name", '${ {"a": 1} }'],
    ["a loop's variable has its name", "${[1].map(a, a + 1)}"],
    ["a bound variable has its name", "${cel.bind(a, 1, a)}"],
  ])("and not where %s", (_case, template) => {
    const request = requestOf({
      parameters: "{a: {}}",
      request: `{method: GET, path: /x, query: {q: '${template}'}}`,
    });
    expect(request.query.map(({ name }) => name)).toEqual(["q", "a"]);
  });

  test("in the path, a header or the body alike", () => {
    const request = requestOf({
      parameters: "{p: {}, h: {}, b: {}, rest: {}}",
      request: "{method: POST, path: '/x/{p}', headers: {X-H: '${h}'}, body: {n: ['${b}', '${rest}']}}",
    });
    expect(request.query).toEqual([]);
    expect(request.body?.value.kind).toBe("object");
  });

  test("a parameter that only the response names is not sent", () => {
    expect(
      requestOf({
        parameters: "{fields: {}, a: {}}",
        request: "{method: GET, path: /x}",
        response: "body.pick(fields)",
      }).query,
    ).toMatchObject([{ name: "a" }]);
  });

  test("a key of that name in the response does not count as naming it", () => {
    expect(
      requestOf({
        parameters: "{symbol: {}}",
        request: "{method: GET, path: /x}",
        response: '{"symbol": body.symbol}',
      }).query,
    ).toMatchObject([{ name: "symbol" }]);
  });
});

describe("a parameter is placed once and somewhere", () => {
  test.each([
    [
      "a wish beside a template",
      "{a: {x-in: query}}",
      "{method: GET, path: /x, query: {q: '${a}'}}",
      "parameter-placed-twice 10:41",
    ],
    [
      "a wish for the path that the path does not grant",
      "{a: {x-in: path}}",
      "{method: GET, path: /x}",
      "parameter-not-placed 10:41",
    ],
    [
      "a body that leaves it out",
      "{a: {}}",
      "{method: POST, path: /x, body: {}}",
      "parameter-not-placed 10:31",
    ],
    ["a wish for an unknown place", "{a: {x-in: cookie}}", "{method: GET, path: /x}", "not-one-of 10:41"],
    ["a name that is none", "{a: {x-name: ''}}", "{method: GET, path: /x}", "wrong-type 10:43"],
    ["a name that is a number", "{a: {x-name: 1}}", "{method: GET, path: /x}", "wrong-type 10:43"],
    ["a style that does not exist", "{a: {x-style: tabs}}", "{method: GET, path: /x}", "not-one-of 10:44"],
    [
      "a path that names what is no parameter",
      "{a: {}}",
      "{method: GET, path: '/{b}'}",
      "parameter-unknown 11:36",
    ],
  ])("%s is said", (_case, parameters, request, diagnostic) => {
    expect(said(skillWith({ parameters, request }))).toEqual([diagnostic]);
  });
});

describe("a parameter that stands in the path", () => {
  test.each([
    ["is required", "{p: {}}", "p", []],
    ["has a default", "{p: {default: 1}}", "", []],
    ["may be absent, which is said", "{p: {}}", "", ["path-parameter-optional 11:36"]],
  ])("%s", (_case, parameters, required, diagnostics) => {
    const request = "{method: GET, path: '/{p}'}";
    expect(said(skillWith({ parameters, request, required }))).toEqual(diagnostics);
  });
});

describe("a name on the wire is sent once", () => {
  test.each([
    [
      "a parameter beside a query field",
      "{q: {}}",
      "{method: GET, path: /x, query: {q: 1}}",
      ["field-sent-twice 10:31"],
    ],
    [
      "two parameters in the query",
      "{a: {x-name: q}, b: {x-name: q}}",
      "{method: GET, path: /x}",
      ["field-sent-twice 10:59"],
    ],
    [
      "two parameters in the body",
      "{a: {}, b: {x-name: a}}",
      "{method: POST, path: /x}",
      ["field-sent-twice 10:50"],
    ],
    [
      "two headers in other capitals",
      "{}",
      "{method: GET, path: /x, headers: {X-A: 1, x-a: 2}}",
      ["field-sent-twice 11:56"],
    ],
    [
      "a parameter beside a header",
      "{x-a: {x-in: header}}",
      "{method: GET, path: /x, headers: {X-A: 1}}",
      ["field-sent-twice 10:31"],
    ],
    [
      "one name in the query, the headers and the body",
      "{a: {x-in: query, x-name: n}, b: {x-in: header, x-name: n}, c: {x-in: body, x-name: n}}",
      "{method: POST, path: /x}",
      [],
    ],
    ["query fields in other capitals", "{q: {}}", "{method: GET, path: /x, query: {Q: 1}}", []],
  ])("%s", (_case, parameters, request, diagnostics) => {
    expect(said(skillWith({ parameters, request }))).toEqual(diagnostics);
  });
});

describe("a path", () => {
  test.each([
    ["/", ["/"]],
    ["/a/{p}", ["/a/", { parameter: "p" }]],
    ["/{p}.json", ["/", { parameter: "p" }, ".json"]],
    ["/a{p}b{p}", ["/a", { parameter: "p" }, "b", { parameter: "p" }]],
    ["/潮汐", ["/潮汐"]],
    ["/a:b;c=1,2", ["/a:b;c=1,2"]],
  ])("%s is taken apart", (path, parts) => {
    expect(requestOf({ parameters: "{p: {}}", request: `{method: POST, path: '${path}'}` }).path).toEqual(
      parts,
    );
  });

  test("names what is no parameter where it stands, and the one that is near", () => {
    const parts = { parameters: "{harbour: {}}", request: "{method: GET, path: '/潮/{harbour}/{harbor}'}" };
    expect(compiled(skillWith(parts)).diagnostics).toMatchObject([
      { code: "parameter-unknown", line: 11, column: 48, endColumn: 56, fix: "{harbour}" },
    ]);
  });

  test.each(["x", "", "/a/../b", "/..", "/.", "/a?b=1", "/a#b", "/a b", "/a\\b", "https://y.example/x"])(
    "%j is refused",
    (path) => {
      expect(said(skillWith({ request: `{method: GET, path: '${path}'}` }))).toEqual(["path-invalid 11:34"]);
    },
  );
});

describe("a request that could never be sent", () => {
  test.each([
    [
      "GET with a body written out",
      "{a: {}}",
      "{method: GET, path: /x, body: {b: 1}}",
      ["body-not-allowed 11:38"],
    ],
    ["HEAD with an empty body", "{}", "{method: HEAD, path: /x, body: {}}", ["body-not-allowed 11:39"]],
    [
      "GET with a parameter in the body",
      "{a: {x-in: body}}",
      "{method: GET, path: /x}",
      ["body-not-allowed 10:41"],
    ],
    ["DELETE with a body", "{a: {x-in: body}}", "{method: DELETE, path: /x}", []],
  ])("%s", (_case, parameters, request, diagnostics) => {
    expect(said(skillWith({ parameters, request }))).toEqual(diagnostics);
  });

  test.each([
    ["a parameter named like a credential", "{Authorization: {x-in: header}}", ["header-reserved 10:31"]],
    ["a parameter sent as a credential", "{a: {x-in: header, x-name: Cookie}}", ["header-reserved 10:57"]],
    ["a parameter that frames the message", "{a: {x-in: header, x-name: host}}", ["header-reserved 10:57"]],
    ["a parameter whose name is no header's", "{bad name: {x-in: header}}", ["header-invalid 10:31"]],
    ["a parameter of the same name in the query", "{Authorization: {x-in: query}}", []],
    ["a parameter that may be a header", "{a: {x-in: header, x-name: X-Tide}}", []],
  ])("%s", (_case, parameters, diagnostics) => {
    expect(said(skillWith({ parameters, request: "{method: GET, path: /x}" }))).toEqual(diagnostics);
  });
});

describe("what a document does not say follows from the method", () => {
  test.each([
    ["GET", { readOnly: true, destructive: false, idempotent: true, openWorld: true }],
    ["HEAD", { readOnly: true, destructive: false, idempotent: true, openWorld: true }],
    ["POST", { readOnly: false, destructive: false, idempotent: false, openWorld: true }],
    ["PUT", { readOnly: false, destructive: false, idempotent: true, openWorld: true }],
    ["PATCH", { readOnly: false, destructive: false, idempotent: false, openWorld: true }],
    ["DELETE", { readOnly: false, destructive: true, idempotent: true, openWorld: true }],
  ])("%s", (method, annotations) => {
    expect(functionOf(skillWith({ request: `{method: ${method}, path: /x}` })).annotations).toEqual(
      annotations,
    );
  });

  test("a computation reads only and reaches nothing", () => {
    const definition = functionOf(withBlock("functions:\n  - {name: f, description: d, compute: 1 + 1}"));
    expect(definition.annotations).toEqual({
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
    });
  });

  test("and gives way to what it does say", () => {
    const text = withBlock(
      "functions:\n  - {name: f, description: d, compute: 1 + 1, annotations: {read_only: false, destructive: true}}",
    );
    expect(functionOf(text).annotations).toMatchObject({
      readOnly: false,
      destructive: true,
      idempotent: false,
    });
  });
});

describe("an upstream", () => {
  const upstream = (yaml: string) =>
    compiled(
      withBlock(
        `upstream: {${yaml}}\nfunctions:\n  - {name: f, description: d, request: {method: GET, path: /x}}`,
      ),
    );

  test.each([
    ["10", 10_000],
    ["2.5", 2_500],
    ["500ms", 500],
    ["10s", 10_000],
    ["'10 s'", 10_000],
    ["25", CALL_DEADLINE_MS],
  ])("waits %s", (timeout, milliseconds) => {
    const { skill } = upstream(`base_url: https://x.example/v1///, timeout: ${timeout}`);
    expect(skill?.upstreams).toMatchObject([{ name: "default", upstream: { timeoutMs: milliseconds } }]);
    expect(skill?.upstreams[0]?.upstream.baseUrl).toBe("https://x.example/v1");
  });

  test.each(["0", "26", "-1", "5m", "ten", "1e3", "[10]"])("does not wait %s", (timeout) => {
    expect(upstream(`base_url: https://x.example, timeout: ${timeout}`).skill).toBeNull();
  });

  test.each([
    "x.example",
    "/v1",
    "ftp://x.example",
    "https://user:secret@x.example",
    "https://x.example/?a=1",
    "https://x.example/#a",
    "http://x.example#",
    "https://x.example/?",
    "javascript:alert(1)",
    "https://",
  ])("has no base URL like %s", (url) => {
    expect(upstream(`base_url: '${url}'`).diagnostics.map(({ code }) => code)).toEqual(["base-url-invalid"]);
  });

  test.each(["Authorization", "cookie", "Host", "Content-Length", "Transfer-Encoding"])(
    "sets no header %s",
    (header) => {
      const { diagnostics } = upstream(`base_url: https://x.example, headers: {${header}: x}`);
      expect(diagnostics.map(({ code }) => code)).toEqual(["header-reserved"]);
    },
  );

  test.each(["'X Y'", "'a:b'", "''", "城市"])("has no header of the name %s", (header) => {
    const { diagnostics } = upstream(`base_url: https://x.example, headers: {${header}: x}`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["header-invalid"]);
  });

  test.each(['"a\\nb"', "城市", '"${vars.x}\\r\\n"'])("sends no header with the value %s", (value) => {
    const { diagnostics } = upstream(`base_url: https://x.example, headers: {X-A: ${value}}`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["header-invalid"]);
  });

  test("a hundred thousand slashes behind a base URL are as good as one", () => {
    expect(upstream(`base_url: https://x.example/${"/".repeat(100_000)}x`).skill).not.toBeNull();
  });

  test("a function says what its upstream does not, and the upstream what the function does not", () => {
    const { skill } = compiled(
      withBlock(
        "upstream: {base_url: https://x.example, response: {success: status == 200, data: body.data, error: {code: body.code}}}\n" +
          "functions:\n  - name: f\n    description: d\n    request: {method: GET, path: /x}\n" +
          "    response: {data: body.rows, error: {message: body.text}}",
      ),
    );
    expect(skill?.functions[0]?.binding).toMatchObject({
      response: {
        success: "status == 200",
        data: "body.rows",
        error: { code: "body.code", message: "body.text", retryAfter: null },
      },
    });
  });
});
