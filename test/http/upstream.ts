import { expect, inject } from "vitest";
import { type JsonObject, jsonObject } from "../../src/json.ts";
import { ask } from "./ask.ts";

const sandbox = `${inject("sandboxUrl")}/__sandbox`;

/** A request as the upstream got it. */
export interface Arrival {
  method: string;
  path: string;
  query: string;
  /** Lower case, sorted. */
  headerNames: string[];
}

/** Gives every request for a path of the upstream the fault. */
export async function order(path: string, fault: string): Promise<void> {
  const reply = await fetch(`${sandbox}/faults`, { method: "PUT", body: JSON.stringify({ path, fault }) });
  expect(reply.status).toBe(204);
}

/** Takes back every fault, and forgets what was asked of the upstream so far. */
export async function calm(): Promise<void> {
  await fetch(`${sandbox}/faults`, { method: "DELETE" });
  await fetch(`${sandbox}/requests`, { method: "DELETE" });
}

/** What was asked of the upstream since it was last forgotten. */
export async function arrivals(): Promise<Arrival[]> {
  const { requests } = await (await fetch(`${sandbox}/requests`)).json<{ requests: Arrival[] }>();
  return requests;
}

/** Stores a skill of the caller's own. */
export async function put(name: string, protocol: JsonObject): Promise<void> {
  const text = JSON.stringify(jsonObject(Object.entries(protocol)));
  const body = `---\nname: ${name}\ndescription: A small skill that a test put here.\n---\n\`\`\`json\n${text}\n\`\`\`\n`;
  const { status, text: reply } = await ask(`/v1/skills/${name}`, { method: "PUT", body });
  expect([status, reply]).toEqual([201, expect.stringContaining('"stored":true')]);
}
