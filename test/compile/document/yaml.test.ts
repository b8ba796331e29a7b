import { describe, expect, test } from "vitest";
import { MAX_NESTING, MAX_YAML_ALIASES } from "../../../src/limits.ts";
import { compiled, DESCRIPTION, HEADER, said, withBlock } from "../compiled.ts";

/** A document whose front matter has one more field, on line 4 and after. */
function withField(yaml: string): string {
  return `---\nname: tides\ndescription: ${DESCRIPTION}\n${yaml}\n---\n`;
}

function frontmatterOf(yaml: string) {
  return compiled(withField(yaml)).skill?.frontmatter;
}

describe("YAML is read as version 1.2 says", () => {
  test.each([
    ["yes, no, on and off are texts", "x: [yes, no, on, off]", ["yes", "no", "on", "off"]],
    ["true and null are not", "x: [true, False, null, ~]", [true, false, null, null]],
    ["a time is a text", "x: 12:30:00", "12:30:00"],
    ["a date is a text", "x: 2024-01-31", "2024-01-31"],
    ["octal and hexadecimal numbers", "x: [0o17, 0x1F, 017]", [15, 31, 17]],
    [
      "numbers that JSON has no form for keep their text",
      "x: [.inf, -.inf, .nan]",
      [".inf", "-.inf", ".nan"],
    ],
    ["numbers that would be rounded keep their text", "x: 9007199254740993", "9007199254740993"],
    ["a merge key is a key like any other", "x: {<<: {a: 1}}", { "<<": { a: 1 } }],
    ["keys that are no texts become texts", "x: {1: a, true: b, null: c}", { 1: "a", true: "b", null: "c" }],
    ["a tag that nobody knows is ignored", "x: !price 5", "5"],
    ["a value that is missing is null", "x: {a: , b}", { a: null, b: null }],
    ["a mapping over several lines may close at column one", 'x: {\n  "a": 1\n}', { a: 1 }],
    ["aliases are what they stand for", "x: [&a {k: 1}, *a]", [{ k: 1 }, { k: 1 }]],
    ["the nearest anchor of a name counts", "x: [&a 1, *a, &a 2, *a]", [1, 1, 2, 2]],
  ])("%s", (_case, yaml, value) => {
    expect(frontmatterOf(yaml)?.x).toEqual(value);
  });

  test.each([
    ["an alias without an anchor", "x:\n  y: *none", ["yaml-syntax 5:6"]],
    ["an alias before its anchor", "x:\n  y: [*a, &a 1]", ["yaml-syntax 5:7"]],
    ["an alias within what it stands for", "x:\n  y: &a [1, *a]", ["yaml-syntax 5:13"]],
    ["a second document", "...\nx: 1", ["yaml-syntax 5:1"]],
    ["a key that stands twice", "x: {a: 1, a: 2}", ["duplicate-key 4:11"]],
    ["a number and a text that are the same key in JSON", "x: {1: a, '1': b}", ["duplicate-key 4:11"]],
    ["a mapping that is a key", "x: {{y: 1}: 2}", ["yaml-syntax 4:5"]],
    ["a list that is a key", "x:\n  ? [y]\n  : 2", ["yaml-syntax 5:5"]],
    ["a tab as indentation", "x:\n\ta: 1", ["yaml-syntax 5:1"]],
  ])("%s is an error", (_case, yaml, diagnostics) => {
    expect(said(withField(yaml))).toEqual(diagnostics);
  });
});

describe("YAML that would grow", () => {
  /** Each level names the one before ten times. */
  const bomb = (levels: number) =>
    Array.from({ length: levels }, (_, level) =>
      level === 0
        ? "x0: &x0 [a, b]"
        : `x${level}: &x${level} [${Array(10)
            .fill(`*x${level - 1}`)
            .join(", ")}]`,
    ).join("\n");

  test("a billion laughs are refused", () => {
    expect(said(withField(bomb(10)))).toEqual(["alias-limit 2:1"]);
  });

  test("aliases are counted as often as they are expanded", () => {
    const shared = (count: number) => `x: &a {k: 1}\ny: [${Array(count).fill("*a").join(", ")}]`;
    expect(said(withField(shared(MAX_YAML_ALIASES)))).toEqual([]);
    expect(said(withField(shared(MAX_YAML_ALIASES + 1)))).toEqual(["alias-limit 2:1"]);
    expect(said(withField(bomb(3)))).toEqual(["alias-limit 2:1"]);
    expect(said(withField(bomb(2)))).toEqual([]);
  });

  test("a few aliases of something large are refused too", () => {
    const large = `meta: {name: tides, tags: &t [${Array(5000).fill("a").join(", ")}]}`;
    const several = (count: number) =>
      `${large}\nexamples: &e [{user: [${Array(count).fill("*t").join(", ")}]}]`;
    expect(said(withBlock(several(5)))).toEqual(["alias-limit 6:1"]);
  });

  test("an alias may stand where a function, a template or a schema belongs", () => {
    const { skill, diagnostics } = compiled(
      withBlock(
        [
          "upstream: {base_url: https://tides.example, headers: &h {X-From: '${vars.SKILL_FROM}'}}",
          "functions:",
          "  - &f",
          "    name: get_tides",
          "    description: The tides.",
          "    parameters: &p {properties: {harbour: {type: string}}}",
          "    request: {method: POST, path: /tides, headers: *h, body: &b {code: '${harbour}'}}",
          "  - {name: get_week, description: The week., parameters: *p, request: {method: POST, path: /w, body: *b}}",
        ].join("\n"),
      ),
    );
    expect(diagnostics).toEqual([]);
    const [day, week] = skill?.functions ?? [];
    expect(week?.parameters).toEqual(day?.parameters);
    expect(week?.binding).toMatchObject({
      request: {
        body: { value: { kind: "object", members: [["code", { kind: "expression", source: "harbour" }]] } },
      },
    });
  });
});

describe("YAML that is nested", () => {
  const nested = (depth: number) => `x: ${"[".repeat(depth)}${"]".repeat(depth)}`;

  test(`is read ${MAX_NESTING} deep and no further`, () => {
    expect(said(withField(nested(MAX_NESTING - 1)))).toEqual([]);
    expect(said(withField(nested(MAX_NESTING)))).toEqual(["nesting-limit 4:67"]);
  });

  test.each([
    ["flow lists", "[".repeat(10_000) + "]".repeat(10_000)],
    ["flow lists that are never closed", "[".repeat(10_000)],
    ["flow mappings", "{a: ".repeat(10_000)],
    ["lists on one line", `\n${"- ".repeat(10_000)}a`],
    ["keys of keys", `\n ${"? ".repeat(10_000)}a`],
    ["keys behind keys on one line, which the next line leaves", `\n    ${"a: ".repeat(10_000)}b\n  c: d`],
    [
      "indented mappings",
      `\n${Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth + 3)}a:`).join("\n")}`,
    ],
  ])("ten thousand deep is refused and breaks nothing: %s", (_case, value) => {
    const { skill, diagnostics } = compiled(withBlock(`meta:\n  name: tides\n  tags: ${value}`));
    expect(skill).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toEqual(["nesting-limit"]);
  });

  test("ten thousand deep in the front matter is an error and never read as text", () => {
    const { skill, diagnostics } = compiled(`---\nname: tides\ndescription: ${"[".repeat(10_000)}\n---\n`);
    expect(skill).toBeNull();
    expect(diagnostics).toMatchObject([{ code: "nesting-limit", line: 3 }]);
  });

  test("through aliases counts as well", () => {
    const half = MAX_NESTING / 2;
    const yaml = `x: &a ${"[".repeat(half)}${"]".repeat(half)}\ny: ${"[".repeat(half)}*a${"]".repeat(half)}`;
    expect(said(withField(yaml))).toEqual(["nesting-limit 2:1"]);
  });

  test("a JSON block is measured like any other", () => {
    const text = `${HEADER}\`\`\`json\n{"meta": ${"[".repeat(10_000)}${"]".repeat(10_000)}}\n\`\`\`\n`;
    expect(said(text)).toEqual([`nesting-limit 6:${10 + MAX_NESTING - 1}`]);
  });
});
