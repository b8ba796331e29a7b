import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../../src/compile/index.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { compiled, withBlock } from "../../compiled.ts";

/** What is said of a function with these parameters; `parameters:` is on line 9, behind column 16. */
function compiledParameters(parameters: string): {
  parameters: JsonObject | undefined;
  diagnostics: Diagnostic[];
} {
  const yaml = `functions:\n  - name: f\n    description: d\n    parameters: ${parameters}\n    compute: 1 + 1`;
  const { skill, diagnostics } = compiled(withBlock(yaml));
  return { parameters: skill?.functions[0]?.parameters, diagnostics };
}

function saidOf(parameters: string): string[] {
  return compiledParameters(parameters).diagnostics.map(
    ({ code, line, column }) => `${code} ${line}:${column - 16}`,
  );
}

describe("parameters", () => {
  test.each([
    ["that are not given are none", "", { type: "object", properties: {}, additionalProperties: false }],
    [
      "are an object without saying so",
      "{properties: {a: {}}}",
      { type: "object", properties: { a: {} }, additionalProperties: false },
    ],
    ["may be none", "{}", { type: "object", properties: {}, additionalProperties: false }],
    [
      "may leave themselves open",
      "{additionalProperties: true}",
      { additionalProperties: true, type: "object", properties: {} },
    ],
    [
      "with patterns of names stay open",
      "{patternProperties: {^x: {}}}",
      { patternProperties: { "^x": {} }, type: "object", properties: {} },
    ],
    [
      "that are put together stay open",
      "{allOf: [{properties: {a: {}}}], required: [a]}",
      { allOf: [{ properties: { a: {} } }], required: ["a"], type: "object", properties: {} },
    ],
  ])("%s", (_case, yaml, parameters) => {
    const yamlOrNothing = yaml === "" ? "{}" : yaml;
    const compiledOnes = compiledParameters(yamlOrNothing);
    expect(compiledOnes.diagnostics).toEqual([]);
    expect(compiledOnes.parameters).toEqual(parameters);
  });

  test("keep every keyword and annotation", () => {
    const yaml =
      "{properties: {a: {type: string, x-label: A, contentEncoding: base64, readOnly: true, $comment: c}}, title: T}";
    const { parameters, diagnostics } = compiledParameters(yaml);
    expect(diagnostics).toEqual([]);
    expect(parameters).toMatchObject({
      title: "T",
      properties: {
        a: { type: "string", "x-label": "A", contentEncoding: "base64", readOnly: true, $comment: "c" },
      },
    });
  });

  test.each([
    ["a text", "hello", "wrong-type 9:1"],
    ["a list", "[a]", "wrong-type 9:1"],
    ["true", "true", "wrong-type 9:1"],
    ["a schema of something else", "{type: string}", "schema-root-not-object 9:8"],
    ["a schema of several things", "{type: [object, string]}", "schema-root-not-object 9:8"],
  ])("are not %s", (_case, yaml, diagnostic) => {
    expect(saidOf(yaml)).toEqual([diagnostic]);
  });
});

const badSchemas: [string, string, string[]][] = [
  ["a type that does not exist", "{properties: {a: {type: strng}}}", ["schema-keyword-invalid 9:25"]],
  ["a bound that is a text", "{properties: {a: {minimum: '5'}}}", ["schema-keyword-invalid 9:28"]],
  [
    "an exclusive bound of an older draft that excludes nothing",
    "{properties: {a: {exclusiveMinimum: true}}}",
    ["schema-keyword-invalid 9:37"],
  ],
  ["a tuple of an older draft", "{properties: {a: {items: [{}]}}}", ["schema-keyword-invalid 9:26"]],
  [
    "required as in older drafts, of no property",
    "{items: {required: true}}",
    ["schema-keyword-invalid 9:20"],
  ],
  ["a name required twice", "{properties: {a: {}}, required: [a, a]}", ["schema-keyword-invalid 9:37"]],
  ["properties in a list", "{properties: [a]}", ["schema-keyword-invalid 9:14"]],
  ["a property that is a text", "{properties: {a: string}}", ["schema-keyword-invalid 9:14"]],
  ["no alternative", "{properties: {a: {anyOf: []}}}", ["schema-keyword-invalid 9:26"]],
  ["a name of its own", "{$id: 'https://x.example/s', properties: {}}", ["schema-keyword-invalid 9:7"]],
  ["a reference to nowhere", "{properties: {a: {$ref: '#/$defs/a'}}}", ["schema-reference-invalid 9:25"]],
  ["a reference to another document", "{properties: {a: {$ref: a.json}}}", ["schema-reference-invalid 9:25"]],
  [
    "a reference to an inner address",
    "{properties: {a: {$ref: 'http://169.254.169.254/x'}}}",
    ["schema-reference-invalid 9:25"],
  ],
  [
    "a reference to a file",
    "{properties: {a: {$ref: 'file:///etc/hosts'}}}",
    ["schema-reference-invalid 9:25"],
  ],
  ["a reference to a host", "{properties: {a: {$ref: //h/x}}}", ["schema-reference-invalid 9:25"]],
  [
    "a reference to what is no schema",
    "{properties: {a: {$ref: '#/required'}}, required: [a]}",
    ["schema-reference-invalid 9:25"],
  ],
  ["a reference to itself", "{properties: {a: {$ref: '#/properties/a'}}}", ["schema-reference-invalid 9:18"]],
  [
    "a reference to itself through another",
    "{$defs: {a: {allOf: [{$ref: '#/$defs/b'}]}, b: {not: {$ref: '#/$defs/a'}}}}",
    ["schema-reference-invalid 9:13"],
  ],
  ["a pattern that does not compile", "{properties: {a: {pattern: '('}}}", ["schema-pattern-invalid 9:28"]],
  [
    "a pattern of names that does not compile",
    "{patternProperties: {'(': {type: string}}}",
    ["schema-pattern-invalid 9:27"],
  ],
  [
    "a default that it rejects",
    "{properties: {a: {type: integer, default: x}}}",
    ["schema-value-rejected 9:43"],
  ],
  [
    "an example that it rejects",
    "{properties: {a: {maximum: 3, examples: [1, 5]}}}",
    ["schema-value-rejected 9:45"],
  ],
  [
    "an enum value that it rejects",
    "{properties: {a: {type: string, enum: [a, 1]}}}",
    ["schema-value-rejected 9:43"],
  ],
  [
    "an enum value that a reference beside it rejects",
    "{properties: {a: {$ref: '#/$defs/n', enum: [1, x]}}, $defs: {n: {type: integer}}}",
    ["schema-value-rejected 9:48"],
  ],
  [
    "more enum values than a model is offered",
    `{properties: {a: {enum: [${Array.from({ length: 1_001 }, (_, index) => index).join(", ")}]}}}`,
    ["schema-keyword-invalid 9:25"],
  ],
  [
    "a default that a reference rejects",
    "{properties: {a: {$ref: '#/$defs/n', default: x}}, $defs: {n: {type: integer}}}",
    ["schema-value-rejected 9:47"],
  ],
  [
    "a default that its schema deep inside rejects",
    "{properties: {a: {properties: {b: {type: integer}}, default: {b: x}}}}",
    ["schema-value-rejected 9:66"],
  ],
  [
    "a required name that is no property",
    "{properties: {a: {}}, required: [a, b]}",
    ["schema-required-unknown 9:37"],
  ],
  ["a keyword that is misspelt", "{properties: {a: {minimun: 5}}}", ["unknown-field 9:19"]],
  [
    "a required name that is no property, deep inside",
    "{properties: {a: {type: array, items: {properties: {b: {}}, required: [c]}}}}",
    ["schema-required-unknown 9:72"],
  ],
  [
    "a constant that it rejects",
    "{properties: {a: {type: string, const: 1}}}",
    ["schema-value-rejected 9:40"],
  ],
  ["an anchor given twice", "{$defs: {a: {$anchor: x}, b: {$anchor: x}}}", ["schema-reference-invalid 9:40"]],
  ["a reference to no anchor", "{properties: {a: {$ref: '#x'}}}", ["schema-reference-invalid 9:25"]],
];

describe("a schema", () => {
  test.each(badSchemas)("is refused, or warned about, with %s", (_case, yaml, diagnostics) => {
    expect(saidOf(yaml)).toEqual(diagnostics);
  });

  test.each([
    ["int", "type: integer"],
    ["Integer", "type: integer"],
    ["STRING", "type: string"],
    ["str", "type: string"],
    ["float", "type: number"],
    ["bool", "type: boolean"],
    ["dict", "type: object"],
    ["list", "type: array"],
    ["strng", "type: string"],
    ["null", 'type: "null"'],
    ["[string, null]", 'type: [string, "null"]'],
    ["datetime", "type: string, format: date-time"],
    ["any", "remove type"],
    ["whatever", null],
  ])("says what to write in the place of the type %s", (type, fix) => {
    const { diagnostics } = compiledParameters(`{properties: {a: {type: ${type}}}}`);
    expect(diagnostics).toMatchObject([{ code: "schema-keyword-invalid", fix }]);
  });

  test("may name a place by an anchor, which becomes a reference to the place", () => {
    const yaml = "{properties: {a: {$ref: '#size'}}, $defs: {s: {$anchor: size, type: integer}}}";
    const { parameters, diagnostics } = compiledParameters(yaml);
    expect(diagnostics).toEqual([]);
    expect(parameters).toMatchObject({
      properties: { a: { $ref: "#/$defs/s" } },
      $defs: { s: { type: "integer" } },
    });
  });

  test("does not put the blame for its faults on what refers to it", () => {
    const yaml =
      "upstream: {base_url: https://x.example}\nfunctions:\n  - name: f\n    description: d\n" +
      "    parameters: {properties: {a: {type: strng}}, required: [a]}\n    request: {method: GET, path: '/{a}', query: {q: '${a}'}}";
    expect(compiled(withBlock(yaml)).diagnostics.map(({ code }) => code)).toEqual(["schema-keyword-invalid"]);
  });

  test("is checked for values of its own also when something else is wrong with the document", () => {
    const yaml =
      "functions:\n  - {name: 1st, description: d, compute: 1 + 1}\n  - name: f\n    description: d\n    compute: 1 + 1\n" +
      "    parameters: {properties: {a: {pattern: '(', default: x}, b: {type: integer, default: x}}}";
    const codes = compiled(withBlock(yaml)).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(["function-name-invalid", "schema-pattern-invalid"]);
  });

  test("may refer to any place in itself that is a schema, and to itself one level down", () => {
    const yaml =
      "{properties: {node: {type: array, items: {type: object, properties: {children: {$ref: '#/properties/node'}, " +
      "any: {$ref: '#/$defs/a~1b%25c'}}}, default: [{children: [{children: []}]}]}}, $defs: {'a/b%c': true}}";
    expect(compiledParameters(yaml).diagnostics).toEqual([]);
  });

  test("named like a member that every object has is a schema like any other", () => {
    const yaml =
      "{properties: {constructor: {type: string}, __proto__: {type: integer, default: x}, toString: {}}}";
    expect(saidOf(yaml)).toEqual(["schema-value-rejected 9:80"]);
  });

  test("of a result is checked like one of parameters", () => {
    const yaml =
      "functions:\n  - name: f\n    description: d\n    compute: 1 + 1\n    returns: {type: whole}";
    expect(compiled(withBlock(yaml)).diagnostics).toMatchObject([
      { code: "schema-keyword-invalid", line: 10, column: 21 },
    ]);
  });
});
