import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../scripts/sandbox/server.ts";
import type { JsonValue } from "../../src/json.ts";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

export interface Envelope {
  code: number;
  message: string;
  data: JsonValue;
}

export const KEY = "the-right-key";

/** What a request has besides its path; headers given here replace the one with the right key. */
export interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A sandbox for one test, and ways to ask it. */
export interface Started {
  sandbox: Sandbox;
  ask(path: string, init?: Init): Promise<Reply>;
  envelope(path: string): Promise<Envelope>;
}

export async function started(options: SandboxOptions = {}): Promise<Started> {
  const sandbox = await startSandbox({ apiKey: KEY, ...options });
  onTestFinished(() => sandbox.close());

  async function ask(path: string, init: Init = {}): Promise<Reply> {
    const response = await fetch(sandbox.url + path, {
      headers: { "X-API-Key": KEY },
      redirect: "manual",
      ...init,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  return { sandbox, ask, envelope: async (path) => JSON.parse((await ask(path)).text) };
}
