import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WorkerSetup, workerdConfig } from "../../../scripts/bench/workerd/config.ts";
import { startWorkerd, type Workerd } from "../../../scripts/bench/workerd/process.ts";

const workers = join(import.meta.dirname, "../../../scripts/bench/workers");

/** Starts a worker of this source text, with `store.js` beside it. */
async function started(
  source: string,
  setup: Partial<WorkerSetup>,
  texts: Record<string, string> = {},
): Promise<Workerd> {
  const folder = await mkdtemp(join(tmpdir(), "skillgate-workerd-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyFile(join(workers, "store.js"), join(folder, "store.js"));
  await writeFile(join(folder, "main.js"), source);
  for (const [name, content] of Object.entries(texts)) await writeFile(join(folder, name), content);
  const modules = [{ name: "main.js", path: "main.js", kind: "esModule" }] as const;
  const config = workerdConfig(
    { modules, variables: {}, store: null, objects: null, ...setup },
    { date: "2026-10-01", flags: [] },
  );
  await writeFile(join(folder, "config.capnp"), config);
  const worker = await startWorkerd(join(folder, "config.capnp"));
  onTestFinished(worker.stop);
  return worker;
}

const store = { binding: "STORE", module: { name: "store.js", path: "store.js", kind: "esModule" } } as const;

describe("a worker under workerd", () => {
  test("finds variables as they were given, whatever characters they have", async () => {
    const variables = { PLAIN: "http://127.0.0.1:1/v1", ODD: 'a "quoted" \\ back\nline\u0000 英伟达 💰' };
    const source = "export default { fetch: (_, env) => Response.json(env) };";
    const { url } = await started(source, { variables });
    expect(await (await fetch(url)).json()).toEqual(variables);
  });

  test("imports texts beside it", async () => {
    const modules = [
      { name: "main.js", path: "main.js", kind: "esModule" },
      { name: "a.txt", path: "a.txt", kind: "text" },
    ] as const;
    const source = 'import text from "./a.txt"; export default { fetch: () => new Response(text) };';
    const { url } = await started(source, { modules }, { "a.txt": "行情" });
    expect(await (await fetch(url)).text()).toBe("行情");
  });

  test("that cannot start is an error, not a wait", async () => {
    await expect(started("export default {", {})).rejects.toThrow(/before it listened: .*SyntaxError/);
  });

  test("is gone after it was stopped", async () => {
    const { url, stop } = await started("export default { fetch: () => new Response() };", {});
    expect((await fetch(url)).status).toBe(200);
    stop();
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });
});

describe("the KV namespace in memory", () => {
  test("keeps values and metadata under any key, lists by prefix in order, and forgets what is deleted", async () => {
    const source = `export default { async fetch(_, { STORE }) {
      const before = await STORE.get("a/1?x=ü");
      await STORE.put("a/1?x=ü", "one");
      await STORE.put("a/0", "", { expirationTtl: 60, metadata: { count: 3 } });
      await STORE.put("b", "other");
      await STORE.put("gone", "x");
      await STORE.delete("gone");
      const gone = await STORE.get("gone");
      const { keys, list_complete } = await STORE.list({ prefix: "a/" });
      return Response.json({ before, after: await STORE.get("a/1?x=ü"), gone, keys, list_complete });
    } };`;
    const { url } = await started(source, { store });
    expect(await (await fetch(url)).json()).toEqual({
      before: null,
      after: "one",
      gone: null,
      keys: [{ name: "a/0", metadata: { count: 3 } }, { name: "a/1?x=ü" }],
      list_complete: true,
    });
  });
});
