import { execFileSync, spawn } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { freePort, startGateway } from "./started.ts";

const root = join(import.meta.dirname, "../..");

/** The living processes whose command line names this port: the worker's own ones. */
function processesOf(port: string): string[] {
  const all = execFileSync("ps", ["-eo", "stat,args"], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes(`--port=${port}`) && !line.startsWith("Z"));
}

async function settles(condition: () => boolean): Promise<boolean> {
  for (let attempt = 0; attempt < 100 && !condition(); attempt++)
    await new Promise((wake) => setTimeout(wake, 100));
  return condition();
}

describe("npm start", () => {
  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
    "leaves no process behind after %s",
    async (signal) => {
      const gateway = await startGateway(inject("evidence"));
      const port = String(gateway.port);
      expect(processesOf(port)).not.toEqual([]);
      process.kill(-(gateway.process.pid ?? 0), signal);
      expect(await settles(() => processesOf(port).length === 0)).toBe(true);
      await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
    },
  );

  test("leaves no process behind where only npm is ended, as a supervisor ends it", async () => {
    const gateway = await startGateway(inject("evidence"));
    const port = String(gateway.port);
    gateway.process.kill("SIGTERM");
    expect(await settles(() => processesOf(port).length === 0)).toBe(true);
  });

  test("says what to do where the port is taken", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    const { status, output } = await run({ PORT: String(port) });
    other.close();
    expect(status).toBe(1);
    expect(output).toContain(`Port ${port} is in use`);
    expect(output).toContain(`PORT=${port + 1} npm start`);
  });

  test("says what a port is where PORT is none", async () => {
    const { status, output } = await run({ PORT: "http" });
    expect(status).toBe(2);
    expect(output).toContain('PORT is a whole number from 1 to 65535, not "http"');
  });
});

function run(variables: Record<string, string>): Promise<{ status: number | null; output: string }> {
  const child = spawn("npm", ["start"], { cwd: root, env: { ...process.env, ...variables } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((resolve) => child.once("exit", (status) => resolve({ status, output })));
}
