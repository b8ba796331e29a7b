import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { fingerprintOf, projectCache, wasChangedSince } from "../../../../src/cli/skills/cache/place.ts";
import { folderWith } from "../../command.ts";

const PROJECT = {
  "src/compile/a.ts": "a",
  "src/ir.ts": "b",
  "scripts/catalog/c.ts": "c",
  "package-lock.json": "{}",
  "README.md": "d",
};

describe("the fingerprint of a compiler", () => {
  test.each([
    ["a source", "src/compile/a.ts", true],
    ["a source that it calls", "src/ir.ts", true],
    ["what makes records", "scripts/catalog/c.ts", true],
    ["the packages' versions", "package-lock.json", true],
    ["a source that is new", "src/new.ts", true],
    ["what people read", "README.md", false],
  ])("knows %s", (_case, path, isOther) => {
    const folder = folderWith(PROJECT);
    const before = fingerprintOf(folder);
    expect(fingerprintOf(folder)).toBe(before);
    writeFileSync(join(folder, path), "changed");
    expect(fingerprintOf(folder) !== before).toBe(isOther);
  });
});

describe("a compiler that is changed while it runs", () => {
  const begin = (): number => Date.now() + 100;

  test("is not known by its files any more", () => {
    const folder = folderWith(PROJECT);
    expect(wasChangedSince(folder, begin())).toBe(false);
    expect(wasChangedSince(folder, Date.now() - 10_000)).toBe(true);
  });

  test.each<[string, (folder: string) => void]>([
    ["changed, whatever date it is given", (folder) => writeDated(join(folder, "src/ir.ts"))],
    ["taken away", (folder) => rmSync(join(folder, "src/compile/a.ts"))],
    ["put in", (folder) => writeDated(join(folder, "scripts/catalog/new.ts"))],
  ])("is seen by a source that is %s", async (_case, change) => {
    const folder = folderWith(PROJECT);
    await setTimeout(120);
    const start = Date.now();
    expect(wasChangedSince(folder, start)).toBe(false);
    change(folder);
    expect(wasChangedSince(folder, start)).toBe(true);
  });
});

/** Writes a file that says it was written long ago. */
function writeDated(path: string): void {
  writeFileSync(path, "changed");
  utimesSync(path, 1, 1);
}

describe("the cache of the project", () => {
  test("stands where nobody commits it, unless it is told another place", () => {
    const later = Date.now() + 1_000;
    for (const environment of [{}, { SKILLGATE_CACHE_DIR: "" }])
      expect(projectCache(environment, later)?.folder).toMatch(/node_modules[\\/]\.cache[\\/]skillgate$/);
    expect(projectCache({ SKILLGATE_CACHE_DIR: "/elsewhere" }, later)?.folder).toBe("/elsewhere");
  });

  test("is none where the compiler is younger than the process", () => {
    expect(projectCache({}, 0)).toBeNull();
  });
});
