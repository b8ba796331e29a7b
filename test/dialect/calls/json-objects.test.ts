import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FoundObjects, objectsIn } from "../../../src/dialect/calls/json-objects.ts";

function find(text: string, maxNesting = 64): FoundObjects {
  return objectsIn(text, { key: '"do"', value: '"it"' }, maxNesting);
}

/** The objects with the member, as they are written. */
function having(text: string): string[] {
  return find(text).having.map(({ start, end }) => text.slice(start, end));
}

describe("the objects with a member", () => {
  test.each<[what: string, text: string, found: string[]]>([
    ["alone", '{"do":"it"}', ['{"do":"it"}']],
    ["among other members", '{"a":[{}],"do" : "it","b":1}', ['{"a":[{}],"do" : "it","b":1}']],
    ["within another object", '{"a":[1,{"do":"it"}]}', ['{"do":"it"}']],
    ["within one that has it too", '{"do":"it","a":{"do":"it"}}', ['{"do":"it","a":{"do":"it"}}']],
    ["within a broken one", '{"do":"it","a":{"do":"it"}', ['{"do":"it"}']],
    ["one after the other", '{"do":"it"} {x} {"do":"it"}', ['{"do":"it"}', '{"do":"it"}']],
    ["behind a quote out of place", '{"a":"x {"do":"it"}', ['{"do":"it"}']],
    [
      "written twice, the last is right",
      '{"do":"it","do":"that"}{"do":"that","do":"it"}',
      ['{"do":"that","do":"it"}'],
    ],
    ["as a value, a key alone, in a list", '{"a":"do","it":"do","b":["do","it"]}', []],
    ["of another value", '{"do":["it"]}{"do":{"it":"it"}}{"do":1}', []],
  ])("are found %s", (_what, text, found) => {
    expect(having(text)).toEqual(found);
  });

  test("are found as far as they are not nested too deep, whatever they stand in", () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}{"do":"it"}${"}".repeat(levels)}`;
    expect(having(nested(200))).toEqual(['{"do":"it"}']);
    const deep = `{"do":"it","a":${nested(2)}}`;
    expect(find(deep, 4).having).toHaveLength(1);
    expect(find(deep, 3).broken.at(0)?.fault).toMatchObject({
      at: deep.indexOf('{"do"', 1),
      expected: "at most 3 levels of nesting",
    });
  });

  test("say where what is none goes wrong, each that is open there", () => {
    const { broken } = find('{"a":{"b":1},"c":{"d":}');
    expect([0, 5, 17].map((start) => broken.at(start)?.fault.at ?? null)).toEqual([22, null, 22]);
  });
});

describe("the work of finding them", () => {
  const LENGTH = 20_000;
  const wide = "1,".repeat(LENGTH);

  test.each<[what: string, text: string]>([
    ["many nested objects around a long list", `${'{"a":'.repeat(62)}{"l":[${wide}1]}${"}".repeat(62)}`],
    ["many nested objects that are never closed", `${'{"a":['.repeat(31)}${wide}`],
    ["more than may be nested", '{"a":'.repeat(LENGTH)],
    ["nothing but braces", "{".repeat(LENGTH)],
    ["braces in texts", `${'{"'.repeat(LENGTH)}${'{"{}":"{'.repeat(LENGTH)}`],
    ["braces within a text of a whole object", `{"a":"${'{"b":1}'.replaceAll('"', "").repeat(LENGTH)}"}`],
  ])("is no more than to read the text twice: %s", (_what, text) => {
    expect(find(text).tokens).toBeLessThanOrEqual(2 * text.length);
  });

  test("is that in any text", () => {
    const pieces = fc.constantFrom("{", "}", '"', '{"a":', '"a"', ":", ",", "[", "]", "1", "\\", " ", "x");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        expect(find(text).tokens).toBeLessThanOrEqual(2 * text.length);
      }),
    );
  });
});
