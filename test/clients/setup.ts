import type { TestProject } from "vitest/node";
import { startGateway } from "../journeys/started.ts";

declare module "vitest" {
  interface ProvidedContext {
    gatewayUrl: string;
    sandboxUrl: string;
  }
}

/** One gateway for all clients, with the sandbox that plays the upstreams of the bundled skills. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const gateway = await startGateway(project.getProvidedContext().evidence);
  project.provide("gatewayUrl", gateway.url);
  const sandboxUrl = /sandbox on (http:\/\/127\.0\.0\.1:\d+)/.exec(gateway.output())?.[1] ?? "";
  project.provide("sandboxUrl", sandboxUrl);
  return () => gateway.stop();
}
