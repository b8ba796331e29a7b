import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { planted } from "../leaks/planted.ts";
import { startWithSkills } from "./deployed.ts";
import { freePort, type StartedGateway } from "./started.ts";

const root = join(import.meta.dirname, "../..");

let server: ChildProcess;
let folder: string;
let gateway: StartedGateway;
/** The port of an imposter that plays a list of ships. */
let harbour: number;

/** Starts mountebank, a server that plays other servers, with an API key of its own. */
async function startMountebank(port: number): Promise<ChildProcess> {
  const words = [join(root, "node_modules/@mbtest/mountebank/bin/mb"), "start", "--port", String(port)];
  const key = ["--apikey", planted.MOUNTEBANK_KEY];
  const files = ["--pidfile", join(folder, "mb.pid"), "--nologfile", "--loglevel", "warn"];
  const child = spawn(process.execPath, [...words, "--host", "127.0.0.1", "--localOnly", ...key, ...files], {
    stdio: "ignore",
  });
  for (let attempt = 0; attempt < 200 && !(await answers(port)); attempt++)
    await new Promise((wake) => setTimeout(wake, 50));
  return child;
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

/** An imposter on whatever port is free, so that its address is known before the gateway starts. */
async function firstImposter(url: string): Promise<number> {
  const response = await fetch(`${url}/imposters`, {
    method: "POST",
    headers: { "X-Api-Key": planted.MOUNTEBANK_KEY },
    body: JSON.stringify({ protocol: "http", host: "127.0.0.1", recordRequests: true }),
  });
  const { port } = (await response.json()) as { port: number };
  return port;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skillgate-mountebank-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  server = await startMountebank(port);
  harbour = await firstImposter(url);
  gateway = await startWithSkills(inject("evidence"), join(root, "test/fixtures/foreign"), {
    OPEN_ACCESS: "true",
    EGRESS_ALLOW: "*,loopback",
    MOUNTEBANK_BASE_URL: url,
    IMPOSTER_BASE_URL: `http://127.0.0.1:${harbour}`,
    MOUNTEBANK_KEY: planted.MOUNTEBANK_KEY,
    MOUNTEBANK_OLD_KEY: planted.MOUNTEBANK_OLD_KEY,
  });
});
afterAll(async () => {
  await gateway.stop();
  server.kill();
  await rm(folder, { recursive: true, force: true });
});

interface Reply {
  data: unknown;
  meta: unknown;
  error_code: string;
}

async function invoke(name: string, args: unknown): Promise<Reply> {
  const url = `${gateway.url}/v1/invoke/${name}`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify(args) });
  return (await response.json()) as Reply;
}

/** Answers a page of a harbour's list. */
function pageStub(page: number, pages: number, sightings: unknown[]): unknown {
  return {
    predicates: [{ equals: { method: "GET", query: { page: String(page) } } }],
    responses: [{ is: { body: { page, pages, sightings } } }],
  };
}

/** Takes what is reported and says it back as it came. */
const acceptStub = {
  predicates: [{ equals: { method: "POST" } }],
  responses: [{ is: { statusCode: 201, body: '{"accepted": true, "tide": -0.25}' } }],
};

const NUMBERS = [0, -1, 0.1, -273.15, 1e21, 5e-324, 9_007_199_254_740_991, 1.7976931348623157e308];
const SHIPS = [
  { ship: "海葵号 🚢" },
  { ship: 'Queen "Anne"\\\n' },
  { numbers: NUMBERS },
  { ship: "👩‍👩‍👧‍👦" },
  { ship: null },
];

describe("a server that nobody here wrote", () => {
  test("makes, shows, changes and deletes what it is told to", async () => {
    const made = await invoke("create_imposter", { label: "港口 ⚓", stubs: [acceptStub] });
    expect(made).toMatchObject({ data: { port: expect.any(Number), label: "港口 ⚓", stubs: 1 } });
    const { port } = made.data as { port: number };
    const { data } = await invoke("get_imposter", { port });
    expect(data).toMatchObject({ protocol: "http", port, name: "港口 ⚓" });
    expect(data).not.toHaveProperty("numberOfRequests");
    expect((await invoke("replace_stubs", { port, stubs: [] })).data).toBe(0);
    expect((await invoke("delete_imposter", { port })).data).toBe(port);
    expect((await invoke("delete_imposter", { port })).data).toBeNull();
  });

  test.each([
    [true, { recordRequests: true }, "numberOfRequests"],
    [false, { numberOfRequests: 0 }, "recordRequests"],
  ])("lists what there is, by the query: replayable=%s", async (replayable, has, lacks) => {
    const { data } = await invoke("list_imposters", { replayable });
    expect(data).toEqual([expect.objectContaining({ port: harbour, ...has })]);
    expect(data).not.toHaveProperty(`0.${lacks}`);
  });

  test("takes a body as JSON, whatever is in it", async () => {
    const stubs = [
      pageStub(1, 3, SHIPS.slice(0, 2)),
      pageStub(2, 3, SHIPS.slice(2, 4)),
      pageStub(3, 3, SHIPS.slice(4)),
      acceptStub,
    ];
    expect((await invoke("replace_stubs", { port: harbour, stubs })).data).toBe(4);
    expect((await invoke("get_imposter", { port: harbour })).data).toMatchObject({ stubs });
  });

  test("gives a list in pages, which come as one, whatever is in them", async () => {
    const { data, meta } = await invoke("list_sightings", {
      harbour: "青岛/大港?",
      kinds: ["tug&tow", "货轮"],
    });
    expect(data).toEqual(SHIPS);
    expect(meta).toMatchObject({ attempts: 3, pages: { complete: true } });
  });

  test("takes a report", async () => {
    const report = { harbour: "a b%2F", ship: "海葵号 🚢", metres: 0.1 };
    expect((await invoke("report_sighting", report)).data).toEqual({ accepted: true, tide: -0.25 });
  });

  test("tells what it received: path, query, body and headers; the key is not told on", async () => {
    const { data } = await invoke("received_requests", { port: harbour });
    const listed = (page: string): unknown => ({
      method: "GET",
      path: "/harbours/%E9%9D%92%E5%B2%9B%2F%E5%A4%A7%E6%B8%AF%3F/sightings",
      query: { kind: ["tug&tow", "货轮"], page },
      body: "",
    });
    expect(data).toMatchObject([
      listed("1"),
      listed("2"),
      listed("3"),
      { method: "POST", path: "/harbours/a%20b%252F/sightings", body: '{"ship":"海葵号 🚢","metres":0.1}' },
    ]);
    expect(data).toHaveProperty("0.headers.X-Api-Key", "[redacted]");
    expect(data).toHaveProperty("3.headers.Content-Type", "application/json");
  });

  test("says how it was started, with its key, which is not told on", async () => {
    const { data } = await invoke("get_configuration", {});
    expect(data).toMatchObject({ host: "127.0.0.1", apikey: "[redacted]", localOnly: true });
  });
});

describe("its refusals come by their names", () => {
  test.each([
    ["what is not there", "get_imposter", { port: 1 }, 404, "no such resource", /does not exist there/],
    [
      "what it cannot do",
      "create_imposter",
      { port: 2, protocol: "潮汐" },
      400,
      "bad data",
      /Correct the arguments/,
    ],
    [
      "another key",
      "list_imposters_with_old_key",
      {},
      401,
      "unauthorized",
      /does not accept the gateway's credential/,
    ],
  ])("%s", async (_what, name, args, status, code, hint) => {
    expect(await invoke(name, args)).toMatchObject({
      error_code: "UPSTREAM_REJECTED",
      retryable: false,
      hint: expect.stringMatching(hint),
      upstream: { status, code, message: expect.any(String) },
    });
  });

  test("a code that the skill does not know, without a message", async () => {
    expect(await invoke("create_imposter", { port: harbour })).toMatchObject({
      error_code: "UPSTREAM_REJECTED",
      upstream: { status: 400, code: "EADDRINUSE", message: null },
    });
  });
});
