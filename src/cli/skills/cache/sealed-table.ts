import { hash, randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isSystemError } from "../../system-error.ts";

/**
 * Texts by key, kept in a file from run to run. What is damaged, cut off or not readable counts as nothing: the
 * file begins with the digest of all that follows. Nobody ever reads half of it, for it is replaced in one step;
 * of two runs that save at once, the last one's stays. A text that no run asked for is dropped when it is saved.
 */
export class SealedTable {
  readonly #path: string;
  readonly #kept: ReadonlyMap<string, string>;
  readonly #used = new Map<string, string>();
  #hasNew = false;

  private constructor(path: string, kept: ReadonlyMap<string, string>) {
    this.#path = path;
    this.#kept = kept;
  }

  /** @param name 64 hexadecimal digits, a point, and what the table holds */
  static open(folder: string, name: string): SealedTable {
    const path = join(folder, name);
    return new SealedTable(path, tableIn(readSealed(path)));
  }

  get(key: string): string | null {
    const text = this.#kept.get(key) ?? this.#used.get(key) ?? null;
    if (text !== null) this.#used.set(key, text);
    return text;
  }

  /** @param text must be one line, as JSON is */
  set(key: string, text: string): void {
    this.#used.set(key, text);
    this.#hasNew = true;
  }

  /**
   * Writes the texts of this run, if they differ from those of the last one. Where that is not allowed, or they are
   * more than one string holds, the file stays as it is.
   */
  save(): void {
    if (!this.#hasNew && this.#used.size === this.#kept.size) {
      touch(this.#path);
      return;
    }
    const lines = [...this.#used].map(([key, text]) => `${key} ${text}\n`);
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    if (length <= MAX_LENGTH) writeSealed(this.#path, lines.join(""));
  }
}

function tableIn(text: string): Map<string, string> {
  const lines = text.split("\n").slice(0, -1);
  return new Map(
    lines.map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), line.slice(end + 1)] as const;
    }),
  );
}

/** Half of what V8 makes a string of, in UTF-16 units; some thousands of skills with their records take a tenth. */
const MAX_LENGTH = 2 ** 28;

/** Hexadecimal digits of the digest that a sealed file begins with; a line end follows. */
const SEAL_LENGTH = 64;

function readSealed(path: string): string {
  try {
    const bytes = readFileSync(path);
    const content = bytes.subarray(SEAL_LENGTH + 1);
    return bytes.toString("latin1", 0, SEAL_LENGTH) === hash("sha256", content) ? content.toString() : "";
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return "";
  }
}

function writeSealed(path: string, text: string): void {
  const content = Buffer.from(text);
  const draft = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    try {
      writeFileSync(draft, Buffer.concat([Buffer.from(`${hash("sha256", content)}\n`), content]));
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
    removeOldest(dirname(path));
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** The name of a table's file: a digest, and what the table holds. */
const TABLE = /^[0-9a-f]{64}\./;

/** How many files of tables a folder keeps: those that were used last. */
const MAX_FILES = 16;

function removeOldest(folder: string): void {
  const names = readdirSync(folder).filter((name) => TABLE.test(name));
  const files = names.map((name) => {
    const path = join(folder, name);
    return { path, used: statSync(path).mtimeMs };
  });
  files.sort((left, right) => right.used - left.used);
  for (const { path } of files.slice(MAX_FILES)) rmSync(path, { force: true });
}

/** Says that a file is still used, where it is still there. */
function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
