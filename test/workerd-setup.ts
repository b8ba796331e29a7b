import type { TestProject } from "vitest/node";
import { startSandbox } from "../scripts/sandbox/server.ts";
import type { Needle } from "./leaks/find.ts";
import { plantedNeedles } from "./leaks/needles.ts";
import { planted } from "./leaks/planted.ts";

declare module "vitest" {
  interface ProvidedContext {
    sandboxUrl: string;
    /** What no reply of a worker may hold. */
    needles: readonly Needle[];
  }
}

/** The upstream that the worker under test calls: one sandbox for the whole run, on a port that is free. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox({ apiKey: planted.WORKERD_SANDBOX_KEY });
  project.provide("sandboxUrl", sandbox.url);
  project.provide("needles", plantedNeedles);
  return () => sandbox.close();
}
