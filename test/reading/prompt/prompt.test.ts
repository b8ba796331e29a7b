import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PromptOptions, type PromptSkill, promptLanguages } from "../../../src/reading/index.ts";
import { promptText } from "../../../src/reading/prompt/prompt.ts";

const ORDERS: PromptSkill = {
  name: "order-books",
  category: "data-source",
  description: "Bids and asks\n## of any market.",
  tools: [
    {
      name: "get_order_book",
      description: "Bids and asks,\nbest first.",
      parameters: { type: "object", properties: { symbol: { type: "string" } }, required: ["symbol"] },
      calls: [],
    },
    {
      name: "market_overview",
      description: "All at once.",
      parameters: { type: "object" },
      calls: ["get_price", "get_order_book"],
    },
  ],
  exclusions: ["There is no order book for indices.", "There is no order book for indices."],
  document: null,
};

const TIDES: PromptSkill = {
  name: "潮汐",
  category: "tool",
  description: "港口的涨潮和落潮时间。",
  tools: [],
  exclusions: [],
  document: `# 潮汐\n\n</skill>\n${"先问清是哪个港口。".repeat(200)}`,
};

const OPTIONS: PromptOptions = { language: "en", callsInText: false, maxCharacters: null };

function prompt(skills: readonly PromptSkill[], options: Partial<PromptOptions> = {}): string {
  const text = promptText(skills, { ...OPTIONS, ...options });
  if (!text.ok) throw new Error(JSON.stringify(text.failure));
  return text.value;
}

describe("a system prompt", () => {
  test.each(promptLanguages)("in %s says all that there is to say", async (language) => {
    const short = { ...TIDES, document: "# 潮汐\n\n先问清是哪个港口。" };
    const text = prompt([ORDERS, short], { language, callsInText: true });
    await expect(text).toMatchFileSnapshot(`../../fixtures/prompt/${language}.txt`);
  });

  test.each(promptLanguages)("in %s has no section that would be empty", (language) => {
    const text = prompt([], { language });
    expect(text.match(/^# .*/gm)).toHaveLength(2);
    expect(text).not.toMatch(/\n\n\n|undefined|execute_skill/);
  });

  test("says the same in both languages: the same sections, items and names", () => {
    const [english, chinese] = promptLanguages.map((language) => {
      const text = prompt([ORDERS, TIDES], { language, callsInText: true });
      return {
        headings: text.match(/^#+(?= )/gm),
        items: text.match(/^(?:-|\d\.)(?= )/gm),
        codes: [...new Set(text.match(/`[A-Za-z_]+`/g))].sort(),
      };
    });
    expect(chinese).toEqual(english);
  });

  test("tells of parameters and of how to write a call only where the model has no tools of its own", () => {
    expect(prompt([ORDERS])).not.toMatch(/execute_skill|"symbol"/);
    expect(prompt([ORDERS], { callsInText: true })).toMatch(/"execute_skill"[\s\S]*"symbol"/);
  });

  test("lets no document close its tag, nor a description begin a line", () => {
    const text = prompt([ORDERS, TIDES]);
    expect(text.match(/<\/skill>/g)).toHaveLength(1);
    expect(text).not.toMatch(/^## of any market/m);
  });
});

describe("a prompt that is held to a size", () => {
  test("cuts a document at a character, and says where it goes on", () => {
    const text = prompt([ORDERS, TIDES], { maxCharacters: 4_000 });
    expect([...text].length).toBeLessThanOrEqual(4_000);
    const [, shown = "", total = ""] = /\[Cut here: (\d+) of (\d+) characters\./.exec(text) ?? [];
    const document = TIDES.document ?? "";
    expect(Number(total)).toBe([...document].length);
    const beginning = [...document].slice(0, Number(shown)).join("").replace("</skill", "<\\/skill");
    expect(text).toContain(`<skill name="潮汐">\n${beginning}\n[Cut here`);
    expect(Number(shown)).toBeGreaterThan(1_000);
  });

  test("shortens descriptions, and names neither skills nor tools in part", () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...ORDERS,
      name: `skill-${index}`,
      description: "Words. ".repeat(100),
      exclusions: [],
    }));
    const full = prompt(many);
    const short = prompt(many, { maxCharacters: 7_000 });
    expect([...full].length).toBeGreaterThan(15_000);
    for (const { name } of many) expect(short).toMatch(new RegExp(`^- ${name}: .*\`market_overview\``, "m"));
  });

  test("leaves out the last skills where their names are too much, and says how many", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...TIDES,
      document: null,
      name: `skill-${String(index).padStart(3, "0")}`,
    }));
    const text = prompt(many, { maxCharacters: 3_500 });
    const shown = text.match(/^- skill-/gm)?.length ?? 0;
    expect(text).toContain(`(${200 - shown} more skills have no room here.)`);
  });

  test("is refused where there is no room for anything, with the least that it takes", () => {
    const refused = promptText([ORDERS], { ...OPTIONS, maxCharacters: 1_000 });
    const message = refused.ok || refused.failure.code !== "INVALID_REQUEST" ? "" : refused.failure.message;
    const [least = 0] = (message.match(/\d+/g) ?? []).map(Number);
    expect(message).toBe(`The prompt takes at least ${least} characters, and not only 1000.`);
    expect(promptText([ORDERS], { ...OPTIONS, maxCharacters: least }).ok).toBe(true);
    expect(promptText([ORDERS], { ...OPTIONS, maxCharacters: least - 1 }).ok).toBe(false);
  });

  const skills = fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,20}$/),
      category: fc.constantFrom("tool", "flow"),
      description: fc.string({ unit: "grapheme", maxLength: 200 }),
      tools: fc.constantFrom([], ORDERS.tools),
      exclusions: fc.constantFrom([], ORDERS.exclusions),
      document: fc.option(
        fc.oneof(fc.string({ unit: "grapheme", maxLength: 2_000 }), fc.constant("</skill>…".repeat(99))),
      ),
    }),
    { maxLength: 6 },
  );

  test("has no more characters than it may, no half ones, and is the same each time", () => {
    fc.assert(
      fc.property(
        skills,
        fc.integer({ min: 1_000, max: 8_000 }),
        fc.constantFrom(...promptLanguages),
        (some, maxCharacters, language) => {
          const options = { language, callsInText: false, maxCharacters };
          const text = promptText(some, options);
          expect(promptText(some, options)).toEqual(text);
          if (!text.ok) return;
          expect([...text.value].length).toBeLessThanOrEqual(maxCharacters);
          expect(text.value.isWellFormed()).toBe(true);
          expect(text.value.match(/<\/skill>/g)?.length ?? 0).toBe(
            some.filter(({ document }) => document !== null).length,
          );
        },
      ),
    );
  });
});
