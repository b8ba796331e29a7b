import type { LimiterName } from "./model/scenario.ts";
import type { Result } from "./results.ts";

/** The loads that a plot shows. */
export const PLOTTED_LOADS: readonly number[] = [0.5, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5];

const PANEL = { width: 300, height: 240, left: 58, top: 60, gap: 24 };

/** Shares of the limit at the lower and the upper end of the axis. What is less is drawn at the lower end. */
const LEAST_OVER = 0.001;
const MOST_OVER = 10;
const TICKS_OVER = [0.001, 0.01, 0.1, 1, 10];
const TICKS_LOAD = [0.5, 1, 2, 5];

/** Told apart by colour and by dashes, so in grey too. */
const styles: Record<LimiterName, { color: string; dashes: string }> = {
  naive: { color: "#b3261e", dashes: "2 3" },
  kv: { color: "#1a5fb4", dashes: "none" },
  exact: { color: "#26734d", dashes: "8 4" },
  auto: { color: "#9141ac", dashes: "10 3 2 3" },
};

/** Overshoot against load as an SVG: one panel for each number of isolates, one line for each limiter. */
export function renderPlot(results: readonly Result[]): string {
  const isolates = [...new Set(results.map(({ scenario }) => scenario.isolates))];
  const width = PANEL.left + isolates.length * (PANEL.width + PANEL.gap);
  const height = PANEL.top + PANEL.height + 76;
  const max = results[0]?.scenario.max ?? 0;
  const panels = isolates.map((count, index) => {
    const own = results.filter(({ scenario }) => scenario.isolates === count);
    const offset = PANEL.left + index * (PANEL.width + PANEL.gap);
    return `<g transform="translate(${offset} ${PANEL.top})">\n${panel(own, count, index === 0)}\n</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${PANEL.left}" y="22" font-size="15">Calls over a limit of ${max} a minute, by load</text>`,
    ...panels,
    legend(height - 14),
    "</svg>",
    "",
  ].join("\n");
}

function panel(results: readonly Result[], isolates: number, isFirst: boolean): string {
  const loads = results.map(({ scenario }) => scenario.load);
  const x = logScale(Math.min(...loads), Math.max(...loads), [0, PANEL.width]);
  const y = logScale(LEAST_OVER, MOST_OVER, [PANEL.height, 0]);
  return [
    `<text x="0" y="-10">${isolates} isolates</text>`,
    ...TICKS_OVER.map((tick) => horizontal(y(tick), isFirst ? percent(tick) : "")),
    ...TICKS_LOAD.map((tick) => vertical(x(tick), `${tick}×`)),
    `<text x="${PANEL.width / 2}" y="${PANEL.height + 36}" text-anchor="middle">load, in limits</text>`,
    ...limitersIn(results).map((name) => line(results, name, { x, y })),
  ].join("\n");
}

type Scale = (value: number) => number;

function logScale(least: number, most: number, [from, to]: readonly [number, number]): Scale {
  const span = Math.max(Number.EPSILON, Math.log(most / least));
  return (value) => {
    const share = Math.log(Math.min(most, Math.max(least, value)) / least) / span;
    return Number((from + share * (to - from)).toFixed(1));
  };
}

function limitersIn(results: readonly Result[]): LimiterName[] {
  const names: LimiterName[] = ["naive", "kv", "exact", "auto"];
  return names.filter((name) => results.some(({ figures }) => figures[name] !== undefined));
}

function line(results: readonly Result[], name: LimiterName, { x, y }: { x: Scale; y: Scale }): string {
  const points = results.flatMap(({ scenario, figures }) => {
    const found = figures[name];
    return found === undefined ? [] : [`${x(scenario.load)},${y(found.over)}`];
  });
  const { color, dashes } = styles[name];
  return `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
}

function horizontal(y: number, label: string): string {
  const rule = `<line x1="0" y1="${y}" x2="${PANEL.width}" y2="${y}" stroke="#ddd"/>`;
  return `${rule}<text x="-8" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function vertical(x: number, label: string): string {
  const rule = `<line x1="${x}" y1="0" x2="${x}" y2="${PANEL.height}" stroke="#eee"/>`;
  return `${rule}<text x="${x}" y="${PANEL.height + 18}" text-anchor="middle">${label}</text>`;
}

function percent(share: number): string {
  return share <= LEAST_OVER ? "none" : `${share * 100} %`;
}

function legend(y: number): string {
  return Object.entries(styles)
    .map(([name, { color, dashes }], index) => {
      const x = PANEL.left + index * 110;
      const sample = `<line x1="${x}" y1="${y - 4}" x2="${x + 36}" y2="${y - 4}" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`;
      return `${sample}<text x="${x + 44}" y="${y}">${name}</text>`;
    })
    .join("\n");
}
