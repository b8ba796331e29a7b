import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type StartedGateway, startGateway } from "./started.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const run = promisify(execFile);

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway(inject("evidence"));
});
afterAll(async () => {
  await gateway.stop();
});

/** The code blocks of a language, in order; a block fenced by four marks may hold others. */
function blocks(language: string): string[] {
  const fence = /^(`{3,})(\w*)\n([\s\S]*?)^\1$/gm;
  return [...readme.matchAll(fence)].filter((match) => match[2] === language).map((match) => match[3] ?? "");
}

interface ModelRequest {
  tools: { function: { name: string } }[];
  messages: { role: string; content: string; tool_call_id?: string }[];
}

/** Plays a model that first calls for a price and then says what it got. */
function scriptedModel(seen: ModelRequest[]): Server {
  return createServer(async (request, response) => {
    const body = (await readJson(request)) as ModelRequest;
    seen.push(body);
    const result = body.messages.find(({ role }) => role === "tool");
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "get_realtime_price", arguments: '{"symbol":"NVDA.US"}' },
    };
    const message =
      result === undefined ? { content: null, tool_calls: [call] } : { content: `Got ${result.content}` };
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
      }),
    );
  });
}

/** The names of a value's members, in their order, and of theirs. */
function fieldsOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.entries(value).map(([name, member]) => [name, fieldsOf(member)]);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

/** What the curl lines answer, one after the other. */
const REPLIES = [
  expect.objectContaining({ format: "openai" }),
  expect.objectContaining({ data: expect.objectContaining({ symbol: "NVDA.US" }) }),
  expect.objectContaining({ error_code: "NOT_COVERED" }),
  expect.objectContaining({
    messages: [
      { role: "user", content: [expect.objectContaining({ type: "tool_result", tool_use_id: "toolu_1" })] },
    ],
    calls: [expect.objectContaining({ error_code: null })],
  }),
  expect.objectContaining({
    messages: [expect.objectContaining({ role: "user" })],
    calls: [expect.objectContaining({ error_code: null })],
  }),
  expect.stringMatching(/^# Tools\n[\s\S]*`get_realtime_price`/),
  expect.objectContaining({ skills: [expect.objectContaining({ name: "exchange-rates" })] }),
  expect.objectContaining({ mode: "section", section: "The order of calls", complete: true }),
  expect.objectContaining({
    data: expect.objectContaining({
      places: [expect.objectContaining({ name: "上海", country: "中国" })],
    }),
  }),
  expect.objectContaining({
    data: expect.objectContaining({ circle: expect.objectContaining({ name: "白酒研究社" }) }),
  }),
  expect.objectContaining({ name: "body-mass", created: true }),
  expect.objectContaining({ data: 70 / (1.75 * 1.75) }),
  expect.objectContaining({ name: "body-mass", now: "gone" }),
  expect.objectContaining({ name: "weather", version: 1, created: true, stale: false }),
  expect.objectContaining({
    version: 2,
    files: [expect.objectContaining({ path: "references/units.md" })],
  }),
  expect.objectContaining({ unified: expect.stringContaining("+# Sailing weather from Open-Meteo") }),
  expect.objectContaining({ version: 3, files: [] }),
  expect.objectContaining({ name: "weather", now: "bundled" }),
  expect.objectContaining({ tenant: "acme", key: expect.stringMatching(/^sg_acme_/) }),
  expect.objectContaining({ tenant: "acme", name: "ACME_API_KEY", created: true }),
];

describe("what README shows", () => {
  test("the loop with the OpenAI SDK runs as printed and ends with the price", async () => {
    const seen: ModelRequest[] = [];
    const model = scriptedModel(seen);
    await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
    const folder = join(root, "dist/readme");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "loop.mjs"), blocks("js")[0] ?? "");
    const { port } = model.address() as AddressInfo;
    const { stdout } = await run(process.execPath, [join(folder, "loop.mjs")], {
      env: {
        ...process.env,
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        SKILLGATE_URL: gateway.url,
      },
    });
    model.close();
    expect(stdout).toMatch(/^Got \{"data":\{"symbol":"NVDA\.US"/);
    expect(seen).toHaveLength(2);
    expect(seen[0]?.tools.map((tool) => tool.function.name)).toContain("get_realtime_price");
    expect(seen[1]?.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: "call_1" });
  });

  test("every curl line works against what npm start starts", async () => {
    const skill = blocks("md")[0] ?? "";
    const folder = join(root, "dist/readme");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), skill);
    const lines = blocks("sh").flatMap((block) => block.match(/^curl .*127\.0\.0\.1.*$/gm) ?? []);
    expect(lines).toHaveLength(REPLIES.length);
    const replies: unknown[] = [];
    for (const line of lines) {
      const { stdout } = await run("sh", ["-c", line.replaceAll("http://127.0.0.1:8787", gateway.url)], {
        cwd: folder,
      });
      replies.push(stdout.startsWith("{") ? JSON.parse(stdout) : stdout);
    }
    expect(replies).toEqual(REPLIES);
  });

  test("the failure that it prints is the one that comes", async () => {
    const printed = blocks("json").map((block) => JSON.parse(block) as Record<string, unknown>);
    const failure = printed.find((value) => "error_code" in value);
    const response = await fetch(`${gateway.url}/v1/invoke/get_order_book`, {
      method: "POST",
      body: '{"symbol":"SPX.IDX"}',
    });
    expect(await response.json()).toEqual({ ...failure, request_id: expect.any(String) });
  });

  test("the result that it prints has the fields of the one that comes", async () => {
    const [printed = ""] = blocks("json");
    const response = await fetch(`${gateway.url}/v1/invoke/get_realtime_price`, {
      method: "POST",
      body: '{"symbol":"NVDA.US"}',
    });
    const { data, meta } = (await response.json()) as { data: object; meta: object };
    // A result is held against its function's `returns` now and then, so this one may have been.
    const shown = { data, meta: { ...meta, returns_faults: null } };
    expect(fieldsOf(shown)).toEqual(fieldsOf(JSON.parse(printed)));
  });

  test("the outline that it prints has the fields of the one that comes", async () => {
    const printed = blocks("json").map((block): unknown => JSON.parse(block));
    const response = await fetch(`${gateway.url}/v1/skills/weather?max_chars=1500`);
    const fields = fieldsOf(await response.json());
    expect(printed.map(fieldsOf)).toContainEqual(fields);
  });

  test("a check of its skill with a slip says what it prints, and can fix it", async () => {
    const [right = ""] = blocks("md");
    const [printed = ""] = blocks("text");
    const folder = join(root, "dist/readme/check");
    const path = join(folder, "my-skills/body-mass/SKILL.md");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, right.replace("compute:", "conpute:"));
    const [line = ""] = blocks("sh").flatMap((block) => block.match(/^npm .* check .*$/gm) ?? []);
    expect((await run("sh", ["-c", line], { cwd: folder })).stderr).toBe(printed);
    await run("sh", ["-c", `${line} --fix`], { cwd: folder });
    expect(readFileSync(path, "utf8")).toBe(right);
  });

  test("its two commands and its scripts are those of the package", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [
      ...readme.matchAll(
        /npm (?:--silent )?(?:run )?(start|test|build|check|bench|fuzz|simulate:limits|format|deploy|skillgate)\b/g,
      ),
    ].map((match) => match[1] ?? "");
    expect([...new Set(named)].sort()).toEqual(Object.keys(scripts).sort());
  });
});
