import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { secretsOf } from "../../src/access/index.ts";
import { permissionsOf } from "../../src/catalog/index.ts";
import { compileSkill } from "../../src/compile/index.ts";
import type { BundledUpstream, Skill } from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";
import { CIRCUIT_BASE_PAUSE_MS, CIRCUIT_FAILURES } from "../../src/limits.ts";
import berths from "../fixtures/skills/harbour-berths/SKILL.md?raw";
import { planted } from "../leaks/planted.ts";
import { ask, call } from "./ask.ts";
import { type Ask, deployed, OPEN, post } from "./deployed.ts";
import { arrivals, calm, order, put } from "./upstream.ts";

const TOKEN_PATH = "/berths/oauth/token";
const TOKEN_URL = inject("sandboxUrl") + TOKEN_PATH;

/** The skill with three credentials, whose tokens come from the sandbox. */
const document = berths.replace("https://id.berths.example/oauth/token", TOKEN_URL);

const BERTHS = { ...OPEN, BERTHS_BASE_URL: `${inject("sandboxUrl")}/berths` };
const SECRETS = {
  BERTHS_APP_KEY: planted.HEADER_KEY,
  BERTHS_QUERY_KEY: planted.QUERY_KEY,
  BERTHS_CLIENT_SECRET: planted.CLIENT_SECRET,
};

function compiled(text: string): Skill {
  const options = { file: "SKILL.md", folder: "harbour-berths", mayNameBaseUrlVariable: () => true };
  const { skill } = compileSkill(text, options);
  if (skill === null) throw new Error("the fixture does not compile");
  return skill;
}

/** Where a skill calls, as the build writes it down for bundled ones. */
function upstreamsOf(skill: Skill): BundledUpstream[] {
  const { globalLimits: limits } = skill.constraints;
  const bundled = { skill: skill.name, permissions: permissionsOf(skill), secrets: secretsOf(skill), limits };
  return skill.upstreams.map(({ upstream }) => ({ ...upstream, ...bundled }));
}

/** A worker as if it had been built with the skill. */
async function deployedWith(bindings: Record<string, unknown>): Promise<Ask> {
  const upstreams = upstreamsOf(compiled(document));
  return deployed(bindings, (bundled) => [...bundled, ...upstreams]);
}

async function withBerths(ask: Ask, run: () => Promise<void>): Promise<void> {
  const stored = await ask("/v1/skills/harbour-berths", { method: "PUT", body: document });
  expect([stored.status, stored.text]).toEqual([201, expect.stringContaining('"stored":true')]);
  try {
    await run();
  } finally {
    await ask("/v1/skills/harbour-berths", { method: "DELETE" });
  }
}

const LIST = ["/v1/invoke/list_berths", post({ harbour: "brest" })] as const;

beforeEach(calm);
afterEach(async () => {
  vi.restoreAllMocks();
  await calm();
});

describe("a skill with several credentials", () => {
  const protocol: JsonObject = {
    upstream: { base_url: "https://api.tickdb.ai/v1", base_url_variable: "TICKDB_BASE_URL" },
    functions: [
      {
        name: "doubly_guarded",
        description: "Gives a price, with two keys.",
        request: { method: "GET", path: "/market/ticker", query: { symbols: "NVDA.US" } },
      },
    ],
    constraints: {
      authentication: [
        { method: "api_key", query: "token", env_variable: "BRAVE_SEARCH_API_KEY" },
        { method: "api_key", header: "X-API-Key", env_variable: "TICKDB_API_KEY" },
      ],
    },
  };

  test("sends all of them, once for each call, and shows none", async () => {
    await put("doubly-guarded", protocol);
    const shown = await call("doubly_guarded", {}, "?dry_run=1");
    expect(shown.text).toContain("[secret TICKDB_API_KEY]");
    expect(shown.text).toContain("[secret BRAVE_SEARCH_API_KEY]");
    expect(await arrivals()).toEqual([]);
    const { status } = await call("doubly_guarded", {});
    await ask("/v1/skills/doubly-guarded", { method: "DELETE" });
    expect(status).toBe(200);
    expect(await arrivals()).toMatchObject([
      {
        path: "/v1/market/ticker",
        query: `symbols=NVDA.US&${new URLSearchParams({ token: planted.WORKERD_SANDBOX_KEY })}`,
        headerNames: expect.arrayContaining(["x-api-key"]),
      },
    ]);
  });

  test("says of all that are missing which they are, at once", async () => {
    const ask = await deployedWith({ ...BERTHS, BERTHS_QUERY_KEY: planted.QUERY_KEY });
    await withBerths(ask, async () => {
      const { status, json } = await ask(...LIST);
      expect([status, json.error_code]).toEqual([500, "SECRET_NOT_SET"]);
      expect(json.hint).toBe(
        "The operator sets them: wrangler secret put BERTHS_APP_KEY; wrangler secret put BERTHS_CLIENT_SECRET",
      );
    });
    expect(await arrivals()).toEqual([]);
  });

  test.each([
    ["a key that is for no host", "BERTHS_APP_KEY", "SKILLGATE_KEY"],
    ["the secret of a token as a key", "BERTHS_APP_KEY", "BERTHS_CLIENT_SECRET"],
    ["a key as the secret of a token", "BERTHS_CLIENT_SECRET", "BERTHS_APP_KEY"],
  ])("is refused where one of them is not for its host: %s", async (_what, variable, other) => {
    const ask = await deployedWith({ ...BERTHS, ...SECRETS, BERTHS_BASE_URL: undefined });
    const body = document.replace(variable, other);
    const { status, json } = await ask("/v1/skills/harbour-berths", { method: "PUT", body });
    expect([status, json.error_code]).toEqual([422, "INVALID_SKILL"]);
    expect(json.details).toMatchObject([
      {
        code: "secret-not-bound",
        message: expect.stringContaining(`the secret ${other} is not for this host`),
      },
    ]);
  });

  test("sends a token among them, and what the upstream repeats of them does not come back", async () => {
    const sent: Request[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = new Request(input, init);
      sent.push(request);
      return request.url === TOKEN_URL
        ? Response.json({ access_token: planted.ACCESS_TOKEN, expires_in: 3_600 })
        : Response.json({ url: request.url, headers: [...request.headers] });
    });
    const ask = await deployedWith({ ...BERTHS, ...SECRETS });
    await withBerths(ask, async () => {
      const replies = await Promise.all([ask(...LIST), ask(...LIST)]);
      for (const { status, text } of replies) {
        expect(status).toBe(200);
        expect(text).toContain("[redacted]");
      }
    });
    const key = new URLSearchParams({ key: planted.QUERY_KEY });
    expect(sent.map(({ url }) => url)).toEqual([
      TOKEN_URL,
      ...Array(2).fill(`${BERTHS.BERTHS_BASE_URL}/berths?harbour=brest&${key}`),
    ]);
    expect(sent.map(({ headers }) => [headers.get("authorization"), headers.get("x-app-key")])).toEqual([
      [expect.stringMatching(/^Basic /), null],
      ...Array(2).fill([`Bearer ${planted.ACCESS_TOKEN}`, planted.HEADER_KEY]),
    ]);
  });
});

describe("a token endpoint that fails", () => {
  test("is asked some times in a row, and then no more until a pause is over", async () => {
    const ask = await deployedWith({ ...BERTHS, ...SECRETS });
    await order(TOKEN_PATH, "status=503");
    await withBerths(ask, async () => {
      for (let index = 0; index < CIRCUIT_FAILURES + 3; index += 1) {
        const { status, json } = await ask(...LIST);
        expect([status, json.error_code]).toEqual([503, "TOKEN_UNAVAILABLE"]);
        expect(json.upstream).toMatchObject({ status: index < CIRCUIT_FAILURES ? 503 : null });
      }
      expect((await arrivals()).map(({ path }) => path)).toEqual(Array(CIRCUIT_FAILURES).fill(TOKEN_PATH));
      const later = Date.now() + CIRCUIT_BASE_PAUSE_MS;
      vi.spyOn(Date, "now").mockImplementation(() => later);
      expect((await ask(...LIST)).json.upstream).toMatchObject({ status: 503 });
      const { json } = await ask(...LIST);
      expect(json.error).toContain("failed several times in a row");
      expect(json.retry_after_ms).toBe(2 * CIRCUIT_BASE_PAUSE_MS);
    });
    expect(await arrivals()).toHaveLength(CIRCUIT_FAILURES + 1);
  });
});
