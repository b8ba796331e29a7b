import { type Relation, type Round, summarise } from "./statistics.ts";

/** One thing that was measured for subject and baseline in every round of a benchmark. */
export interface Measurement {
  /** What and in which unit, e.g. `requests/s, 32 connections`; at most 32 characters. */
  name: string;
  relation: Relation;
  /** Digits after the point; ratios always have two. */
  digits: number;
  /** What the ratio should be at least, where there is such an aim. */
  aim: number | null;
  rounds: Round[];
}

/** A single value that belongs to a benchmark and has nothing to be compared with. */
export interface Figure {
  name: string;
  value: number;
  digits: number;
}

/** What one benchmark found out. */
export interface Finding {
  benchmark: string;
  /** The two parties, each in a few words. */
  subject: string;
  baseline: string;
  measurements: Measurement[];
  figures: Figure[];
  /** What else a reader should know, one sentence each. */
  notes: string[];
}

/** The machine and the programs that the figures hold for. */
export interface Surroundings {
  processor: string;
  processors: number;
  node: string;
  workerd: string;
}

const LINE_WIDTH = 90;
const NAME_WIDTH = 36;

/** The columns after the name, with their widths. */
const columns = [
  ["subject", 9],
  ["baseline", 10],
  ["compared", 10],
  ["from … to", 16],
  ["aim", 9],
] as const;

/** The findings as a table for people, at most 90 columns wide. */
export function renderReport(findings: readonly Finding[], surroundings: Surroundings): string {
  const { processor, processors, node, workerd } = surroundings;
  const lines = [
    ...wrap(`${processors} × ${processor}, Node ${node}, workerd ${workerd}`, ""),
    "Medians of interleaved rounds, compared round by round. Only the ratios hold elsewhere.",
    "",
    row(
      "",
      columns.map(([title]) => title),
    ),
    ...findings.flatMap(renderFinding),
  ];
  return `${lines.join("\n")}\n`;
}

function renderFinding(finding: Finding): string[] {
  const { benchmark, subject, baseline, measurements, figures, notes } = finding;
  return [
    "",
    ...wrap(`${benchmark}: ${subject} against ${baseline}`, ""),
    ...measurements.map(renderMeasurement),
    ...figures.map(({ name, value, digits }) => row(name, [grouped(value, digits)])),
    ...notes.flatMap((note) => wrap(note, "  ")),
  ];
}

function renderMeasurement({ name, relation, digits, aim, rounds }: Measurement): string {
  const { subject, baseline, compared, least, most } = summarise(rounds, relation);
  const shown = (value: number): string => (relation === "ratio" ? value.toFixed(2) : signed(value, digits));
  return row(name, [
    grouped(subject, digits),
    grouped(baseline, digits),
    shown(compared),
    `${shown(least)} … ${shown(most)}`,
    aim === null ? "" : `≥ ${aim} ${compared >= aim ? "✓" : "✗"}`,
  ]);
}

function row(name: string, cells: readonly string[]): string {
  const padded = cells.map((cell, index) => cell.padStart(columns[index]?.[1] ?? 0));
  return `  ${name}`.padEnd(NAME_WIDTH) + padded.join("").trimEnd();
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? "−" : "+"}${grouped(Math.abs(value), digits)}`;
}

function grouped(value: number, digits: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Breaks a sentence at blanks; every line gets the indent, and those after the first two blanks more. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    const isFirst = line.trim() === "";
    if (!isFirst && line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = `${indent}  ${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** The findings for machines: every round, and what the rounds come to. */
export function reportJson(findings: readonly Finding[], surroundings: Surroundings): string {
  const summarised = findings.map((finding) => ({
    ...finding,
    measurements: finding.measurements.map((measurement) => ({
      ...measurement,
      summary: summarise(measurement.rounds, measurement.relation),
    })),
  }));
  return `${JSON.stringify({ surroundings, findings: summarised }, null, 2)}\n`;
}
