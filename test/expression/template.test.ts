import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  renderTemplate,
  splitTemplate,
  type TemplateContext,
  templateExpressions,
  templateFromText,
} from "../../src/expression/index.ts";
import type { Template } from "../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { computed, SCOPE } from "./computed.ts";

const values: JsonObject = {
  symbol: "NVDA.US",
  limit: 3,
  price: 2.5,
  live: true,
  tags: ["a", 1],
  options: { b: null },
  either: null,
};

const context: TemplateContext = {
  argument: (name) => values[name] ?? null,
  evaluate: (source) => computed(source, values, SCOPE),
};

function templateOf(text: string): Template {
  const parsed = templateFromText(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.template;
}

function rendered(template: Template): JsonValue {
  const result = renderTemplate(template, context);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

describe("a text is cut at its expressions", () => {
  test.each([
    ["", [""]],
    ["plain", ["plain"]],
    ["${symbol}", [{ source: "symbol", start: 2 }]],
    ["a${symbol}b${limit}", ["a", { source: "symbol", start: 3 }, "b", { source: "limit", start: 13 }]],
    ["潮${symbol}汐", ["潮", { source: "symbol", start: 3 }, "汐"]],
    ["$${symbol}", ["${symbol}"]],
    ["$$${symbol}", ["$${symbol}"]],
    ["a$${b}${symbol}", ["a${b}", { source: "symbol", start: 8 }]],
    ["$ {symbol} $symbol {symbol}", ["$ {symbol} $symbol {symbol}"]],
    ["${ {'a': {'b': 1}}.a }", [{ source: " {'a': {'b': 1}}.a ", start: 2 }]],
    ["${'}'}x", [{ source: "'}'", start: 2 }, "x"]],
    ['${"}"}', [{ source: '"}"', start: 2 }]],
    ["${'{'}", [{ source: "'{'", start: 2 }]],
    ["${'\\'}'}", [{ source: "'\\'}'", start: 2 }]],
    ['${"a\'}"}', [{ source: '"a\'}"', start: 2 }]],
    ['${"""a"}"""}x', [{ source: '"""a"}"""', start: 2 }, "x"]],
    ["${'''a'}'''}", [{ source: "'''a'}'''", start: 2 }]],
    ["${r'\\d}'}", [{ source: "r'\\d}'", start: 2 }]],
    ["${1 // }\n}", [{ source: "1 // }\n", start: 2 }]],
    ["${}", [{ source: "", start: 2 }]],
    ["}${symbol}}", ["}", { source: "symbol", start: 3 }, "}"]],
  ])("%j", (text, pieces) => {
    expect(splitTemplate(text)).toEqual({ ok: true, pieces });
  });

  test.each([
    ["a ${symbol", 2],
    ["${", 0],
    ["${'}", 0],
    ["${{}", 0],
    ["${symbol} ${limit", 10],
    ["${1 // }", 0],
  ])("%j has one that is never closed", (text, start) => {
    expect(splitTemplate(text)).toMatchObject({ ok: false, fault: { start, end: text.length } });
  });

  test("what stands between its expressions is left as it is", () => {
    const part = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("$", "{", "}", "$$", "'", '"'));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        // Every `${` in the plain parts is escaped, and none is made where two of them meet.
        const plain = parts.join("").replaceAll("${", "");
        fc.pre(!plain.includes("${") && !plain.endsWith("$"));
        expect(rendered(templateOf(`${plain}\${symbol}`))).toBe(`${plain}NVDA.US`);
        expect(rendered(templateOf(`$\${${plain}`))).toBe(`\${${plain}`);
      }),
    );
  });
});

describe("a template", () => {
  test.each([
    ["that is one expression keeps its type: a number", "${limit}", 3],
    ["a boolean", "${live}", true],
    ["a list", "${tags}", ["a", 1]],
    ["an object", "${options}", { b: null }],
    ["null", "${either}", null],
    ["with text around it is text", "n=${limit}", "n=3"],
    ["with a blank around it is text", " ${limit}", " 3"],
    ["two expressions are text", "${limit}${live}", "3true"],
    ["null in a text is nothing", "[${either}]", "[]"],
    ["a decimal number in a text", "${price}x", "2.5x"],
    ["a list in a text is JSON", "t=${tags}", 't=["a",1]'],
    ["an object in a text is JSON", "o=${options}", 'o={"b":null}'],
    ["without an expression is its text", "plain ${'$'}{", "plain ${"],
  ])("%s", (_case, text, value) => {
    expect(rendered(templateOf(text))).toEqual(value);
  });

  test("an argument is taken as it is and never read as a template again", () => {
    const hostile: TemplateContext = {
      argument: () => "${vars.SKILL_KEY}",
      evaluate: () => ({ ok: true, value: "${vars.SKILL_KEY} $${x}" }),
    };
    const texts = [{ kind: "argument", name: "a" }, templateOf("${a}"), templateOf("x ${a}")] as const;
    expect(texts.map((template) => renderTemplate(template, hostile))).toEqual([
      { ok: true, value: "${vars.SKILL_KEY}" },
      { ok: true, value: "${vars.SKILL_KEY} $${x}" },
      { ok: true, value: "x ${vars.SKILL_KEY} $${x}" },
    ]);
  });

  test("leaves members out that come out as null, and keeps null in a list", () => {
    const template: Template = {
      kind: "object",
      members: [
        ["symbol", templateOf("${symbol}")],
        ["either", templateOf("${either}")],
        ["absent", { kind: "argument", name: "note" }],
        ["list", { kind: "array", items: [templateOf("${either}"), { kind: "literal", value: 1 }] }],
        ["inner", { kind: "object", members: [["either", templateOf("${either}")]] }],
        ["zero", { kind: "literal", value: 0 }],
        ["empty", { kind: "literal", value: "" }],
        ["no", { kind: "literal", value: false }],
      ],
    };
    expect(rendered(template)).toEqual({
      symbol: "NVDA.US",
      list: [null, 1],
      inner: {},
      zero: 0,
      empty: "",
      no: false,
    });
  });

  test("makes members of any name", () => {
    const value = rendered({
      kind: "object",
      members: [["__proto__", { kind: "literal", value: { polluted: true } }]],
    });
    expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
    expect("polluted" in {}).toBe(false);
  });

  test("says which of its expressions has no value, and why", () => {
    const template: Template = { kind: "array", items: [templateOf("a ${limit / 0} b")] };
    expect(renderTemplate(template, context)).toEqual({
      ok: false,
      source: "limit / 0",
      reason: "division by zero",
    });
  });

  test("lists its expressions in order", () => {
    const template: Template = {
      kind: "object",
      members: [
        ["a", templateOf("${symbol} and ${limit}")],
        ["b", { kind: "array", items: [templateOf("${price}"), { kind: "argument", name: "x" }] }],
      ],
    };
    expect(templateExpressions(template)).toEqual(["symbol", "limit", "price"]);
  });
});
