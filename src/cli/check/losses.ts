import type { LinkInput, Paint } from "../../compile/index.ts";
import { dialects } from "../../dialect/index.ts";
import type { Loss } from "../../ir.ts";
import { type EncodingName, encodingNames } from "../../vocabulary.ts";
import {
  type CompileDocument,
  type CompiledDocument,
  compileDocument,
  summarized,
} from "../skills/document.ts";
import { plural } from "../terminal/report.ts";

/** What a provider's format cannot express of a function, and where it stands; or where the function does. */
export interface PlacedLoss extends Loss {
  dialect: EncodingName;
  file: string;
  line: number;
  column: number;
}

/**
 * Compiles documents whole and writes their functions in every provider's words.
 * @param onLosses is told of each document what gets lost of it; of one that is fixed, before and after
 */
export function weighingLosses(
  onLosses: (file: string, losses: readonly PlacedLoss[]) => void,
): CompileDocument<LinkInput> {
  return (document) => {
    const whole = compileDocument(document);
    if (whole.compiled !== null) onLosses(document.file, lossesOf(whole.compiled));
    return summarized(whole);
  };
}

/** By dialect, and in each in the order of the document. What is only declared counts too: it may be served. */
function lossesOf({ file, skill, places, locateKeyword }: CompiledDocument): PlacedLoss[] {
  return encodingNames.flatMap((dialect) =>
    skill.functions.flatMap((definition) => {
      const { name } = definition;
      const { losses } = dialects[dialect].encodeTool(definition);
      return losses.map((loss) => {
        const place = locateKeyword(name, loss.path, loss.keyword) ?? places.functions.get(name);
        const { line = 1, column = 1 } = place ?? {};
        return { dialect, file, line, column, ...loss };
      });
    }),
  );
}

/** The losses as people read them: each as a warning where it stands, a table, and their number. */
export function renderLosses(losses: readonly PlacedLoss[], paint: Paint): string {
  const lines = losses.map((loss) => `${renderLoss(loss, paint)}\n`).join("");
  const table = renderTable(losses);
  const formats = new Set(losses.map(({ dialect }) => dialect)).size;
  const sum =
    losses.length === 0
      ? "Every provider's format expresses all of it.\n"
      : `${plural(losses.length, "loss", "losses")} in ${plural(formats, "format")}.\n`;
  return lines === "" ? sum : `${lines}\n${table}\n${sum}`;
}

function renderLoss(loss: PlacedLoss, paint: Paint): string {
  const { dialect, file, line, column, function: name, path, keyword, outcome, note } = loss;
  const head = `${paint.place(`${file}:${line}:${column}`)}: ${paint.warning(`warning[${dialect}]`)}`;
  return `${head}: ${name}${path === "" ? "" : ` at ${path}`}: ${keyword} is ${outcome}: ${oneLine(note)}`;
}

/** How often each keyword had which end in each format. */
function renderTable(losses: readonly PlacedLoss[]): string {
  const counts = new Map<string, { cells: string[]; count: number }>();
  for (const { dialect, keyword, outcome } of losses) {
    const cells = [dialect, keyword, outcome];
    const { count } = counts.get(cells.join(" ")) ?? { count: 0 };
    counts.set(cells.join(" "), { cells, count: count + 1 });
  }
  const rows = [...counts.values()];
  const widths = [0, 1].map((column) => Math.max(...rows.map(({ cells }) => cells[column]?.length ?? 0)));
  return rows
    .sort((left, right) => (left.cells.join(" ") < right.cells.join(" ") ? -1 : 1))
    .map(({ cells, count }) => {
      const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
      return `${String(count).padStart(6)}  ${padded.join("  ")}\n`;
    })
    .join("");
}

/** Notes may quote what an author wrote; nothing of that is to make a line of its own or drive a terminal. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\p{Control}\p{Bidi_Control}]/gu, "\uFFFD");
}
