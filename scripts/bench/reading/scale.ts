import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { undoAtEnd } from "../ending.ts";
import type { Figure } from "../report.ts";
import { writeSkillFolder } from "./skill-folder.ts";

const FEW = 1_000;
const MANY = 10_000;

const KIB = 1_024;

const PROGRAM = join(import.meta.dirname, "read-folder.ts");

/** What a process that reads a folder prints. */
const Reading = z.object({ documents: z.number(), microseconds: z.number(), peakKib: z.number() });
type Reading = z.infer<typeof Reading>;

/**
 * What reading and linking a whole folder of generated skills takes, each folder in a process of its own: the time of
 * the processor for each document, which grows with their number where anything is done more than once for each, and
 * the most memory that the process ever held.
 */
export async function scaleFigures(progress: (text: string) => void): Promise<Figure[]> {
  progress(`${FEW} documents in a folder`);
  const few = await readingOf(FEW);
  progress(`${MANY} documents in a folder`);
  const many = await readingOf(MANY);
  return [
    { name: `CPU µs/document, folder of ${FEW}`, value: few.microseconds / few.documents, digits: 0 },
    { name: `CPU µs/document, folder of ${MANY}`, value: many.microseconds / many.documents, digits: 0 },
    { name: `peak MiB, folder of ${MANY}`, value: many.peakKib / KIB, digits: 0 },
  ];
}

async function readingOf(count: number): Promise<Reading> {
  const { folder, remove } = await writeSkillFolder(count);
  const run = promisify(execFile)(process.execPath, [PROGRAM, folder]);
  const stop = undoAtEnd(() => run.child.kill());
  const { stdout } = await run;
  stop();
  remove();
  return Reading.parse(JSON.parse(stdout));
}
