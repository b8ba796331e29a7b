import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { workerdConfig } from "../../../scripts/bench/workerd/config.ts";
import { startWorkerd, type Workerd } from "../../../scripts/bench/workerd/process.ts";

const seen: string[] = [];
let upstream: Server;
let workerd: Workerd;
let folder: string;

/** Answers `/slow` after a second, `/slower` after four and a half, anything else at once; notes what came, and whose connection was closed before. */
function startUpstream(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    seen.push(url);
    response.on("close", () => {
      if (!response.writableEnded) seen.push(`given up: ${url}`);
    });
    const milliseconds = url.startsWith("/slower") ? 4_500 : url.startsWith("/slow") ? 1_000 : 0;
    setTimeout(() => response.end(url), milliseconds);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skillgate-contexts-"));
  upstream = await startUpstream();
  await build({
    entryPoints: [join(import.meta.dirname, "waiting-worker.ts")],
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    external: ["cloudflare:workers"],
    logLevel: "error",
  });
  const address = upstream.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const config = join(folder, "config.capnp");
  await writeFile(
    config,
    workerdConfig(
      {
        modules: [{ name: "worker.js", path: "worker.js", kind: "esModule" }],
        variables: { UPSTREAM: `http://127.0.0.1:${port}` },
        store: null,
        objects: null,
      },
      { date: "2026-09-01", flags: [] },
    ),
  );
  workerd = await startWorkerd(config);
}, 30_000);

afterAll(async () => {
  workerd.stop();
  upstream.closeAllConnections();
  upstream.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  seen.length = 0;
});

/** Asks as `a`, `b` …, each once the one before has been heard of upstream or is sure to wait. */
async function ask(key: string, ...queries: readonly string[]): Promise<unknown[]> {
  const replies: Promise<unknown>[] = [];
  for (const [index, query] of queries.entries()) {
    const who = "abc"[index];
    replies.push(fetch(`${workerd.url}/?key=${key}&who=${who}&${query}`).then((reply) => reply.json()));
    await new Promise((wake) => setTimeout(wake, 50));
  }
  return Promise.all(replies);
}

test("requests that wait for what another makes go on with work of their own", async () => {
  const made = "/slow?by=a";
  expect(await ask("one", "", "", "")).toEqual([
    [made, "/fast?by=a"],
    [made, "/fast?by=b"],
    [made, "/fast?by=c"],
  ]);
  expect(seen.filter((url) => url.startsWith("/slow"))).toEqual([made]);
});

test("what a request makes is made for those who wait when that request is over", async () => {
  const made = "/slow?by=a";
  expect(await ask("over", "end=200", "", "")).toEqual(["over", [made, "/fast?by=b"], [made, "/fast?by=c"]]);
  expect(seen.filter((url) => url.includes("slow"))).toEqual([made]);
});

test("what the platform ended with its request is made anew by one of those who wait", async () => {
  const made = "/slow?by=b";
  expect(await ask("lost", "lost&end=200", "lost", "lost")).toEqual([
    "over",
    [made, "/fast?by=b"],
    [made, "/fast?by=c"],
  ]);
  expect(seen.filter((url) => url.includes("slow"))).toEqual([
    "/slow?by=a",
    "given up: /slow?by=a",
    "/slow?by=b",
  ]);
}, 15_000);

test.each(["", "&end=200"])(
  "what is made for longer than patience is waited for, as its maker lives: %j",
  async (end) => {
    const key = `slower${end}`;
    const made = "/slower?by=a";
    const [, ...others] = await ask(encodeURIComponent(key), `slower${end}`, "slower", "slower");
    expect(others).toEqual([
      [made, "/fast?by=b"],
      [made, "/fast?by=c"],
    ]);
    expect(seen.filter((url) => url.includes("slower"))).toEqual([made]);
  },
  15_000,
);

test("what a request makes is given up when the last to go is another", async () => {
  expect(await ask("left", "leave=200", "leave=400")).toEqual([
    [null, "/fast?by=a"],
    [null, "/fast?by=b"],
  ]);
  expect(seen.filter((url) => url.includes("slow"))).toEqual(["/slow?by=a", "given up: /slow?by=a"]);
});
