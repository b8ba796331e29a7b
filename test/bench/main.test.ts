import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const main = fileURLToPath(import.meta.resolve("../../scripts/bench/main.ts"));
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [[code], out, error] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, error };
}

describe("the command", () => {
  test("--help goes to standard output, with examples", async () => {
    const { code, out, error } = await run("--help");
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/--only NAMES.*npm run bench -- --only/s);
  });

  test("a wrong option measures nothing and is named", async () => {
    const { code, out, error } = await run("--only", "speed");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain('"speed"');
  });
});
