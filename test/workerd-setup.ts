import type { TestProject } from "vitest/node";
import { startSandbox } from "../scripts/sandbox/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    sandboxUrl: string;
  }
}

/** The upstream that the worker under test calls: one sandbox for the whole run, on a port that is free. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox();
  project.provide("sandboxUrl", sandbox.url);
  return () => sandbox.close();
}
