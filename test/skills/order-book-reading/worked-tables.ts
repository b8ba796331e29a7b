import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/json.ts";

/** A row of a table "from `example`": what is computed, how (where a formula fits in a line), and to what. */
export interface WorkedRow {
  example: string;
  quantity: string;
  arithmetic: string | null;
  result: string;
}

const DATA = /^```json\n(.*?)^```$/gms;
const HEADER = /^\| from `([^`]+)`/;

/** The data sets of a document by name: JSON blocks that say whose `example` they are. */
export function dataSets(markdown: string): Map<string, JsonObject> {
  const sets = new Map<string, JsonObject>();
  for (const [, text = ""] of markdown.matchAll(DATA)) {
    const data: JsonValue = JSON.parse(text);
    if (isJsonObject(data) && typeof data.example === "string") sets.set(data.example, data);
  }
  return sets;
}

/** The rows of all tables whose header names a data set, in the order of the document. */
export function workedRows(markdown: string): WorkedRow[] {
  let example: string | undefined;
  const rows: WorkedRow[] = [];
  for (const line of markdown.split("\n")) {
    const header = HEADER.exec(line);
    if (header !== null || !line.startsWith("|")) example = header?.[1];
    else if (example !== undefined && !line.startsWith("| -")) rows.push(rowOf(example, line));
  }
  return rows;
}

function rowOf(example: string, line: string): WorkedRow {
  const [quantity = "", how = "", result = ""] = line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
  return { example, quantity, arithmetic: /^`(.+)`$/.exec(how)?.[1] ?? null, result };
}

/** A number as a reader sees it: thousands set apart by commas, a true minus sign, a unit behind it. */
export interface ShownNumber {
  value: number;
  /** Half a unit of the last digit shown: what rounding may hide. */
  tolerance: number;
}

/** Reads the number at the beginning of a cell; null where there is none. */
export function shownNumber(cell: string): ShownNumber | null {
  const digits = /^[−-]?[\d,]+(?:\.(\d+))?/.exec(cell);
  if (digits === null) return null;
  const value = Number(digits[0].replace("−", "-").replaceAll(",", ""));
  // What binary fractions add to a value that lies exactly between two shown ones.
  const slack = 1e-9;
  return { value, tolerance: 0.5 * 10 ** -(digits[1]?.length ?? 0) + slack };
}
