import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMON_SCOPE, compileExpression } from "../../../src/expression/index.ts";
import { bookFigures, singleLevelFigures } from "./book-figures.ts";
import { lookFigures, resiliencyFigures, sweepSessionFigures, tradeFigures } from "./flow-figures.ts";
import { largeOrderFigures, twoDayFigures } from "./scale-figures.ts";
import {
  auctionFigures,
  icebergFigures,
  limitUpFigures,
  openingFigures,
  queueFigures,
  uncrossings,
} from "./waiting-figures.ts";
import { dataSets, shownNumber, workedRows } from "./worked-tables.ts";

const folder = join(import.meta.dirname, "../../../skills/order-book-reading");
const main = readFileSync(join(folder, "SKILL.md"), "utf8");
const references = readdirSync(join(folder, "references")).map((name) =>
  readFileSync(join(folder, "references", name), "utf8"),
);
const documents = [main, ...references].join("\n");

/** How the figures of each data set follow from it, by the names that the tables give them. */
const figuresOf: ReadonlyMap<string, (data: unknown) => Map<string, number>> = new Map([
  ["hk-book", bookFigures],
  ["hk-session", bookFigures],
  ["us-session", singleLevelFigures],
  ["large-order", largeOrderFigures],
  ["one-trade", tradeFigures],
  ["four-looks", lookFigures],
  ["queue", queueFigures],
  ["sweep", resiliencyFigures],
  ["btc-session", sweepSessionFigures],
  ["iceberg", icebergFigures],
  ["auction", auctionFigures],
  ["opening", openingFigures],
  ["limit-up", limitUpFigures],
  ["two-days", twoDayFigures],
]);

const sets = dataSets(documents);
const rows = workedRows(documents);

/** Evaluates a line of arithmetic over decimals; in CEL the division of whole numbers would drop the rest. */
function evaluated(source: string): number {
  const decimals = source.replaceAll(/(?<![\d.])\d+(?![\d.])/g, "$&.0");
  const compilation = compileExpression(decimals, COMMON_SCOPE);
  if (!compilation.ok) throw new Error(compilation.faults.map(({ message }) => message).join("\n"));
  const evaluation = compilation.expression.evaluate(new Map());
  if (!evaluation.ok) throw new Error(evaluation.reason);
  return Number(evaluation.value);
}

describe("the worked examples", () => {
  test("every data set has a table, and every table its data", () => {
    expect([...sets.keys()].sort()).toEqual([...figuresOf.keys()].sort());
    expect([...new Set(rows.map(({ example }) => example))].sort()).toEqual([...sets.keys()].sort());
  });

  test.each(rows)("$example: $quantity is $result by its data", ({ example, quantity, result }) => {
    const figure = figuresOf.get(example)?.(sets.get(example)).get(quantity);
    const shown = shownNumber(result) ?? shownNumber(quantity.replace(/^\D+/, ""));
    expect(figure).toBeDefined();
    expect(Math.abs((figure ?? Number.NaN) - (shown?.value ?? Number.NaN))).toBeLessThanOrEqual(
      shown?.tolerance ?? 0,
    );
  });

  const computed = rows.flatMap(({ arithmetic, ...row }) =>
    arithmetic === null ? [] : [{ arithmetic, ...row }],
  );
  test.each(computed)("$example: $arithmetic comes to $result", ({ arithmetic: source, result }) => {
    const shown = shownNumber(result);
    expect(Math.abs(evaluated(source) - (shown?.value ?? Number.NaN))).toBeLessThanOrEqual(
      shown?.tolerance ?? 0,
    );
  });

  test("the table of the auction follows from its orders", () => {
    const lines = uncrossings(sets.get("auction")).map(({ price, buyers, sellers, executed }) => {
      const surplus = `${Math.abs(buyers - sellers).toLocaleString("en-US")} ${buyers > sellers ? "buyers" : "sellers"}`;
      const counts = [buyers, sellers, executed].map((count) => count.toLocaleString("en-US"));
      return [String(price), ...counts, surplus];
    });
    const cells = main.split("\n").map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
    expect(cells.filter(([price]) => /^10\.0\d$/.test(price ?? ""))).toEqual(lines);
  });
});
