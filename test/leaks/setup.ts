import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of all that gateways under test say and keep. */
    evidence: string;
  }
}

/** Removes what was kept to be searched. */
export default function setup(project: TestProject): () => Promise<void> {
  return () => rm(project.getProvidedContext().evidence, { recursive: true, force: true, maxRetries: 5 });
}
