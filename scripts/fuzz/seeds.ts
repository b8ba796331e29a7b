import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const FOLDERS = ["test/fixtures/compile", "test/fixtures/documents", "skills"];

/** The documents of the project itself, in the order of their paths. */
export function ownSeeds(): string[] {
  return FOLDERS.flatMap((folder) => documentsBelow(join(root, folder)));
}

/** The documents below a folder, in the order of their paths. */
export function documentsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.md$/i.test(path))
    .sort()
    .map((path) => readFileSync(join(folder, path), "utf8"));
}
