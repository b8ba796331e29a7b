import { expect } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { planted } from "../leaks/planted.ts";
import type { Ask, DeployedReply } from "./deployed.ts";

export const OPERATOR_KEY: string = planted.SKILLGATE_KEY;

/** Asks in the name of a key, with JSON or text for a body. */
export type AskAs = (key: string, method: string, path: string, body?: JsonValue) => Promise<DeployedReply>;

export function asking(ask: Ask): AskAs {
  return (key, method, path, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const headers = { Authorization: `Bearer ${key}` };
    return ask(path, body === undefined ? { method, headers } : { method, headers, body: text });
  };
}

/** Issues a key and gives it with what is known of it. */
export async function issue(
  as: AskAs,
  grant: JsonObject,
  by = OPERATOR_KEY,
): Promise<JsonObject & { key: string; id: string }> {
  const { tenant, ...asked } = grant;
  const path = tenant === undefined ? "/v1/keys" : `/v1/keys?tenant=${tenant}`;
  const { status, json } = await as(by, "POST", path, { name: "a test's", ...asked });
  expect([status, json.error ?? null]).toEqual([201, null]);
  const { key, id } = json;
  if (typeof key !== "string" || typeof id !== "string") throw new Error("no key");
  return { ...json, key, id };
}

/** A small document with a protocol. */
export function document(name: string, protocol: JsonObject): string {
  return `---\nname: ${name}\ndescription: A small skill that a test put here.\n---\n\`\`\`json\n${JSON.stringify(protocol)}\n\`\`\`\n`;
}
