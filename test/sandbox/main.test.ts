import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { started } from "./started.ts";

const main = fileURLToPath(import.meta.resolve("../../scripts/sandbox/main.ts"));

function run(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill());
  return child;
}

async function finished(child: ChildProcess): Promise<{ code: number; out: string; error: string }> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("The output is not piped.");
  const [[code], out, error] = await Promise.all([once(child, "close"), text(stdout), text(stderr)]);
  return { code, out, error };
}

describe("the command", () => {
  test("--help says how to use it, faults included", async () => {
    const { code, out } = await finished(run("--help"));
    expect(code).toBe(0);
    expect(out).toMatch(/--port N.*status=STATUS.*times=N/s);
  });

  test.each([
    [["--nonsense"], "--nonsense"],
    [["--port", "http"], "--port"],
    [["--port", "65536"], "--port"],
    [["--port"], "--port"],
    [["stray"], "stray"],
  ])("refuses %j with exit code 2 and names what is wrong", async (args, named) => {
    const { code, error } = await finished(run(...args));
    expect(code).toBe(2);
    expect(error.split("\n")[0]).toContain(named);
  });

  test("says that a port is taken and exits with 1", async () => {
    const { sandbox } = await started();
    const { code, error } = await finished(run("--port", String(sandbox.port)));
    expect(code).toBe(1);
    expect(error).toContain("EADDRINUSE");
  });

  test("serves with the given key until it is told to stop, even while a caller waits", async () => {
    const child = run("--key", "k", "--requests-per-minute", "100", "--seed", "2");
    const end = finished(child);
    const [line] = child.stdout === null ? [] : await once(child.stdout, "data");
    const url = `${/http:\S+/.exec(String(line))?.[0]}/v1/symbols/available`;
    const slow = fetch(`${url}?sandbox_fault=delay%3D600000`, { headers: { "X-API-Key": "k" } });
    const response = await fetch(url, { headers: { "X-API-Key": "k" } });
    expect(response.status).toBe(200);
    child.kill("SIGTERM");
    await expect(slow).rejects.toThrow("fetch failed");
    expect(await end).toMatchObject({ code: 0, error: "" });
  });
});
