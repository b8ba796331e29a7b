/** What holds for the tools of a request in every dialect, whatever was asked for. */
import fc from "fast-check";
import { toStrictJsonSchema } from "openai/lib/transform";
import { describe, expect, test } from "vitest";
import { type Dialect, dialects, type ToolOptions } from "../../src/dialect/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { functionWith, schemaOf } from "./definition.ts";
import { parametersAndArguments, plainParametersAndArguments, reordered } from "./generated.ts";
import { isSpoken, isValid, sent } from "./model.ts";

const runs = { numRuns: 200 };
const none: ToolOptions = { strict: false, examples: false, defer: false };
const all: ToolOptions = { strict: true, examples: true, defer: true };

const anyOptions = fc.record({ strict: fc.boolean(), examples: fc.boolean(), defer: fc.boolean() });
const anyParameters = fc.oneof(parametersAndArguments, plainParametersAndArguments);

/** The schema of the one tool that parameters become when it is to be strict; null where it is not. */
function strictSchema(dialect: Dialect, parameters: JsonObject): JsonObject | null {
  const { tools } = dialect.encodeTools([functionWith(parameters)], { ...none, strict: true });
  const [tool] = tools;
  return tool?.json.includes('"strict":true') ? schemaOf(tool.json) : null;
}

/** Where the function itself accepts null, a model that must send something may send that. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

describe.each(Object.values(dialects))("$name", (dialect) => {
  test("sends no tool that the provider would refuse", () => {
    fc.assert(
      fc.property(fc.array(anyParameters, { maxLength: 3 }), anyOptions, (functions, options) => {
        const definitions = functions.map(({ parameters, given }, index) =>
          functionWith(parameters, { name: `f${index}`, examples: [given] }),
        );
        for (const { json } of dialect.encodeTools(definitions, options).tools) {
          expect(dialect.problemsOf(json)).toEqual([]);
        }
      }),
      runs,
    );
  });

  test("gives the prepared tools where nothing is asked for", () => {
    fc.assert(
      fc.property(anyParameters, ({ parameters }) => {
        const definition = functionWith(parameters);
        const plain = dialect.encodeTool(definition);
        expect(dialect.encodeTools([definition], none)).toEqual({
          json: dialect.wrapTools([plain.json]),
          tools: [plain],
          notes: [],
        });
      }),
      runs,
    );
  });

  test("gives the same bytes in whatever order the keywords of a schema are written", () => {
    fc.assert(
      fc.property(anyParameters, ({ parameters }) => {
        const other = reordered(parameters);
        const encoded = (schema: JsonObject) => dialect.encodeTools([functionWith(schema)], all);
        expect(isJsonObject(other) && encoded(other)).toEqual(encoded(parameters));
      }),
      runs,
    );
  });

  test("says why, of every function that was to be strict and is not", () => {
    fc.assert(
      fc.property(anyParameters, ({ parameters }) => {
        const definition = functionWith(parameters);
        const { tools, notes } = dialect.encodeTools([definition], { ...none, strict: true });
        const isStrict = tools.some(({ json }) => json.includes('"strict":true'));
        const isAboutIt = notes.some(({ function: name }) => name === definition.name);
        const isAboutAll = notes.some(({ function: name }) => name === null);
        // A note about the whole list says what strict tools are like, or that there are none.
        expect({ isAboutIt, isAboutAll }).toEqual(
          isStrict ? { isAboutIt: false, isAboutAll: true } : { isAboutIt: !isAboutAll, isAboutAll },
        );
      }),
      runs,
    );
  });
});

describe.each([dialects.openai, dialects["openai-responses"], dialects.anthropic])(
  "a strict tool of $name",
  (dialect) => {
    test("accepts what the function accepts, and its arguments come back as the function declares them", () => {
      let strict = 0;
      fc.assert(
        fc.property(plainParametersAndArguments, ({ parameters, given }) => {
          const definition = functionWith(parameters);
          const schema = strictSchema(dialect, parameters);
          if (schema === null) return;
          strict += 1;
          const asSent = sent(given, schema);
          expect({ asSent, schema, isValid: isValid(asSent, schema) }).toMatchObject({ isValid: true });
          const restored = isJsonObject(asSent) ? dialect.restoreArguments(definition, asSent) : null;
          expect(withoutNulls(restored)).toEqual(withoutNulls(given));
          if (isSpoken(parameters)) expect(isValid(restored, parameters)).toBe(true);
        }),
        { numRuns: 600 },
      );
      // Where none were strict, the law would be empty.
      expect(strict).toBeGreaterThan(100);
    });
  },
);

test("OpenAI's own SDK finds nothing to change in a strict schema", () => {
  fc.assert(
    fc.property(plainParametersAndArguments, ({ parameters }) => {
      const schema = strictSchema(dialects.openai, parameters);
      if (schema !== null) expect(toStrictJsonSchema(schema)).toEqual(schema);
    }),
    runs,
  );
});
