import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { planted } from "../leaks/planted.ts";
import { type StartedGateway, startGateway } from "./started.ts";

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway(inject("evidence"));
});
afterAll(async () => {
  await gateway.stop();
});

/** Asks in the name of a key, or of nobody, which is the operator where the gateway is open. */
async function ask(key: string | null, method: string, path: string, body?: unknown) {
  const headers = key === null ? {} : { Authorization: `Bearer ${key}` };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(gateway.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: text }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function issue(tenant: string, scopes: string[]): Promise<{ key: string; id: string }> {
  const { status, json } = await ask(null, "POST", `/v1/keys?tenant=${tenant}`, {
    name: "a journey's",
    scopes,
  });
  expect(status).toBe(201);
  return { key: String(json.key), id: String(json.id) };
}

const greeting = (said: string) => `---
name: greeting
description: A small skill that a journey put here.
---
\`\`\`yaml
functions:
  - name: greet
    description: Says what it was told to say.
    compute: '"${said}"'
\`\`\`
`;

const ALL = ["skills:read", "skills:write", "invoke", "admin"];

describe("two tenants of one gateway", () => {
  test("have skills of the same name, and each gets its own", async () => {
    const [one, two] = [await issue("one", ALL), await issue("two", ALL)];
    for (const [{ key }, said] of [
      [one, "hello from one"],
      [two, "hello from two"],
    ] as const)
      expect((await ask(key, "PUT", "/v1/skills/greeting", greeting(said))).status).toBe(201);
    expect((await ask(one.key, "POST", "/v1/invoke/greet", {})).json.data).toBe("hello from one");
    expect((await ask(two.key, "POST", "/v1/invoke/greet", {})).json.data).toBe("hello from two");
    expect((await ask(null, "POST", "/v1/invoke/greet", {})).status).toBe(404);
    expect((await ask(one.key, "DELETE", "/v1/skills/greeting")).status).toBe(200);
    expect((await ask(one.key, "POST", "/v1/invoke/greet", {})).status).toBe(404);
    expect((await ask(two.key, "POST", "/v1/invoke/greet", {})).json.data).toBe("hello from two");
  });

  test("administer themselves and not each other", async () => {
    const [one, two] = [await issue("one", ALL), await issue("two", ALL)];
    const mine = await ask(one.key, "POST", "/v1/keys", { name: "reader", scopes: ["skills:read"] });
    expect([mine.status, mine.json.tenant]).toEqual([201, "one"]);
    expect((await ask(two.key, "DELETE", `/v1/keys/${mine.json.id}`)).status).toBe(404);
    expect((await ask(two.key, "DELETE", `/v1/keys/${mine.json.id}?tenant=one`)).status).toBe(403);
    expect((await ask(String(mine.json.key), "POST", "/v1/invoke/greet", {})).json.error_code).toBe(
      "FORBIDDEN",
    );
    expect((await ask(one.key, "DELETE", `/v1/keys/${mine.json.id}`)).status).toBe(200);
    expect((await ask(String(mine.json.key), "GET", "/v1/skills")).status).toBe(401);
  });
});

describe("a secret", () => {
  test("is set, listed by its name alone, and removed", async () => {
    const { key } = await issue("three", ALL);
    const secret = { value: planted.TENANT_SECRET, hosts: ["api.example.com"] };
    expect((await ask(key, "PUT", "/v1/secrets/MY_API_KEY", secret)).status).toBe(201);
    const { json } = await ask(key, "GET", "/v1/secrets");
    expect(json.secrets).toMatchObject([{ name: "MY_API_KEY", hosts: ["api.example.com"], current: true }]);
    expect(JSON.stringify(json)).not.toContain("planted");
    expect((await ask(null, "GET", "/v1/secrets")).json.secrets).toEqual([]);
    expect((await ask(key, "DELETE", "/v1/secrets/MY_API_KEY")).status).toBe(200);
    expect(gateway.output()).not.toContain("planted");
  });
});
