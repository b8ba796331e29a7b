/// <reference types="@cloudflare/vitest-plugin/types" />
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { expectClean } from "../leaks/clean.ts";
import { Description } from "./description.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      STORE: KVNamespace;
    }
    interface GlobalProps {
      mainModule: typeof import("../../src/worker.ts");
    }
  }
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, null where it is none. */
  json: JsonValue;
}

export interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | ReadableStream;
}

/** Sends a request to the worker. Every reply is held against what `/openapi.json` says of it, and none holds a secret. */
export async function ask(path: string, init: Init = {}): Promise<Reply> {
  const reply = await send(path, init);
  description ??= send("/openapi.json", {}).then(({ json }) => new Description(objectOf(json)));
  const received = { status: reply.status, type: reply.headers.get("content-type"), text: reply.text };
  const { pathname } = new URL(path, ORIGIN);
  expect((await description).faults(init.method ?? "GET", pathname, received)).toEqual([]);
  expect(reply.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._:-]{8,128}$/);
  return reply;
}

const ORIGIN = "http://127.0.0.1:8787";

let description: Promise<Description> | undefined;

async function send(path: string, init: Init): Promise<Reply> {
  const response = await exports.default.fetch(ORIGIN + path, init);
  const { status, headers } = response;
  const text = await response.text();
  expectClean(headers, text);
  return { status, headers, text, json: jsonOf(headers, text) };
}

function jsonOf(headers: Headers, text: string): JsonValue {
  return headers.get("content-type")?.startsWith("application/json") === true ? JSON.parse(text) : null;
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`not an object: ${JSON.stringify(value)}`);
}

export function listOf(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new Error(`not a list: ${JSON.stringify(value)}`);
}

/** A call of a function. */
export function call(name: string, args: JsonValue, query = ""): Promise<Reply> {
  return ask(`/v1/invoke/${name}${query}`, { method: "POST", body: JSON.stringify(args) });
}
