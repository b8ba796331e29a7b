import { describe, expect, test } from "vitest";
import { type Finding, type Measurement, renderReport, reportJson } from "../../scripts/bench/report.ts";

const surroundings = { processor: "Some CPU", processors: 2, node: "24.0.0", workerd: "1.0.0" };

const throughput: Measurement = {
  name: "requests/s, 32 connections",
  relation: "ratio",
  digits: 0,
  aim: 0.9,
  rounds: [
    { subject: 9_500, baseline: 10_000 },
    { subject: 8_000, baseline: 10_000 },
    { subject: 19_600, baseline: 20_000 },
  ],
};

function finding(change: Partial<Finding>): Finding {
  return {
    benchmark: "tools",
    subject: "the gateway",
    baseline: "a bare worker",
    measurements: [throughput],
    figures: [],
    notes: [],
    ...change,
  };
}

function linesOf(change: Partial<Finding>): string[] {
  return renderReport([finding(change)], surroundings).split("\n");
}

describe("the table", () => {
  test("shows medians, the ratio, its range and the aim", () => {
    expect(linesOf({}).find((line) => line.includes("requests/s"))).toBe(
      "  requests/s, 32 connections            9,500    10,000      0.95     0.80 … 0.98  ≥ 0.9 ✓",
    );
  });

  test("says which baseline a benchmark is compared with", () => {
    expect(linesOf({})).toContain("tools: the gateway against a bare worker");
  });

  test.each([
    [0.95, "≥ 0.95 ✓"],
    [0.96, "≥ 0.96 ✗"],
  ])("an aim of %d at a ratio of 0.95 reads %s", (aim, text) => {
    const [line] = linesOf({ measurements: [{ ...throughput, aim }] }).filter((each) => each.includes("≥"));
    expect(line).toMatch(new RegExp(`${text}$`));
  });

  test("a difference has its sign and the digits of the values", () => {
    const rounds = [
      { subject: 75.25, baseline: 35 },
      { subject: 30, baseline: 35 },
      { subject: 60, baseline: 35 },
    ];
    const starts: Measurement = { name: "ms", relation: "difference", digits: 1, aim: null, rounds };
    const [line] = linesOf({ measurements: [starts] }).filter((each) => each.startsWith("  ms"));
    expect(line).toMatch(/ms +60\.0 +35\.0 +\+25\.0 +−5\.0 … \+40\.3$/);
  });

  test("a figure of its own stands in the first column", () => {
    const lines = linesOf({ figures: [{ name: "bundle, KiB", value: 1234.56, digits: 1 }] });
    expect(lines).toContain("  bundle, KiB                         1,234.6");
  });

  test("long sentences are broken, so that no line is wider than 90 columns", () => {
    const long = "a sentence of many short words ".repeat(10).trim();
    const lines = linesOf({ subject: long, notes: [long] });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
    expect(lines.join(" ").replace(/\s+/g, " ")).toContain(`${long} against a bare worker`);
  });
});

describe("the JSON", () => {
  test("holds every round and what the rounds come to", () => {
    const report: unknown = JSON.parse(reportJson([finding({})], surroundings));
    expect(report).toMatchObject({
      surroundings,
      findings: [
        {
          benchmark: "tools",
          measurements: [
            {
              rounds: throughput.rounds,
              summary: { subject: 9_500, baseline: 10_000, compared: 0.95, least: 0.8, most: 0.98 },
            },
          ],
        },
      ],
    });
  });
});
