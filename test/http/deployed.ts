/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject, vi } from "vitest";
import type { BundledUpstream } from "../../src/ir.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { expectClean } from "../leaks/clean.ts";
import { planted } from "../leaks/planted.ts";

/** What a worker answered. */
export interface DeployedReply {
  status: number;
  headers: Headers;
  text: string;
  /** Empty where the body is no JSON object. */
  json: JsonObject;
}

/** Sends a request to a worker. */
export type Ask = (path: string, init?: RequestInit) => Promise<DeployedReply>;

/** What stands in place of where the bundled skills call, and with which secrets. */
export type ChangeUpstreams = (upstreams: readonly BundledUpstream[]) => readonly BundledUpstream[];

/** The sandbox in place of an upstream, with its key. */
export const UPSTREAM = {
  TICKDB_BASE_URL: `${inject("sandboxUrl")}/v1`,
  TICKDB_API_KEY: planted.WORKERD_SANDBOX_KEY,
  EGRESS_ALLOW: "*,loopback",
};

/** The bindings of a worker that is open to all. */
export const OPEN = { OPEN_ACCESS: "true", STORE: env.STORE, ...UPSTREAM };

/** A worker of its own with these bindings alone, as where it is deployed with them; none of its replies holds a secret. */
export async function deployed(
  bindings: Record<string, unknown>,
  change: ChangeUpstreams = (upstreams) => upstreams,
): Promise<Ask> {
  vi.resetModules();
  const { bundle } = await import("#catalog");
  Object.assign(bundle, { upstreams: change(bundle.upstreams) });
  const { default: worker } = await import("../../src/worker.ts");
  return async (path, init = {}) => {
    const request = new Request(`http://127.0.0.1:8787${path}`, init);
    const response = await worker.fetch(request, bindings, createExecutionContext());
    const text = await response.text();
    expectClean(response.headers, text);
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const json: JsonValue = isJson ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, text, json: isJsonObject(json) ? json : {} };
  };
}

/** A request with a JSON body. */
export function post(args: JsonValue): RequestInit {
  return { method: "POST", body: JSON.stringify(args) };
}
