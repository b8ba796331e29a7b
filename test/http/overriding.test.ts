import { describe, expect, test } from "vitest";
import { createApp } from "../../src/http/index.ts";
import { Place } from "../store/place.ts";
import { gatewayOver } from "./gateway.ts";

interface Sketch {
  /** What the front matter says. */
  overridable?: string;
  lines?: string[];
  /** What the one function gives. */
  compute?: string;
}

/** A document of some lines of prose and one function. */
function document({
  overridable,
  lines = ["one", "two", "three"],
  compute = '"bundled"',
}: Sketch = {}): string {
  return [
    "---",
    "name: tides",
    "description: High and low water at a harbour, for tests.",
    ...(overridable === undefined ? [] : [`overridable: ${overridable}`]),
    "---",
    ...lines,
    "",
    "```yaml",
    "functions:",
    "  - name: get_tides",
    "    description: The tides of a harbour.",
    `    compute: ${JSON.stringify(compute)}`,
    "```",
    "",
  ].join("\n");
}

/** The interface of a gateway that is deployed again and again with other bundled skills, over one store. */
function deployments() {
  const place = new Place();
  const deploy = async (tides: string | null) => {
    const gateway = await gatewayOver(place.isolate(), tides === null ? {} : { tides });
    const app = createApp(gateway);
    return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const init = { method, headers, ...(body === undefined ? {} : { body: text }) };
      const response = await app.request(`/v1/skills${path}`, init);
      return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
    };
  };
  const line = async (ask: Awaited<ReturnType<typeof deploy>>) => {
    const { json } = await ask("GET", "");
    return json.skills.find(({ name }: { name: string }) => name === "tides");
  };
  return { place, deploy, line };
}

const EDIT = { edits: [{ find: "two", replace: "zwei" }] };

describe("an override of a bundled skill that has changed since", () => {
  test("is stale in the index, in itself and in the difference, until it is rebased", async () => {
    const { deploy, line } = deployments();
    const first = await deploy(document());
    expect((await first("PATCH", "/tides", EDIT)).json).toMatchObject({
      created: true,
      stale: false,
      version: 1,
    });
    expect(await line(first)).toMatchObject({ source: "user", overrides: true, stale: false });

    const later = await deploy(document({ lines: ["one", "two", "three", "four"] }));
    expect(await line(later)).toMatchObject({ source: "user", stale: true });
    expect((await later("GET", "/tides")).json).toMatchObject({ stale: true, content: "one\nzwei\nthree" });
    const { json: diff } = await later("GET", "/tides/diff?against=bundled");
    expect(diff).toMatchObject({
      from: { source: "bundled", version: null },
      to: { source: "user", version: 1 },
      stale: true,
      rebase: { clean: true, conflicts: 0 },
      structure: { skill: [], functions: [] },
    });
    expect(diff.unified).toContain("-two\n+zwei");

    const tried = await later("POST", "/tides/rebase?dry_run=1");
    expect(tried.json).toMatchObject({ stored: false, stale: false });
    expect(tried.json.diff.unified).toContain("+four");
    expect(await line(later)).toMatchObject({ stale: true });
    expect((await later("POST", "/tides/rebase")).json).toMatchObject({
      stored: true,
      stale: false,
      version: 2,
    });
    expect((await later("GET", "/tides")).json).toMatchObject({
      stale: false,
      content: "one\nzwei\nthree\nfour",
    });
    expect(await line(later)).toMatchObject({ stale: false });

    expect((await later("POST", "/tides/rollback", { version: 1 })).json).toMatchObject({
      version: 3,
      stale: true,
    });
  });

  test("says where both changed the same lines, and takes a document that settles that", async () => {
    const { deploy, line } = deployments();
    await (await deploy(document()))("PATCH", "/tides", EDIT);
    const later = await deploy(document({ lines: ["one", "deux", "three"] }));
    expect((await later("GET", "/tides/diff?against=bundled")).json.rebase).toEqual({
      clean: false,
      conflicts: 1,
    });
    const { status, json } = await later("POST", "/tides/rebase");
    expect([status, json.error_code]).toEqual([409, "MERGE_CONFLICT"]);
    expect(json.details).toEqual([
      {
        base: { line: 6, text: "two\n" },
        yours: { line: 6, text: "zwei\n" },
        bundled: { line: 6, text: "deux\n" },
      },
    ]);
    const settled = document({ lines: ["one", "zwei, deux", "three"] });
    expect((await later("PUT", "/tides", settled)).json).toMatchObject({ stale: true });
    expect((await later("PUT", "/tides?rebased=1", settled)).json).toMatchObject({ stale: false });
    expect(await line(later)).toMatchObject({ stale: false });
  });

  test("can be rebased more than once, each time from where it was last", async () => {
    const { deploy } = deployments();
    await (await deploy(document({ lines: ["a", "m", "-", "z"] })))("PATCH", "/tides", {
      edits: [{ find: "\nm\n", replace: "\nM\n" }],
    });
    for (const last of ["y", "x"]) {
      const ask = await deploy(document({ lines: ["a", "m", "-", last] }));
      expect((await ask("POST", "/tides/rebase")).json).toMatchObject({ stale: false });
      expect((await ask("GET", "/tides")).json.content).toBe(`a\nM\n-\n${last}`);
    }
  });

  test("is not stale where it was made from none, or the bundled one is gone, and cannot be rebased", async () => {
    const { deploy, line } = deployments();
    const without = await deploy(null);
    await without("PUT", "/tides", document());
    const withOne = await deploy(document({ lines: ["other"] }));
    expect(await line(withOne)).toMatchObject({ overrides: true, stale: false });
    expect((await withOne("POST", "/tides/rebase")).json).toMatchObject({ error_code: "INVALID_REQUEST" });
    expect((await without("GET", "/tides/diff?against=bundled")).json).toMatchObject({
      error_code: "INVALID_REQUEST",
    });
  });
});

describe("a bundled skill that says overridable: false", () => {
  const deploy = () => deployments().deploy(document({ overridable: "false" }));

  test.each<[string, string, unknown]>([
    ["PUT", "/tides", document({ lines: ["mine"] })],
    ["PUT", "/tides?dry_run=1", document({ lines: ["mine"] })],
    ["PATCH", "/tides", EDIT],
    ["PUT", "/tides/files/references/a.md", "text"],
  ])("is not overridden by %s %s", async (method, path, body) => {
    const ask = await deploy();
    const { status, json } = await ask(method, path, body);
    expect([status, json.error_code]).toEqual([403, "OVERRIDE_FORBIDDEN"]);
    expect(json.error).toBe("The bundled skill tides cannot be overridden (overridable: false).");
    expect((await ask("GET", "/tides")).json).toMatchObject({ source: "bundled" });
  });

  test("stands again where it was overridden before it said so, and what was put can be deleted", async () => {
    const { deploy, line } = deployments();
    await (await deploy(document()))("PUT", "/tides", document({ compute: '"mine"' }));
    const later = await deploy(document({ overridable: "false" }));
    expect(await line(later)).toMatchObject({ source: "bundled", overrides: false });
    expect((await later("GET", "/tides")).json).toMatchObject({ source: "bundled", version: null });
    expect((await later("DELETE", "/tides")).json).toMatchObject({ deleted: true, now: "bundled" });
  });
});

describe("a bundled skill that says overridable: prose", () => {
  test("takes another text around its protocol, and nothing else", async () => {
    const { deploy, line } = deployments();
    const ask = await deploy(document({ overridable: "prose" }));
    expect((await ask("PATCH", "/tides", EDIT)).status).toBe(201);
    expect(await line(ask)).toMatchObject({ source: "user", functions: ["get_tides"] });
    const { status, json } = await ask("PUT", "/tides", document({ compute: '"mine"' }));
    expect([status, json.error_code, json.details]).toEqual([403, "OVERRIDE_FORBIDDEN", ["functions"]]);
    expect((await ask("PUT", "/tides", document({ lines: ["mine"] }))).status).toBe(200);
  });

  test("keeps its own protocol under an override from before, whatever that had for one", async () => {
    const { place, deploy, line } = deployments();
    await (await deploy(document()))("PUT", "/tides", document({ lines: ["mine"], compute: '"mine"' }));
    const gateway = await gatewayOver(place.isolate(), {
      tides: document({ overridable: "prose", compute: '"new"' }),
    });
    const response = await createApp(gateway).request("/v1/invoke/get_tides", { method: "POST", body: "{}" });
    expect(await response.json()).toMatchObject({ data: "new", meta: { source: "user" } });
    const later = await deploy(document({ overridable: "prose", compute: '"new"' }));
    expect(await line(later)).toMatchObject({ source: "user", stale: true });
    expect((await later("GET", "/tides")).json).toMatchObject({ content: "mine" });
  });
});
