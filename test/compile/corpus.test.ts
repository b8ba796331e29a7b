import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compiled } from "./compiled.ts";

const root = join(import.meta.dirname, "../..");
const corpus = join(root, "../shared/corpus");
const isThere = existsSync(corpus);

const folder = isThere ? mkdtempSync(join(tmpdir(), "skills-")) : "";
afterAll(() => {
  if (isThere) rmSync(folder, { recursive: true });
});

function unpacked(): string[] {
  const { status, stderr } = spawnSync("tar", ["-xzf", join(corpus, "skills.tar.gz"), "-C", folder], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the archive could not be unpacked: ${stderr}`);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /^skill\.md$/i.test(basename(path)))
    .map((path) => join(folder, path))
    .sort();
}

describe.skipIf(!isThere)("real skills (skipped where there is no ../shared/corpus)", () => {
  test("each gives a skill or an error, and nine in ten give a skill", () => {
    const paths = unpacked();
    expect(paths.length).toBeGreaterThan(600);
    const results = paths.map((path) => ({
      path,
      ...compiled(readFileSync(path, "utf8"), { file: path, folder: basename(dirname(path)) }),
    }));
    for (const { path, skill, diagnostics } of results) {
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      expect({ path, isSkill: skill !== null }).toEqual({ path, isSkill: errors.length === 0 });
    }
    const skills = results.filter(({ skill }) => skill !== null);
    expect(skills.length / results.length).toBeGreaterThan(0.9);
  });
});
