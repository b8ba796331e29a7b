import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitAtPlaceholders } from "../../../../../src/compile/protocol/function/prompt/braces.ts";

/** A text's pieces, placeholders as `<name>`. */
function split(text: string, names: string[] = []): string[] {
  const pieces = splitAtPlaceholders(text, (name) => names.includes(name));
  return pieces.map((piece) => (typeof piece === "string" ? piece : `<${piece.name}>`));
}

describe("a text is cut at its placeholders", () => {
  test.each([
    ["between texts", "a {b} c", ["a ", "<b>", " c"]],
    ["side by side", "{a}{b}", ["<a>", "<b>"]],
    ["the same one twice", "{a} {a}", ["<a>", " ", "<a>"]],
    ["in Chinese", "分析{维度}的{指标}。", ["分析", "<维度>", "的", "<指标>", "。"]],
    ["with digits, dots, hyphens and underscores", "{_a1.b-c}", ["<_a1.b-c>"]],
    ["within doubled braces", "{{{a}}}", ["{", "<a>", "}"]],
    ["within JSON", '{"a": {a}}', ['{"a": ', "<a>", "}"]],
    ["within doubled JSON", '{{"a": {{"b": {c}}}}}', ['{"a": {"b": ', "<c>", "}}"]],
    ["nowhere in an empty text", "", []],
  ])("%s", (_case, text, pieces) => {
    expect(split(text)).toEqual(pieces);
  });

  test.each([
    ["doubled braces", "{{a}}", "{a}"],
    ["doubled braces around a text of their own", "{{ a }} b", "{ a } b"],
    ["JSON", '{"a": {"b": 1}}', '{"a": {"b": 1}}'],
    ["JSON behind doubled braces", '{{x}} {"a": {"b": 1}}', '{x} {"a": {"b": 1}}'],
    ["a brace alone", "a { b", "a { b"],
    ["a closing brace alone", "a } b }} c", "a } b }} c"],
    ["nothing in braces", "{}", "{}"],
    ["blanks in braces", "{ a }", "{ a }"],
    ["a number in braces", "{1}", "{1}"],
    ["braces over a line's end", "{a\nb}", "{a\nb}"],
    ["an expression", "$" + "{a + 1}", "$" + "{a + 1}"],
  ])("and not at %s", (_case, text, literal) => {
    expect(split(text)).toEqual([literal]);
  });

  test("at any name that is known, whatever it looks like", () => {
    expect(split("{a b} {1}", ["a b", "1"])).toEqual(["<a b>", " ", "<1>"]);
  });

  test("and each placeholder knows where it stands", () => {
    for (const piece of splitAtPlaceholders("{{x}} 潮{a}𠮷{b}", () => false)) {
      if (typeof piece === "string") continue;
      expect("{{x}} 潮{a}𠮷{b}".slice(piece.start, piece.end)).toBe(`{${piece.name}}`);
    }
  });

  test("any text, its braces doubled, is itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "a", "潮", " ", '"') }), (text) => {
        const balanced = text.replaceAll("{", "{{") + "}}".repeat(text.split("{").length - 1);
        expect(split(balanced).join("")).toBe(text + "}".repeat(text.split("{").length - 1));
      }),
    );
  });
});
