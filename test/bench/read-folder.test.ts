import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentName, skillDocuments } from "../../scripts/bench/documents.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skillgate-read-"));
});

afterEach(() => rm(folder, { recursive: true }));

async function writeSkill(name: string, document: string): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, "SKILL.md"), document);
}

async function run(): Promise<{ code: number; out: string; error: string }> {
  const program = fileURLToPath(import.meta.resolve("../../scripts/bench/reading/read-folder.ts"));
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "pipe"] });
  const [[code], out, error] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}

describe("the process that reads a folder of skills", () => {
  test("says how many it read, and what time and memory that took", async () => {
    for (const [index, document] of skillDocuments(3).entries())
      await writeSkill(documentName(index), document);
    const { code, out } = await run();
    expect(code).toBe(0);
    const { documents, microseconds, peakKib } = JSON.parse(out);
    expect(documents).toBe(3);
    expect(microseconds).toBeGreaterThan(0);
    expect(peakKib).toBeGreaterThan(10_000);
  });

  test("fails where one of them does not compile, for nothing was measured then", async () => {
    await writeSkill("unnamed", "---\nversion: 1\n---\n");
    const { code, out, error } = await run();
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(error).toContain("Not every generated document compiles.");
  });
});
