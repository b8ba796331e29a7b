import type { LimiterName } from "./model/scenario.ts";
import type { Figures, Result } from "./results.ts";

interface Column {
  /** Two lines. */
  title: readonly [string, string];
  width: number;
  value: (result: Result) => string;
}

const columns: readonly Column[] = [
  { title: ["iso-", "lates"], width: 5, value: ({ scenario }) => String(scenario.isolates) },
  { title: ["calls a", "minute"], width: 8, value: ({ scenario }) => whole(scenario.max) },
  { title: ["", "load"], width: 5, value: ({ scenario }) => String(scenario.load) },
  { title: ["over %", "naive"], width: 8, value: percent("naive", ({ over }) => over) },
  { title: ["", "kv"], width: 6, value: percent("kv", ({ over }) => over) },
  { title: ["", "exact"], width: 6, value: percent("exact", ({ over }) => over) },
  { title: ["", "auto"], width: 6, value: percent("auto", ({ over }) => over) },
  { title: ["lost %", "kv"], width: 7, value: (result) => percent("kv", lostAt(result))(result) },
  { title: ["", "auto"], width: 6, value: (result) => percent("auto", lostAt(result))(result) },
  { title: ["KV op.", "kv"], width: 7, value: figure("kv", ({ operations }) => whole(operations)) },
  { title: ["$ per", "kv"], width: 7, value: figure("kv", ({ dollars }) => dollars.toFixed(2)) },
  { title: ["million", "exact"], width: 8, value: figure("exact", ({ dollars }) => dollars.toFixed(2)) },
  { title: ["wait", "kv"], width: 5, value: figure("kv", ({ waitMs }) => whole(waitMs.most)) },
];

const LEGEND = `over    the most by which the limit was exceeded at any moment, in % of it
lost    below the limit: calls refused though there was room, in % of all; above: what of the limit was not used
KV op.  operations of KV for 1,000 calls (naive: 3,000)
wait    the longest that a call waited for a decision, in ms; calls far from their limit wait for nothing
`;

/** The results as a table for people, at most 90 columns wide. */
export function renderTable(results: readonly Result[], seeds: number): string {
  const fair = results.filter(({ title }) => title === "");
  const rough = results.filter(({ title }) => title !== "");
  const lines = [
    `Medians of ${seeds} ${seeds === 1 ? "seed" : "seeds"}.`,
    "",
    ...header(),
    ...fair.map((result, index) => `${gapBefore(fair, index)}${row(result)}`),
    ...rough.flatMap((result, index) => [
      ...(result.title === rough[index - 1]?.title ? [] : ["", result.title]),
      row(result),
    ]),
    "",
    LEGEND,
  ];
  return lines.join("\n");
}

function header(): string[] {
  return ([0, 1] as const).map((line) =>
    columns.map(({ title, width }) => title[line].padStart(width)).join(""),
  );
}

function row(result: Result): string {
  return columns.map(({ width, value }) => value(result).padStart(width)).join("");
}

/** An empty line where the number of isolates changes. */
function gapBefore(results: readonly Result[], index: number): string {
  const before = results[index - 1]?.scenario.isolates;
  return before === undefined || before === results[index]?.scenario.isolates ? "" : "\n";
}

function lostAt({ scenario }: Result): (figures: Figures) => number {
  return scenario.load <= 1 ? ({ refused }) => refused : ({ unused }) => unused;
}

function percent(name: LimiterName, value: (figures: Figures) => number): (result: Result) => string {
  return figure(name, (figures) => (100 * value(figures)).toFixed(1));
}

function figure(name: LimiterName, show: (figures: Figures) => string): (result: Result) => string {
  return ({ figures }) => {
    const found = figures[name];
    return found === undefined ? "" : show(found);
  };
}

function whole(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}
