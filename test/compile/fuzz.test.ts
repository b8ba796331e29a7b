import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Judge } from "../../scripts/fuzz/judge.ts";
import { brokenDocument } from "../../scripts/fuzz/mutate.ts";
import { ownSeeds } from "../../scripts/fuzz/seeds.ts";
import { shrunk } from "../../scripts/fuzz/shrink.ts";
import { WorkCounter } from "../../scripts/fuzz/work.ts";

const PART = 500;
const SEED = 2026;
const seeds = ownSeeds();

let judge: Judge;
beforeAll(async () => {
  judge = await Judge.open();
});
afterAll(() => judge.close());

describe("broken documents", () => {
  test.each(Array.from({ length: 4 }, (_, part) => part * PART))(
    "crash nothing, keep nothing busy, and are spoken about at places that they have: %i and on",
    (from) => {
      for (let number = from; number < from + PART; number++) {
        const text = brokenDocument(seeds, SEED, number);
        const { finding } = judge.judge(text);
        if (finding === null) continue;
        const short = shrunk(text, (shorter) => judge.judge(shorter).finding?.kind === finding.kind);
        expect({ number, ...finding, text: short }).toBeNull();
      }
    },
    600_000,
  );

  test("are the same for the same numbers, and others for others", () => {
    const texts = Array.from({ length: 50 }, (_, number) => brokenDocument(seeds, SEED, number));
    expect(texts).toEqual(Array.from({ length: 50 }, (_, number) => brokenDocument(seeds, SEED, number)));
    expect(new Set(texts).size).toBeGreaterThan(45);
    expect(brokenDocument(seeds, SEED + 1, 0)).not.toBe(texts[0]);
  });
});

/** Many things on a line, where a place is dear to find: work for each byte must not grow with their number. */
const lines: [string, (times: number) => string][] = [
  [
    "keys that stand twice in a line",
    (times) => `\`\`\`yaml\nmeta: {name: a, ${"a: 1, ".repeat(times)}}\n\`\`\`\n`,
  ],
  ["hidden characters in a line", (times) => "a\u200B".repeat(times)],
  ["hidden characters behind many lines", (times) => "\r\n".repeat(times) + "a\u200B".repeat(times)],
  ["brackets that are never closed", (times) => `\`\`\`yaml\nmeta: ${"[".repeat(times)}\n\`\`\`\n`],
  ["lists in a line", (times) => "- ".repeat(times)],
  ["lines of a plain text", (times) => `\`\`\`yaml\nmeta: a\n${"  b: c\n".repeat(times)}\`\`\`\n`],
];

describe("work", () => {
  test.each(lines)("does not grow faster than a document does: %s", (_what, make) => {
    const header = "---\nname: tides\ndescription: The tides at a harbour, high and low.\n---\n";
    const blocksOf = (times: number): number => judge.judge(header + make(times)).blocks;
    blocksOf(1_000);
    expect(blocksOf(16_000) / blocksOf(2_000)).toBeLessThan(12);
  });

  test("is counted by what runs, not by time", () => {
    const counter = new WorkCounter((url) => url.includes("fuzz.test"));
    const loop = new Function(
      "times",
      "let sum = 0; for (let i = 0; i < times; i++) sum += i; return sum; //# sourceURL=fuzz.test.loop",
    );
    counter.take();
    loop(10);
    const few = counter.take();
    loop(10_000);
    expect(counter.take() - few).toBeGreaterThan(9_900);
    counter.close();
  });
});

describe("a shrunk document", () => {
  test("has the fault still, and little else", () => {
    const text = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join("");
    expect(shrunk(text, (shorter) => shorter.includes("17") && shorter.includes("4"))).toMatch(
      /^(17.*4|4.*17)$/s,
    );
  });

  test("is the document where nothing can go", () => {
    expect(shrunk("ab", (shorter) => shorter === "ab")).toBe("ab");
    expect(shrunk("", () => true)).toBe("");
  });
});
