import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { type Leak, leaksIn } from "./find.ts";
import { plantedNeedles } from "./needles.ts";

const evidence = inject("evidence");
const build = join(import.meta.dirname, "../../dist");

/** What the gateways of this run, and its build, left in files. */
const kept = [...(await filesBelow(evidence)), ...(await filesBelow(build))];

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What a file holds; nothing where a gateway that still runs has removed it. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

async function leaksOf(files: readonly string[]): Promise<(Leak & { file: string })[]> {
  const found = files.map(async (path) => {
    const text = await textOf(path);
    const file = relative(path.startsWith(evidence) ? evidence : build, path);
    return leaksIn(text, plantedNeedles).map((leak) => ({ file, ...leak }));
  });
  return (await Promise.all(found)).flat();
}

describe("no planted secret is", () => {
  test.each([
    ["in a reply of a gateway", /\/replies\.txt$/],
    ["in what a gateway prints", /\/output\.txt$/],
    ["in what a gateway keeps", /\/state\//],
    ["in the build", /\/dist\//],
  ])("%s", async (_where, place) => {
    const files = kept.filter((path) => place.test(path));
    expect(files).not.toEqual([]);
    expect(await leaksOf(files)).toEqual([]);
  });

  test("in anything else that was kept", async () => {
    expect(await leaksOf(kept)).toEqual([]);
  });
});
