import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { quietWrangler, wranglerEntry } from "../scripts/wrangler.ts";
import { VERSION } from "../src/version.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "skillgate-bundle-"));
let worker = "";

/** The worker as a deployment would upload it. */
beforeAll(() => {
  const words = [wranglerEntry, "deploy", "--dry-run", `--outdir=${folder}`];
  execFileSync(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...quietWrangler },
  });
  worker = readFileSync(join(folder, "worker.js"), "utf8");
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe("the worker's bundle", () => {
  test("has at most 150 KB, gzipped", () => {
    expect(gzipSync(worker).byteLength).toBeLessThan(150_000);
  });

  test("has with all its texts at most a tenth of what the free plan takes (3 MB gzipped)", () => {
    const files = readdirSync(folder).filter((name) => /\.(js|txt)$/.test(name));
    expect(files.length).toBeGreaterThan(5);
    const sizes = files.map((name) => gzipSync(readFileSync(join(folder, name))).byteLength);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
  });

  test.each([
    ["evaluates no text as code", /\beval\(|new Function\(/],
    ["imports nothing of Node", /from\s*"node:|require\("/],
    ["holds no diagnostics renderer, which only build scripts use", /Extended_Pictographic/],
  ])("%s", (_name, pattern) => {
    expect(worker).not.toMatch(pattern);
  });
});

test("the version is that of the package", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(VERSION).toBe(version);
});
