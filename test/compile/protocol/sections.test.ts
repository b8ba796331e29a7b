import { describe, expect, test } from "vitest";
import type { Skill } from "../../../src/ir.ts";
import { MAX_EXAMPLES, MAX_LISTED_FAULTS } from "../../../src/limits.ts";
import { compiled, said, withBlock } from "../compiled.ts";

const FUNCTION =
  "functions:\n  - name: f\n    description: d\n    parameters: {properties: {a: {type: integer}}, required: [a]}\n    compute: a + 1";

function skillOf(text: string): Skill {
  const { skill, diagnostics } = compiled(text);
  expect(diagnostics).toEqual([]);
  if (skill === null) throw new Error("the document is no skill");
  return skill;
}

const badConstraints: [string, string, string[]][] = [
  [
    "a limit of nothing",
    "  rate_limit: {global: {max_requests_per_minute: 0}}",
    ["value-out-of-range 12:50"],
  ],
  [
    "a limit that is no whole number",
    "  rate_limit: {global: {max_requests_per_day: 1.5}}",
    ["wrong-type 12:47"],
  ],
  ["a header that is none", "  rate_limit: {global: {retry_header: Retry After}}", ["header-invalid 12:39"]],
  [
    "a limit for a function that does not exist",
    "  rate_limit: {per_endpoint: {g: {max_requests_per_day: 1}}}",
    ["function-unknown 12:31"],
  ],
  [
    "a code that is both retryable and not",
    "  error_handling: {retryable_codes: [1, '2'], non_retryable_codes: [3, 2]}",
    ["values-contradict 12:72"],
  ],
  [
    "one code alone that is both retryable and not",
    "  error_handling: {retryable_codes: 1, non_retryable_codes: 1}",
    ["values-contradict 12:61"],
  ],
  [
    "a code of a kind that does not exist",
    "  error_handling: {codes: {1: rate_limit}}",
    ["not-one-of 12:31"],
  ],
  [
    "a first delay above the longest one",
    "  error_handling: {base_delay: 3s, max_delay: 2s}",
    ["values-contradict 12:32"],
  ],
  ["too many retries", "  error_handling: {max_retries: 6}", ["value-out-of-range 12:33"]],
  [
    "a strategy that does not exist",
    "  error_handling: {backoff_strategy: exponental}",
    ["not-one-of 12:38"],
  ],
  ["an authentication without a method", "  authentication: {env_variable: K}", ["missing-field 12:19"]],
  [
    "a key that travels nowhere",
    "  authentication: {method: api_key, env_variable: K}",
    ["missing-field 12:19"],
  ],
  [
    "a key in a header that frames the message",
    "  authentication: {method: api_key, header: Host, env_variable: K}",
    ["header-reserved 12:45"],
  ],
  [
    "a key in a header that is none",
    "  authentication: {method: api_key, header: 'X Key', env_variable: K}",
    ["header-invalid 12:45"],
  ],
  ["a secret without a name", "  authentication: {method: bearer}", ["missing-field 12:19"]],
  ["an exclusion that is a list", "  data_coverage: {exclusions: [[a]]}", ["wrong-type 12:32"]],
  [
    "an exclusion without a condition",
    "  data_coverage: {exclusions: [{message: m}]}",
    ["missing-field 12:32"],
  ],
  [
    "a condition about a function that does not exist",
    "  data_coverage: {exclusions: [{when: 'call.function == \"g\" && a > 1', message: m}]}",
    ["function-unknown 12:57"],
  ],
  [
    "a condition about several functions, of which one does not exist",
    '  data_coverage: {exclusions: [{when: \'call.function in ["f", "g"]\', message: m}]}',
    ["function-unknown 12:63"],
  ],
  [
    "a condition over an unknown name",
    "  data_coverage: {exclusions: [{when: b == 1, message: m}]}",
    ["expression-invalid 12:39"],
  ],
];

describe("constraints", () => {
  const constraints = (yaml: string) => skillOf(withBlock(`${FUNCTION}\nconstraints:\n${yaml}`)).constraints;
  const saidOf = (yaml: string) => said(withBlock(`${FUNCTION}\nconstraints:\n${yaml}`));

  test("that are not given have their defaults", () => {
    expect(constraints("  data_coverage: {markets: [US]}")).toEqual({
      globalLimits: [],
      functionLimits: [],
      rateLimitCode: null,
      retryHeader: "retry-after",
      authentication: [],
      errorHandling: {
        retryableCodes: [],
        nonRetryableCodes: [],
        codes: [],
        maxRetries: 2,
        backoff: { strategy: "exponential_jitter", baseDelayMs: 1000, maxDelayMs: 25000 },
      },
      coverage: { markets: ["US"], exclusions: [] },
    });
  });

  test("are read", () => {
    const yaml = [
      "  rate_limit:",
      "    global: {max_requests_per_minute: 60, max_requests_per_day: 5000, error_code: 3001, retry_header: X-Retry}",
      "    per_endpoint: {f: {max_requests_per_minute: 20}}",
      "  authentication: {method: api_key, query: key, env_variable: TIDES_KEY}",
      "  error_handling: {retryable_codes: [3001, '5000'], non_retryable_codes: 1001, max_retries: 0,",
      "    codes: {1001: unauthenticated, '3001': rate_limited},",
      "    backoff_strategy: fixed, base_delay: 250ms, max_delay: 2}",
      "  data_coverage:",
      "    exclusions:",
      "      - There is no data before 1990.",
      "      - {when: args.a > 5, message: 没有这个数据。}",
    ].join("\n");
    expect(constraints(yaml)).toEqual({
      globalLimits: [
        { max: 60, window: "minute" },
        { max: 5000, window: "day" },
      ],
      functionLimits: [{ function: "f", limits: [{ max: 20, window: "minute" }] }],
      rateLimitCode: "3001",
      retryHeader: "x-retry",
      authentication: [{ method: "api_key", in: "query", name: "key", variable: "TIDES_KEY" }],
      errorHandling: {
        retryableCodes: ["3001", "5000"],
        nonRetryableCodes: ["1001"],
        codes: [
          { code: "1001", kind: "unauthenticated" },
          { code: "3001", kind: "rate_limited" },
        ],
        maxRetries: 0,
        backoff: { strategy: "fixed", baseDelayMs: 250, maxDelayMs: 2000 },
      },
      coverage: {
        markets: null,
        exclusions: [
          { when: null, message: "There is no data before 1990." },
          { when: "args.a > 5", message: "没有这个数据。" },
        ],
      },
    });
  });

  test.each(badConstraints)("%s is said", (_case, yaml, diagnostics) => {
    expect(saidOf(yaml)).toEqual(diagnostics);
  });

  test.each(["base_delay", "max_delay"])("%s is at most the time of a whole call", (delay) => {
    expect(saidOf(`  error_handling: {${delay}: 25}`)).toEqual([]);
    expect(saidOf(`  error_handling: {${delay}: 26}`)).toEqual([
      `value-out-of-range 12:${22 + delay.length}`,
    ]);
  });

  test("the first delay that is not given is at most the longest one", () => {
    const { backoff } = constraints("  error_handling: {max_delay: 200ms}").errorHandling;
    expect(backoff).toMatchObject({ baseDelayMs: 200, maxDelayMs: 200 });
  });

  test("a code's kind is put right where one is near", () => {
    const yaml = "  error_handling: {codes: {2002: not_fuond}}";
    const { diagnostics } = compiled(withBlock(`${FUNCTION}\nconstraints:\n${yaml}`));
    expect(diagnostics.map(({ fix }) => fix)).toEqual(["2002: not_found"]);
  });

  test("a rule over all functions may name a parameter that only some of them have", () => {
    const second =
      "  - {name: g, description: d, parameters: {properties: {a: {type: string}}, required: [a]}, compute: a}";
    const text = withBlock(
      `${FUNCTION}\n${second}\nconstraints: {data_coverage: {exclusions: [{when: 'call.function == "g" && a.startsWith("x")', message: m}]}}`,
    );
    expect(compiled(text).diagnostics).toEqual([]);
  });
});

describe("examples", () => {
  test("with many faults are told the first of them, and how many more there are", () => {
    const parameters = "{items: {type: array, items: {type: integer}}}";
    const items = Array.from({ length: MAX_LISTED_FAULTS + 5 }, () => "x").join(", ");
    const { diagnostics } = compiled(
      withBlock(
        `functions:\n  - {name: f, description: d, parameters: {properties: ${parameters}}, compute: 1 + 1,\n` +
          `     examples: [{items: [${items}]}]}`,
      ),
    );
    expect(diagnostics).toHaveLength(MAX_LISTED_FAULTS + 1);
    expect(diagnostics[0]?.message).toMatch(/ is refused by f for 5 more reasons$/);
  });

  const withExamples = (yaml: string) => withBlock(`${FUNCTION}\nexamples:\n${yaml}`);

  test("are read, calls that go out together with them", () => {
    const yaml =
      "  - user: 三加一是多少？\n    thought: ' Add. '\n    function: f\n    params: {a: 3}\n" +
      "    parallel_calls: [{function: f, params: {a: 4}}]";
    expect(skillOf(withExamples(yaml)).examples).toEqual([
      {
        user: "三加一是多少？",
        thought: "Add.",
        calls: [
          { function: "f", parameters: { a: 3 } },
          { function: "f", parameters: { a: 4 } },
        ],
      },
    ]);
  });

  test.each([
    [
      "arguments that the function refuses",
      "  - {user: u, function: f, params: {a: x}}",
      ["schema-value-rejected 12:40"],
    ],
    ["arguments that are missing", "  - {user: u, function: f}", ["schema-value-rejected 12:5"]],
    [
      "a call beside it that the function refuses",
      "  - {user: u, function: f, params: {a: 1}, parallel_calls: [{function: f, params: {b: 1}}]}",
      ["schema-value-rejected 12:83", "schema-value-rejected 12:87"],
    ],
    ["no question", "  - {function: f, params: {a: 1}}", ["missing-field 12:5"]],
    ["no function", "  - {user: u}", ["missing-field 12:5"]],
    [
      "arguments in a list",
      "  - {user: u, function: f, params: [1]}",
      ["wrong-type 12:36", "schema-value-rejected 12:36"],
    ],
    ["a function that does not exist", "  - {user: u, function: ff, params: {}}", ["function-unknown 12:25"]],
    [
      "a field that means nothing",
      "  - {user: u, function: f, params: {a: 1}, parms: 1}",
      ["unknown-field 12:44"],
    ],
  ])("%s is said", (_case, yaml, diagnostics) => {
    expect(said(withExamples(yaml))).toEqual(diagnostics);
  });

  test("of a function are checked against its schema too", () => {
    const text = (example: string) => withBlock(`${FUNCTION}\n    examples: [{a: 1}, ${example}]`);
    expect(said(text("{a: 2}"))).toEqual([]);
    expect(said(text("{a: x}"))).toEqual(["schema-value-rejected 11:28"]);
    expect(said(text("x"))).toEqual(["wrong-type 11:24"]);
  });

  test("are at most so many as are worth checking", () => {
    const one = "  - {user: u, function: f, params: {a: 1}}\n";
    expect(said(withExamples(one.repeat(MAX_EXAMPLES).trimEnd()))).toEqual([]);
    expect(said(withExamples(one.repeat(MAX_EXAMPLES + 1).trimEnd()))).toEqual([
      `value-out-of-range ${12 + MAX_EXAMPLES}:5`,
    ]);
  });
});

describe("a function", () => {
  const saidOf = (yaml: string) =>
    said(withBlock(`functions:\n  - {name: f, description: d, compute: 1 + 1, ${yaml}}`));

  test("has all its fields read", () => {
    const yaml =
      "functions:\n  - {name: _f-1, title: T, description: ' d ', category: c, permission: p, cost: 0, timeout: 1.5, deprecated: true,\n" +
      "     returns: {type: integer}, compute: 1 + 1}";
    expect(skillOf(withBlock(yaml)).functions).toMatchObject([
      {
        name: "_f-1",
        title: "T",
        description: "d",
        category: "c",
        permission: "p",
        cost: 0,
        timeoutMs: 1500,
        deprecated: true,
        returns: { type: "integer" },
        binding: { kind: "compute", expression: "1 + 1" },
      },
    ]);
  });

  test.each([
    ["a cost below nothing", "cost: -1", ["value-out-of-range 7:53"]],
    ["a cost that is no whole number", "cost: 0.5", ["wrong-type 7:53"]],
    ["deprecated that is a text", "deprecated: 'yes'", ["wrong-type 7:59"]],
    ["an annotation that does not exist", "annotations: {readonly: true}", ["unknown-field 7:61"]],
    ["a title that is a list", "title: [a]", ["wrong-type 7:54"]],
    ["a title without a value", "title: ", ["empty-field 7:47"]],
  ])("%s is said", (_case, yaml, diagnostics) => {
    expect(saidOf(yaml)).toEqual(diagnostics);
  });

  test.each(["get tides", "1st", "", "潮汐", "a.b", "x".repeat(65)])("is not named %j", (name) => {
    expect(said(withBlock(`functions:\n  - {name: '${name}', description: d, compute: 1 + 1}`))).toEqual([
      "function-name-invalid 7:12",
    ]);
  });

  test("without a description is refused, and so is an entry that is no mapping", () => {
    expect(said(withBlock("functions:\n  - {name: f, compute: 1 + 1}"))).toEqual(["missing-field 7:5"]);
    expect(
      said(withBlock("functions:\n  - {name: f, description: d, compute: 1 + 1, examples: {a: 1}}")),
    ).toEqual(["wrong-type 7:57"]);
  });
});

describe("meta", () => {
  test("and front matter are joined; the front matter comes first", () => {
    const text =
      "---\nname: tides\ndescription: The tides at a harbour, by day.\ntags: [sea, moon]\nversion: 2.0.0\n---\n" +
      "```yaml\nmeta: {name: tides, description: Other., version: 1.0.0, category: tool, tags: [moon, sun], permission: p}\n```\n";
    expect(skillOf(text)).toMatchObject({
      description: "The tides at a harbour, by day.",
      version: "2.0.0",
      category: "tool",
      tags: ["sea", "moon", "sun"],
      permission: "p",
    });
  });

  test("of the same name in another composition of letters agrees", () => {
    const text = `---\nname: caf\u00E9-각\ndescription: The tides at a harbour, by day.\n---\n\`\`\`yaml\nmeta: {name: cafe\u0301-\u1100\u1161\u11A8}\n\`\`\`\n`;
    expect(skillOf(text).name).toBe("café-각");
  });

  test.each([
    ["1.0.0", true],
    ["1.2.3-rc.1+build.5", true],
    ["1.2", false],
    ["v1.2.3", false],
  ])("version %s is of the form of semver.org: %s", (version, isGood) => {
    const diagnostics = said(withBlock(`meta: {name: tides, version: ${version}}`));
    expect(diagnostics).toEqual(isGood ? [] : ["version-not-semver 6:30"]);
  });

  test.each([
    ["analysis", null],
    ["analysys", "category: analysis"],
    ["weather", null],
  ])("category %s is put right with %s", (category, fix) => {
    const { diagnostics } = compiled(withBlock(`meta: {name: tides, category: ${category}}`));
    expect(diagnostics.map((diagnostic) => diagnostic.fix)).toEqual(fix === null ? [] : [fix]);
  });
});
