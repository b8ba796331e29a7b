import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";

const module = JSON.stringify(import.meta.resolve("../../scripts/bench/ending.ts"));

/** Runs a program that has things to undo; what it did and how it ended. */
async function run(program: string, signal?: NodeJS.Signals): Promise<{ out: string; code: number }> {
  const prelude = `import { endOnSignals, undoAtEnd } from ${module}; endOnSignals();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", prelude + program]);
  const out = text(child.stdout);
  if (signal !== undefined) child.stdout.once("data", () => child.kill(signal));
  const [code] = await once(child, "exit");
  return { out: await out, code };
}

const two = 'undoAtEnd(() => console.log("first")); undoAtEnd(() => console.log("second"));';

describe("what is to be undone", () => {
  test("is undone at the end, the latest first", async () => {
    expect(await run(two)).toEqual({ out: "second\nfirst\n", code: 0 });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("is undone at a %s, and the exit status says so", async (signal, code) => {
    const waiting = `${two} console.log("waiting"); setInterval(() => {}, 1000);`;
    expect(await run(waiting, signal)).toEqual({ out: "waiting\nsecond\nfirst\n", code });
  });

  test("is undone after an error that nobody caught", async () => {
    const { out, code } = await run(`${two} throw new Error("unexpected");`);
    expect({ out, code }).toEqual({ out: "second\nfirst\n", code: 1 });
  });

  test("is not undone again where that was done by hand", async () => {
    const program = 'const undo = undoAtEnd(() => console.log("undone")); undo(); undo();';
    expect(await run(program)).toEqual({ out: "undone\n", code: 0 });
  });
});
