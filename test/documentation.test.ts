import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { failureTable } from "../src/errors.ts";
import { arithmeticAdditions } from "../src/expression/functions/arithmetic/arithmetic.ts";
import { conversionReplacements } from "../src/expression/functions/conversions.ts";
import { durationAdditions, durationReplacements } from "../src/expression/functions/durations.ts";
import { formatAdditions } from "../src/expression/functions/format.ts";
import { nameOf } from "../src/expression/functions/function.ts";
import { listAdditions, SORT_PAIRS } from "../src/expression/functions/lists.ts";
import { numberAdditions } from "../src/expression/functions/numbers.ts";
import { textAdditions, textReplacements } from "../src/expression/functions/texts.ts";
import { timeAdditions, timeReplacements } from "../src/expression/functions/times.ts";
import { COMMON_SCOPE, compileExpression } from "../src/expression/index.ts";
import { compiled, withBlock } from "./compile/compiled.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const guide = readFileSync(join(root, "skills/README.md"), "utf8");

/** The rows of two columns that are code alone. */
const examples = [...guide.matchAll(/^\| `(.+)` \| `([^`]+)` \|$/gm)].map(([, source = "", value = ""]) => ({
  source,
  value,
}));

/** The fields that stand in the first column of a section's tables. */
function fieldsOf(section: string): string[] {
  const text = guide.split(/^#+ /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  const cells = [...text.matchAll(/^\| (.*?) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => cell.match(/(?<=`)[a-z_]+(?=`)/g) ?? []);
}

/** A block that has a field where a section says that it may stand. */
const placed: Record<string, (field: string) => string> = {
  Functions: (field) => `functions: [{name: f, description: d, ${field}: }]`,
  request: (field) => `functions: [{name: f, description: d, request: {${field}: }}]`,
  cache: (field) => `functions: [{name: f, description: d, compute: "1", cache: {ttl: 1m, ${field}: }}]`,
  steps: (field) => `functions: [{name: f, description: d, steps: [{id: s, call: f, ${field}: }]}]`,
  Upstreams: (field) => `upstream: {base_url: "https://a.example", ${field}: }`,
  Constraints: (field) => `constraints: {${field}: }`,
};

const functions = [
  ...arithmeticAdditions,
  ...conversionReplacements,
  ...durationAdditions,
  ...durationReplacements,
  ...formatAdditions,
  ...listAdditions,
  ...numberAdditions,
  ...textAdditions,
  ...textReplacements,
  ...timeAdditions,
  ...timeReplacements,
];

describe("the guide to writing skills", () => {
  test("shows a skill that nothing is wrong with, with every kind of function", () => {
    const [, skill = ""] = /^````md\n([\s\S]*?)^````$/m.exec(guide) ?? [];
    const result = compiled(skill, { folder: "harbour-tides" });
    expect(result.diagnostics).toEqual([]);
    const kinds = result.skill?.functions.map(({ binding }) => binding.kind);
    expect(new Set(kinds)).toEqual(new Set(["request", "compute", "prompt", "steps"]));
  });

  test("shows credentials that go together, with which nothing is wrong", () => {
    const constraints = [...guide.matchAll(/^```yaml\n(constraints:\n[\s\S]*?)^```$/gm)].map(
      ([, yaml]) => yaml,
    );
    const call =
      "upstream: {base_url: https://a.example}\nfunctions: [{name: f, description: d, request: {method: GET, path: /x}}]";
    const results = constraints.map((yaml) => compiled(withBlock(`${call}\n${yaml}`)));
    expect(results.map(({ diagnostics }) => diagnostics)).toEqual([[]]);
    expect(results[0]?.skill?.constraints.authentication).toHaveLength(2);
  });

  test.each(examples)("says what $source gives", ({ source, value }) => {
    const compilation = compileExpression(source, COMMON_SCOPE);
    expect(compilation.ok ? compilation.expression.evaluate(new Map()) : compilation.faults).toEqual({
      ok: true,
      value: JSON.parse(value),
    });
  });

  test.each(Object.entries(placed))("names only fields that mean something: %s", (section, blockWith) => {
    const fields = fieldsOf(section);
    expect(fields.length).toBeGreaterThan(2);
    const unknown = (field: string) =>
      compiled(withBlock(blockWith(field))).diagnostics.filter(({ code }) => code === "unknown-field");
    expect(fields.flatMap(unknown)).toEqual([]);
    expect(unknown("no_such_field")).toHaveLength(1);
  });

  test("names every function of expressions", () => {
    const said = new Set(guide.match(/\w+/g));
    const names = functions.map(nameOf).filter((name) => name !== SORT_PAIRS);
    expect(names.filter((name) => !said.has(name))).toEqual([]);
  });
});

describe("the documentation", () => {
  test("lists every failure code by its status, those that are retryable in bold", () => {
    const listed = [...readme.matchAll(/^\| (\d{3}) \| (.+) \|$/gm)].flatMap(([, status, cell = ""]) =>
      [...cell.matchAll(/(\*\*)?`(\w+)`/g)].map(([, bold, code = ""]) => ({
        code,
        status: Number(status),
        retryable: bold !== undefined,
      })),
    );
    const byCode = (left: { code: string }, right: { code: string }) => (left.code < right.code ? -1 : 1);
    expect(listed.sort(byCode)).toEqual(failureTable().sort(byCode));
  });

  test.each([
    ["README.md", readme],
    ["skills/README.md", guide],
  ])("%s links only to what there is", (file, text) => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
  });
});
