/** What holds for every dialect and every schema. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialects } from "../../src/dialect/index.ts";
import { atPointer, isJsonObject } from "../../src/json.ts";
import { functionWith, shownBy } from "./definition.ts";
import { parametersAndArguments, reordered } from "./generated.ts";
import { aliasesIn, isSpoken, isValid, sent, withNull } from "./model.ts";

const runs = { numRuns: 300 };

describe.each(Object.values(dialects))("$name", (dialect) => {
  test("sends nothing that the provider would refuse, and needs no last resort", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        const { json, losses } = dialect.encodeTool(functionWith(parameters));
        expect(dialect.problemsOf(json)).toEqual([]);
        expect(losses.filter(({ note }) => note.includes("would refuse"))).toEqual([]);
      }),
      runs,
    );
  });

  test("names a place in the parameters for every loss", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        for (const { path, note } of dialect.encodeTool(functionWith(parameters)).losses) {
          expect(atPointer(parameters, path)).toBeDefined();
          expect(note).not.toBe("");
        }
      }),
      runs,
    );
  });

  test("takes arguments back as the function declares them", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters, given }) => {
        const definition = functionWith(parameters);
        const schema = shownBy(dialect, definition);
        const asSent = sent(given, schema);
        expect(isJsonObject(asSent) && dialect.restoreArguments(definition, asSent)).toEqual(given);
      }),
      runs,
    );
  });

  test("never forbids what the function allows", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters, given }) => {
        const schema = shownBy(dialect, functionWith(parameters));
        const asSent = sent(given, schema);
        expect({ asSent, schema, isValid: isValid(asSent, withNull(schema)) }).toMatchObject({
          isValid: true,
        });
      }),
      runs,
    );
  });

  test("renames different keys to different names, whatever their order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 80 }), { maxLength: 20 }),
        (keys) => {
          const aliasOf = (order: string[]): Map<string, string> => {
            const properties = Object.fromEntries(order.map((key) => [key, { type: "string" }]));
            const definition = functionWith({ type: "object", properties });
            const schema = shownBy(dialect, definition);
            return aliasesIn(schema);
          };
          const aliases = aliasOf(keys);
          const names = keys.map((key) => aliases.get(key) ?? key);
          expect(new Set(names).size).toBe(keys.length);
          expect(aliasOf([...keys].reverse())).toEqual(aliases);
        },
      ),
      runs,
    );
  });

  test("gives the same bytes for the same function and leaves its input alone", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        const before = JSON.stringify(parameters);
        const first = dialect.encodeTool(functionWith(parameters));
        const second = dialect.encodeTool(functionWith(JSON.parse(before)));
        expect(second).toEqual(first);
        expect(JSON.stringify(parameters)).toBe(before);
      }),
      runs,
    );
  });

  test("gives the same bytes in whatever order the keywords of a schema are written", () => {
    fc.assert(
      fc.property(parametersAndArguments, ({ parameters }) => {
        const other = reordered(parameters);
        expect(isJsonObject(other) && dialect.encodeTool(functionWith(other))).toEqual(
          dialect.encodeTool(functionWith(parameters)),
        );
      }),
      runs,
    );
  });
});

test("the generated arguments are valid for the generated parameters", () => {
  // Where they were not, the laws above would be empty.
  fc.assert(
    fc.property(parametersAndArguments, ({ parameters, given }) => {
      fc.pre(isSpoken(parameters));
      expect(isValid(given, parameters)).toBe(true);
    }),
    runs,
  );
});
