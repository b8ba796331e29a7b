import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const archive = join(import.meta.dirname, "../../shared/corpus/skills.tar.gz");

/** Whether there are real skills to test with. */
export const isCorpusThere = existsSync(archive);

/** Unpacks the real skills into a folder of their own, which the caller removes. */
export function unpackCorpus(): string {
  const folder = mkdtempSync(join(tmpdir(), "skills-"));
  const { status, stderr } = spawnSync("tar", ["-xzf", archive, "-C", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the archive could not be unpacked: ${stderr}`);
  return folder;
}
