import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { ask, call, listOf, objectOf, type Reply } from "./ask.ts";

const NAME = "greeting";
const BUNDLED = "tickdb-market-data";
const ADDRESS = `/v1/skills/${NAME}`;

/** A document of a greeting that is computed. */
function document(greeting: string, prose = "Greet everybody.", name = NAME): string {
  const functions = [{ name: "greet", description: "Gives a greeting.", compute: JSON.stringify(greeting) }];
  const front = `---\nname: ${name}\ndescription: A small skill that a test put here.\n---\n`;
  return `${front}${prose}\n\n\`\`\`json\n${JSON.stringify({ functions })}\n\`\`\`\n`;
}

function send(method: string, path: string, body?: JsonObject, headers: Record<string, string> = {}) {
  return ask(path, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function put(greeting: string, headers: Record<string, string> = {}, query = ""): Promise<Reply> {
  return ask(`${ADDRESS}${query}`, { method: "PUT", body: document(greeting), headers });
}

async function greeting(): Promise<JsonValue | undefined> {
  return objectOf((await call("greet", {})).json).data;
}

async function tag(): Promise<string> {
  return (await ask(ADDRESS)).headers.get("etag") ?? "";
}

afterEach(async () => {
  for (const name of [NAME, BUNDLED]) await ask(`/v1/skills/${name}`, { method: "DELETE" });
  const left = await env.STORE.list({ prefix: "skill:" });
  expect(left.keys).toEqual([]);
  // What deleted skills held is swept away once no other place can go on from them, which no test waits for.
  for (const { name } of (await env.STORE.list({ prefix: "content:" })).keys) await env.STORE.delete(name);
});

describe("the versions of a skill", () => {
  test("are listed, the latest first, and any of them can be the latest again", async () => {
    for (const word of ["hello", "salut", "你好"]) await put(word);
    const { json } = await ask(`${ADDRESS}/versions`);
    expect(json).toMatchObject({ name: NAME, current: 3 });
    expect(listOf(objectOf(json).versions).map((one) => objectOf(one).version)).toEqual([3, 2, 1]);
    expect(objectOf(listOf(objectOf(json).versions)[0] ?? null)).toMatchObject({
      author: "operator",
      written_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      files: [],
    });
    const rolled = await send("POST", `${ADDRESS}/rollback`, { version: 1 });
    expect([rolled.status, rolled.json]).toEqual([
      200,
      expect.objectContaining({ version: 4, created: false }),
    ]);
    expect(await greeting()).toBe("hello");
    expect(objectOf((await ask(`${ADDRESS}?protocol=1`)).json).content).toBe(document("hello"));
  });

  test("are not more by a write that changes nothing", async () => {
    await put("hello");
    expect((await put("hello")).json).toMatchObject({ version: 1, created: false });
  });

  test.each<[string, JsonObject, number, string]>([
    ["that was never there", { version: 9 }, 404, "UNKNOWN_VERSION"],
    ["that is no number", { version: "1" }, 400, "INVALID_REQUEST"],
    ["of no number that versions have", { version: 0 }, 400, "INVALID_REQUEST"],
    ["that nobody names", {}, 400, "INVALID_REQUEST"],
  ])("are not rolled back to one %s", async (_what, body, status, code) => {
    await put("hello");
    const reply = await send("POST", `${ADDRESS}/rollback`, body);
    expect([reply.status, objectOf(reply.json).error_code]).toEqual([status, code]);
  });

  test("are those of one's own skills alone", async () => {
    await put("hello");
    for (const [method, path] of [
      ["GET", "versions"],
      ["GET", "diff"],
      ["POST", "rebase"],
    ] as const) {
      const { status, json } = await ask(`/v1/skills/${BUNDLED}/${path}`, { method });
      expect([path, status, objectOf(json).error_code]).toEqual([path, 404, "UNKNOWN_SKILL"]);
      expect(objectOf(json).details).toEqual([NAME]);
    }
  });
});

describe("the difference", () => {
  test("is against the version before, as text and as what changed for callers", async () => {
    await put("hello");
    await put("salut");
    const { json } = await ask(`${ADDRESS}/diff`);
    expect(json).toMatchObject({
      from: { version: 1, source: "user" },
      to: { version: 2 },
      stale: false,
      rebase: null,
    });
    expect(objectOf(json).unified).toMatch(/^--- version-1\/SKILL\.md\n\+\+\+ version-2\/SKILL\.md\n@@ /);
    expect(objectOf(json).structure).toMatchObject({
      skill: [],
      functions: [{ name: "greet", change: "changed", differences: [{ path: "/compute/expression" }] }],
    });
  });

  test("is between any two versions, and of the first against nothing", async () => {
    for (const word of ["hello", "salut", "hello"]) await put(word);
    expect(objectOf((await ask(`${ADDRESS}/diff?from=1&to=3`)).json).unified).toBe("");
    expect((await ask(`${ADDRESS}/diff?to=1`)).json).toMatchObject({
      from: null,
      structure: { functions: [{ name: "greet", change: "added" }] },
    });
    expect((await ask(`${ADDRESS}/diff?from=7`)).json).toMatchObject({ error_code: "UNKNOWN_VERSION" });
    expect((await ask(`${ADDRESS}/diff?from=x`)).json).toMatchObject({ error_code: "INVALID_REQUEST" });
  });
});

describe("PATCH", () => {
  const edits = (...all: JsonObject[]) => send("PATCH", ADDRESS, { edits: all });

  test("edits what is there, all of it or nothing", async () => {
    await put("hello");
    const edited = await edits({ find: "hello", replace: "hi" }, { find: "everybody", replace: "everyone" });
    expect(edited.json).toMatchObject({ version: 2, created: false, warnings: [] });
    expect(await greeting()).toBe("hi");
    const refused = await edits({ find: '"hi', replace: '"ho' }, { find: "nobody wrote this", replace: "" });
    expect(refused.json).toMatchObject({
      error_code: "INVALID_REQUEST",
      details: [{ path: "/edits/1/find", rule: "absent" }],
    });
    expect((await edits({ find: "e", replace: "E" })).json).toMatchObject({
      details: [{ path: "/edits/0/find", rule: "ambiguous" }],
    });
    expect(await greeting()).toBe("hi");
  });

  test("copies the bundled skill first, which stays what it was", async () => {
    const before = await ask(`/v1/skills/${BUNDLED}?protocol=1`);
    const body = {
      edits: [{ find: "name: tickdb-market-data", replace: "name: tickdb-market-data", all: true }],
    };
    const reply = await send("PATCH", `/v1/skills/${BUNDLED}`, body);
    expect([reply.status, reply.json]).toEqual([
      201,
      expect.objectContaining({ created: true, overrides: true, stale: false }),
    ]);
    const diff = await ask(`/v1/skills/${BUNDLED}/diff?against=bundled`);
    expect(diff.json).toMatchObject({ unified: "", stale: false, from: { source: "bundled" } });
    await ask(`/v1/skills/${BUNDLED}`, { method: "DELETE" });
    expect((await ask(`/v1/skills/${BUNDLED}?protocol=1`)).json).toEqual(before.json);
  });

  test.each<[string, JsonObject, number, string]>([
    ["of a skill that nobody has", { edits: [{ find: "a", replace: "b" }] }, 404, "UNKNOWN_SKILL"],
    ["without an edit", { edits: [] }, 400, "INVALID_REQUEST"],
    ["that looks for nothing", { edits: [{ find: "", replace: "b" }] }, 400, "INVALID_REQUEST"],
    ["with a misspelt member", { edits: [{ find: "a", replce: "b" }] }, 400, "INVALID_REQUEST"],
  ])("%s is refused", async (_what, body, status, code) => {
    const reply = await send("PATCH", ADDRESS, body);
    expect([reply.status, objectOf(reply.json).error_code]).toEqual([status, code]);
  });

  test("that makes the document no skill leaves the one before", async () => {
    await put("hello");
    expect((await edits({ find: "name: greeting", replace: "name: farewell" })).status).toBe(422);
    expect(await greeting()).toBe("hello");
  });
});

describe("a condition", () => {
  test("lets one of two writers through, who have read the same", async () => {
    await put("hello");
    const read = await tag();
    const [one, two] = await Promise.all([
      put("one", { "If-Match": read }),
      put("two", { "If-Match": read }),
    ]);
    expect([one.status, two.status].sort()).toEqual([200, 412]);
    expect(one.headers.get("etag")).toBe(await tag());
    expect(two.json).toMatchObject({ error_code: "VERSION_CONFLICT", details: [await tag()] });
    expect(await greeting()).toBe("one");
  });

  test.each<[string, string, JsonObject | undefined]>([
    ["PUT", ADDRESS, { skill: document("salut") }],
    ["PATCH", ADDRESS, { edits: [{ find: "hello", replace: "hi" }] }],
    ["DELETE", ADDRESS, undefined],
    ["POST", `${ADDRESS}/rollback`, { version: 1 }],
    ["PUT", `${ADDRESS}/files/references/a.md`, undefined],
  ])("that does not hold keeps %s %s from changing anything", async (method, path, body) => {
    await put("hello");
    const reply = await send(method, path, body, { "If-Match": '"0"' });
    expect([reply.status, objectOf(reply.json).error_code]).toEqual([412, "VERSION_CONFLICT"]);
    expect(await greeting()).toBe("hello");
  });

  test("is on the bundled skill where one has none, and on there being none", async () => {
    const bundled = (await ask(`/v1/skills/${BUNDLED}`)).headers.get("etag") ?? "";
    const edits = [{ find: "name: tickdb-market-data", replace: "name: tickdb-market-data", all: true }];
    const patch = (headers: Record<string, string>) =>
      send("PATCH", `/v1/skills/${BUNDLED}`, { edits }, headers);
    expect((await patch({ "If-Match": '"0"' })).status).toBe(412);
    expect((await patch({ "If-Match": bundled })).status).toBe(201);
    expect((await put("hello", { "If-None-Match": "*" })).status).toBe(201);
    expect((await put("salut", { "If-None-Match": "*" })).status).toBe(412);
  });
});

describe("a dry run", () => {
  test("shows the difference to what is there and stores nothing", async () => {
    await put("hello");
    const before = await tag();
    const { status, json } = await put("salut", {}, "?dry_run=1");
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ stored: false, version: 1, created: false }),
    ]);
    const diff = objectOf(objectOf(json).diff);
    expect(diff).toMatchObject({ from: { version: 1 }, to: { version: null } });
    expect(diff.unified).toContain("+++ draft/SKILL.md");
    expect([await tag(), await greeting()]).toEqual([before, "hello"]);
  });
});

describe("the files of a skill", () => {
  const file = (path: string) => `${ADDRESS}/files/${path}`;

  test("are put, listed, read and removed beside the document", async () => {
    await put("hello");
    const before = await tag();
    const created = await ask(file("references/api.md"), { method: "PUT", body: "# 接口" });
    expect(created.json).toMatchObject({ version: 2, files: [{ path: "references/api.md", bytes: 8 }] });
    expect(await tag()).not.toBe(before);
    await ask(file("assets/%E5%9B%BE.bin"), { method: "PUT", body: new Uint8Array([0, 255, 1]) });
    const { json } = await ask(`${ADDRESS}/files`);
    expect(listOf(objectOf(json).files).map((one) => objectOf(one).path)).toEqual([
      "references/api.md",
      "assets/图.bin",
    ]);
    const read = await ask(file("references/api.md"));
    expect([read.status, read.text, read.headers.get("content-type")]).toEqual([
      200,
      "# 接口",
      "text/plain; charset=utf-8",
    ]);
    expect(read.headers.get("x-content-type-options")).toBe("nosniff");
    const tagged = { headers: { "If-None-Match": read.headers.get("etag") ?? "" } };
    expect((await ask(file("references/api.md"), tagged)).status).toBe(304);
    expect((await ask(file("assets/图.bin"))).headers.get("content-type")).toBe("application/octet-stream");
    expect((await ask(file("references/api.md"), { method: "DELETE" })).json).toMatchObject({
      files: [{ path: "assets/图.bin" }],
    });
    expect((await ask(file("references/api.md"))).json).toMatchObject({
      error_code: "UNKNOWN_FILE",
      details: ["assets/图.bin"],
    });
    expect((await ask(file("references/api.md"), { method: "DELETE" })).status).toBe(404);
    expect(await greeting()).toBe("hello");
  });

  test("come back with a version that had them, and stay where only the document is put", async () => {
    await put("hello");
    await ask(file("references/a.md"), { method: "PUT", body: "one" });
    await ask(file("references/a.md"), { method: "PUT", body: "two" });
    expect((await put("salut")).json).toMatchObject({ version: 4, files: [{ path: "references/a.md" }] });
    await send("POST", `${ADDRESS}/rollback`, { version: 2 });
    expect((await ask(file("references/a.md"))).text).toBe("one");
    expect(await greeting()).toBe("hello");
  });

  test("can be put on a copy of the bundled skill", async () => {
    const reply = await ask(`/v1/skills/${BUNDLED}/files/references/mine.md`, {
      method: "PUT",
      body: "mine",
    });
    expect([reply.status, reply.json]).toEqual([
      201,
      expect.objectContaining({ overrides: true, stale: false }),
    ]);
    expect((await ask(`/v1/skills/${BUNDLED}/files/references/mine.md`)).text).toBe("mine");
  });

  test.each([
    ["SKILL.md"],
    ["src/a.md"],
    ["references/%252e%252e/a.md"],
    ["references/..%2f..%2fa.md"],
    ["references%2f..%2f..%2fSKILL.md"],
    ["references/..%5c..%5ca.md"],
    ["references/a%00.md"],
    ["references/a%E2%80%AEgpj.md"],
    ["references/%ff.md"],
    ["references//a.md"],
    ["references/..."],
    [`references/${"x".repeat(300)}`],
  ])("never have the path %s", async (path) => {
    await put("hello");
    for (const method of ["PUT", "GET", "DELETE"]) {
      const reply = await ask(file(path), { method, ...(method === "PUT" ? { body: "x" } : {}) });
      expect([method, reply.status, objectOf(reply.json).error_code]).toEqual([
        method,
        400,
        "INVALID_REQUEST",
      ]);
    }
    const { keys } = await env.STORE.list({ prefix: "content:" });
    expect(keys.map(({ name }) => name)).toEqual([]);
  });

  test("are not larger than a file may be, which is found out while reading", async () => {
    await put("hello");
    const reply = await ask(file("assets/a"), { method: "PUT", body: new Uint8Array(1_048_577) });
    expect(reply.json).toMatchObject({ error_code: "PAYLOAD_TOO_LARGE" });
  });
});

/** Deflated as the platform does it. */
async function deflated(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

describe("a bundle", () => {
  const upload = (body: string | Uint8Array, type: string, query = "") =>
    ask(`${ADDRESS}${query}`, { method: "PUT", body, headers: { "Content-Type": type } });

  test("stores the document and its files as one, in the place of those before", async () => {
    await put("old");
    await ask(`${ADDRESS}/files/references/old.md`, { method: "PUT", body: "old" });
    const files = { "references/a.md": "See you.", "assets/b.bin": { base64: "AAH/" } };
    const skill = document("new", "Read references/a.md and [b](assets/b.bin) first.");
    const { json } = await upload(JSON.stringify({ skill, files }), "application/json");
    expect(json).toMatchObject({
      version: 3,
      warnings: [],
      files: [{ path: "references/a.md" }, { path: "assets/b.bin" }],
    });
    expect([await greeting(), (await ask(`${ADDRESS}/files/references/a.md`)).text]).toEqual([
      "new",
      "See you.",
    ]);
    expect((await ask(`${ADDRESS}/files/references/old.md`)).status).toBe(404);
    expect((await ask(`${ADDRESS}/diff`)).json).toMatchObject({
      files: [
        { path: "assets/b.bin", change: "added" },
        { path: "references/a.md", change: "added" },
        { path: "references/old.md", change: "removed" },
      ],
    });
  });

  test("is warned of where its document names a file that it does not have", async () => {
    const skill = document("new", "Read [this](references/other.md) first.");
    const { json } = await upload(
      JSON.stringify({ skill, files: { "references/a.md": "x" } }),
      "application/json",
    );
    const codes = listOf(objectOf(json).warnings).map((warning) => objectOf(warning).code);
    expect(codes).toContain("reference-missing");
  });

  test("may be a ZIP archive, which the platform inflates", async () => {
    const archive = await zipped({ "SKILL.md": document("zipped"), "references/a.md": "甲".repeat(5_000) });
    expect((await upload(archive, "application/zip")).status).toBe(201);
    expect([await greeting(), (await ask(`${ADDRESS}/files/references/a.md`)).text]).toEqual([
      "zipped",
      "甲".repeat(5_000),
    ]);
  });

  test("is refused as a whole for one thing in it, and nothing of it is stored", async () => {
    await put("hello");
    for (const files of [
      { "references/a.md": "x", "../b.md": "y" },
      { "references/a.md": { base64: "?" } },
    ]) {
      const reply = await upload(JSON.stringify({ skill: document("new"), files }), "application/json");
      expect(reply.status).toBe(400);
    }
    expect(
      (await upload(JSON.stringify({ skill: "none", files: { "references/a.md": "x" } }), "application/json"))
        .status,
    ).toBe(422);
    expect((await upload(await zipped({ "references/a.md": "x" }), "application/zip")).status).toBe(400);
    expect([await greeting(), objectOf((await ask(ADDRESS)).json).files]).toEqual(["hello", []]);
    expect((await env.STORE.list({ prefix: "content:" })).keys).toEqual([]);
  });
});

/** A ZIP archive of deflated files. */
async function zipped(files: Record<string, string>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = new TextEncoder().encode(path);
    const data = await deflated(text);
    const [size, sum] = [new TextEncoder().encode(text).byteLength, crc32(new TextEncoder().encode(text))];
    const common = [20, 0, 8, 0, 0, sum, data.byteLength, size, name.byteLength, 0];
    const local = packed([0x04034b50, ...common], "4222224442" + "2");
    const central = packed([0x02014b50, 20, ...common, 0, 0, 0, 0, at], "4" + "2222224442" + "2" + "22244");
    parts.push(local, name, data);
    directory.push(central, name);
    at += local.byteLength + name.byteLength + data.byteLength;
  }
  const size = directory.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const count = Object.keys(files).length;
  const end = packed([0x06054b50, 0, 0, count, count, size, at, 0], "42222442");
  return new Uint8Array(await new Blob([...parts, ...directory, end]).arrayBuffer());
}

/** Numbers in little-endian order, each of so many bytes. */
function packed(values: readonly number[], sizes: string): Uint8Array {
  const bytes: number[] = [];
  for (const [index, value] of values.entries())
    for (let byte = 0; byte < Number(sizes[index]); byte++) bytes.push((value >>> (8 * byte)) & 0xff);
  return Uint8Array.from(bytes);
}

function crc32(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ 0xedb8_8320;
  }
  return (sum ^ 0xffff_ffff) >>> 0;
}
