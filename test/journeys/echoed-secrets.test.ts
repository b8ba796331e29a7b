import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Sandbox, startSandbox } from "../../scripts/sandbox/server.ts";
import { leaksIn } from "../leaks/find.ts";
import { plantedNeedles } from "../leaks/needles.ts";
import { planted } from "../leaks/planted.ts";
import { startWithSkills } from "./deployed.ts";
import { type MethodName, methodNames, writeEchoingSkills } from "./echoing-skills.ts";
import type { StartedGateway } from "./started.ts";

let sandbox: Sandbox;
let gateway: StartedGateway;

beforeAll(async () => {
  sandbox = await startSandbox({ accessToken: planted.ACCESS_TOKEN });
  const skills = join(inject("evidence"), "echoing-skills");
  await writeEchoingSkills(skills, sandbox.url);
  gateway = await startWithSkills(inject("evidence"), skills, {
    EGRESS_ALLOW: "*,loopback",
    ...planted,
  });
});
afterAll(async () => {
  await gateway.stop();
  await sandbox.close();
});

async function ask(path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(gateway.url + path, {
    headers: { Authorization: `Bearer ${planted.SKILLGATE_KEY}` },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, text: JSON.stringify([...response.headers]) + (await response.text()) };
}

/** Expects a reply without any secret, in which the upstream was told not to be repeated. */
function expectRedacted({ text }: { text: string }): void {
  expect(leaksIn(text, plantedNeedles)).toEqual([]);
  expect(text).toContain("[redacted]");
}

/** What the upstream says back, and the status that its answer comes to. */
const echoes: [fault: string, status: number][] = [
  ["echo=body,status=200", 200],
  ["echo=header,status=200", 200],
  ["echo=binary,status=200", 200],
  ["echo=body,status=401", 502],
  ["echo=body,status=429", 503],
  ["echo=body,status=503", 503],
  ["echo=message", 502],
  ["echo=text", 502],
  ["echo=html", 503],
];

describe.each(methodNames)("what an upstream says back of the credential %s", (method: MethodName) => {
  test.each(echoes)("is taken out: %s", async (fault, status) => {
    const reply = await ask(`/v1/invoke/ask-${method}`, { fault });
    expect(reply.status).toBe(status);
    if (status === 200) expectRedacted(reply);
    else expect(leaksIn(reply.text, plantedNeedles)).toEqual([]);
  });

  test.each(["echo=location", "echo=host", "echo=type", "status=500", "drop", "cut"])(
    "is not in what a failure says: %s",
    async (fault) => {
      const reply = await ask(`/v1/invoke/ask-${method}`, { fault });
      expect(leaksIn(reply.text, plantedNeedles)).toEqual([]);
    },
  );

  test("is not in pages, nor in the result that is kept", async () => {
    for (const _turn of ["fresh", "kept"]) expectRedacted(await ask(`/v1/invoke/gather-${method}`, {}));
  });

  test("is not in a dry run", async () => {
    const { status, text } = await ask(`/v1/invoke/ask-${method}?dry_run=1`, { fault: "drop" });
    expect(status).toBe(200);
    expect(leaksIn(text, plantedNeedles)).toEqual([]);
    expect(text).toMatch(/\[(?:secret|token for the secret) [A-Z_]+\]/);
  });
});

test("a token endpoint that says the client's secret back is quoted without it", async () => {
  await fetch(`${sandbox.url}/__sandbox/faults`, {
    method: "PUT",
    body: JSON.stringify({ path: "/oauth2/token", fault: "echo=body,status=401" }),
  });
  for (const method of ["client-secret", "client-secret-in-body"]) {
    // Where a token is held already, the endpoint is asked for another one because this one is refused.
    const reply = await ask(`/v1/invoke/ask-${method}`, { fault: "status=401" });
    expect(reply.text).toContain("TOKEN_REFUSED");
    expectRedacted(reply);
  }
});

test.each(["/health", "/openapi.json", "/v1/skills", "/v1/tools?format=openai", "/v1/nothing"])(
  "%s tells no secret",
  async (path) => {
    expect(leaksIn((await ask(path)).text, plantedNeedles)).toEqual([]);
  },
);
