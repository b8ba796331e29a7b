import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { folderWith, type Run, skillgate } from "./command.ts";
import { FIXABLE, FIXED, RIGHT, WRONG } from "./documents.ts";

/** Each test starts processes, which takes long where much else runs. */
vi.setConfig({ testTimeout: 30_000 });

function check(folder: string, words: readonly string[] = [], below = "."): Promise<Run> {
  const variables = { SKILLGATE_CACHE_DIR: join(folder, "cache") };
  return skillgate(join(folder, below), ["check", ...words], variables);
}

const FILES = { "skills/moon/SKILL.md": WRONG, "skills/tides/SKILL.md": FIXABLE };

describe("skillgate check with its cache", () => {
  test("says the same the second time, from wherever it is called", async () => {
    const folder = folderWith(FILES);
    const first = await check(folder, ["--json"]);
    expect(first.stdout).toContain("description-missing");
    expect(await check(folder, ["--json"])).toEqual(first);
    const inside = await check(folder, [".", "--json"], "skills");
    expect(inside).toEqual(await check(folder, [".", "--json", "--no-cache"], "skills"));
    expect(inside.stdout).toContain('"file": "moon/SKILL.md"');
  });

  test("leaves nothing behind where it is to have none", async () => {
    const folder = folderWith(FILES);
    const run = await check(folder, ["--no-cache"]);
    expect(readdirSync(folder)).toEqual(["skills"]);
    expect(await check(folder)).toEqual(run);
    expect(readdirSync(folder)).toEqual(["cache", "skills"]);
  });

  test("has nothing to say of a place where it may not keep one", async () => {
    const folder = folderWith({ ...FILES, cache: "" });
    expect(await check(folder, ["--json"])).toEqual(await check(folder, ["--json", "--no-cache"]));
  });

  test("is not harmed by others that run at the same time", async () => {
    const folder = folderWith(FILES);
    const expected = await check(folder, ["--no-cache"]);
    const runs = await Promise.all(Array.from({ length: 3 }, () => check(folder)));
    expect(runs).toEqual([expected, expected, expected]);
    expect(readdirSync(join(folder, "cache"))).toHaveLength(1);
    expect(await check(folder)).toEqual(expected);
  });

  test("fixes what it knows already, and then knows what was fixed", async () => {
    const folder = folderWith(FILES);
    await check(folder);
    const dryRun = await check(folder, ["--fix", "--dry-run"]);
    expect(dryRun.stderr).toContain("would be fixed so");
    expect(await check(folder, ["--fix", "--dry-run"])).toEqual(dryRun);
    expect((await check(folder, ["--fix"])).stderr).toContain("Fixed skills/tides/SKILL.md.");
    expect(readFileSync(join(folder, "skills/tides/SKILL.md"), "utf8")).toBe(FIXED);
    expect(await check(folder)).toEqual(await check(folder, ["--no-cache"]));
  });

  test("goes by what files hold, not by when they were written", async () => {
    const folder = folderWith({ "skills/tides/SKILL.md": RIGHT });
    await check(folder);
    rmSync(join(folder, "skills/tides"), { recursive: true });
    mkdirSync(join(folder, "skills/tides"));
    writeFileSync(join(folder, "skills/tides/SKILL.md"), WRONG.replace("moon", "tide"));
    expect((await check(folder)).stderr).toContain("description-missing");
  });
});
