import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { SecretUse } from "../../src/ir.ts";
import type { JsonValue } from "../../src/json.ts";
import { IR_VERSION } from "../../src/vocabulary.ts";
import { planted } from "../leaks/planted.ts";
import { type Ask, type ChangeUpstreams, deployed, OPEN, post, UPSTREAM } from "./deployed.ts";

const { STORE } = env;

const QUOTE = post({ symbol: "NVDA.US" });

/** As if the bundled skills had this secret. */
function needing(secret: SecretUse): ChangeUpstreams {
  return (upstreams) => upstreams.map((upstream) => ({ ...upstream, secrets: [secret] }));
}

afterEach(() => vi.restoreAllMocks());

describe("a worker that was deployed without a key", () => {
  test.each([
    {},
    { SKILLGATE_KEY: "" },
    { SKILLGATE_KEY: " \n" },
    { OPEN_ACCESS: "1" },
    { OPEN_ACCESS: "false" },
  ])("answers /health and nothing else: %j", async (bindings) => {
    const ask = await deployed({ STORE, ...UPSTREAM, ...bindings });
    expect((await ask("/health")).json).toMatchObject({ status: "ok", open: false });
    const requests: [string, RequestInit][] = [
      ["/v1/skills", {}],
      ["/v1/tools?format=openai", {}],
      ["/openapi.json", {}],
      ["/v1/nothing", {}],
      ["/v1/invoke/get_realtime_price", QUOTE],
      ["/v1/skills/greeting", { method: "PUT", body: "x" }],
      ["/v1/skills", { headers: { Authorization: "Bearer undefined" } }],
    ];
    for (const [path, init] of requests) {
      const { status, headers, json } = await ask(path, init);
      expect([path, status]).toEqual([path, 401]);
      expect(json).toMatchObject({
        error_code: "UNAUTHENTICATED",
        error: expect.stringContaining("wrangler secret put SKILLGATE_KEY"),
      });
      expect(headers.get("www-authenticate")).toBe('Bearer realm="skillgate"');
      expect(headers.get("x-request-id")).toBe(json.request_id);
    }
  });
});

describe("a worker with a key", () => {
  test.each(["k-7f3a", "k-7f3a\n"])("lets in who sends it: %j", async (key) => {
    const ask = await deployed({ SKILLGATE_KEY: key, STORE, ...UPSTREAM });
    const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } });
    expect((await ask("/v1/skills", bearer("k-7f3a"))).status).toBe(200);
    for (const init of [{}, bearer("k-7f3"), bearer("k-7f3ab")]) {
      const { status, text } = await ask("/v1/skills", init);
      expect(status).toBe(401);
      expect(text).not.toContain("k-7f3a");
    }
  });
});

describe("a worker without a store", () => {
  test("serves the bundled skills, counts by itself and keeps nothing", async () => {
    const ask = await deployed({ OPEN_ACCESS: "true", ...UPSTREAM });
    expect((await ask("/health")).json).toMatchObject({ stores: { skills: false, limits: "memory" } });
    expect((await ask("/v1/tools?format=openai")).status).toBe(200);
    expect((await ask("/v1/invoke/get_realtime_price", QUOTE)).json).toMatchObject({ meta: { attempts: 1 } });
    const body = "---\nname: greeting\ndescription: A small skill that a test put here.\n---\n";
    for (const init of [{ method: "PUT", body }, { method: "DELETE" }]) {
      const { status, json } = await ask("/v1/skills/greeting", init);
      expect([status, json.error_code]).toEqual([403, "FORBIDDEN"]);
      expect(json.error).toContain("STORE");
    }
    for (const [method, path, body] of [
      ["GET", "/v1/keys", undefined],
      ["POST", "/v1/keys", { name: "x", scopes: ["invoke"] }],
      ["DELETE", "/v1/keys/0123456789abcdef", undefined],
      ["POST", "/v1/keys/0123456789abcdef/rotate", undefined],
      ["GET", "/v1/secrets", undefined],
      ["PUT", "/v1/secrets/API_KEY", { value: planted.TENANT_SECRET, hosts: ["api.test"] }],
    ] as const) {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const { status, json } = await ask(path, init);
      expect([path, status, json.error_code]).toEqual([path, 403, "FORBIDDEN"]);
      expect(json.error).toContain("STORE");
    }
    expect((await ask("/v1/keys/current")).json).toMatchObject({ tenant: "operator", operator: true });
  });
});

describe("a worker whose store fails", () => {
  test("says that the store is not available, notes why, and shows nothing of it", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const refuse = () => Promise.reject(new Error("planted-inside"));
    const ask = await deployed({
      ...OPEN,
      STORE: { get: refuse, put: refuse, delete: refuse, list: refuse },
    });
    for (const path of ["/v1/skills", "/v1/skills/tickdb-market-data", "/v1/tools?format=openai"]) {
      const { status, json, text } = await ask(path);
      expect([path, status, json.error_code, json.retryable]).toEqual([path, 503, "STORE_UNAVAILABLE", true]);
      expect(text).not.toContain("planted");
    }
    expect(logged.mock.calls.map(([line]) => JSON.parse(line))).toContainEqual({
      level: "error",
      event: "store-fault",
      operation: "read the index",
      reason: "Error: planted-inside",
    });
  });

  test("or holds what nobody expected: that is a fault inside, noted by the request's id and not shown", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const index = JSON.stringify({ irVersion: IR_VERSION, entries: [{ name: "planted-inside" }] });
    const ask = await deployed({ ...OPEN, STORE: { get: async () => index } });
    const { status, headers, json, text } = await ask("/v1/skills", {
      headers: { "X-Request-ID": "request-1" },
    });
    expect(status).toBe(500);
    expect(json).toEqual({
      error: "Something went wrong inside the gateway.",
      error_code: "INTERNAL",
      retryable: true,
      retry_after_ms: null,
      hint: expect.stringContaining("request_id"),
      request_id: "request-1",
      cached: false,
      age_ms: 0,
      step: null,
      details: [],
      upstream: null,
    });
    expect(headers.get("x-request-id")).toBe("request-1");
    expect(text).not.toMatch(/planted|TypeError|\bat\b.*\.ts/);
    const [line] = logged.mock.calls.flat();
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      event: "unexpected-fault",
      request_id: "request-1",
      detail: expect.stringContaining("TypeError"),
    });
  });
});

describe("a worker whose operator", () => {
  test.each([{}, { TICKDB_API_KEY: "" }, { TICKDB_API_KEY: "\n" }])(
    "set no secret says which: %j",
    async (secret) => {
      const ask = await deployed({ ...OPEN, TICKDB_API_KEY: undefined, ...secret });
      const { status, json } = await ask("/v1/invoke/get_realtime_price", QUOTE);
      expect([status, json.error_code]).toEqual([500, "SECRET_NOT_SET"]);
      expect(json.error).toContain("TICKDB_API_KEY");
      expect(json.hint).toContain("wrangler secret put TICKDB_API_KEY");
    },
  );

  test("stored a secret with a newline sends it without", async () => {
    const ask = await deployed({ ...OPEN, TICKDB_API_KEY: `${planted.WORKERD_SANDBOX_KEY}\n` });
    expect((await ask("/v1/invoke/get_realtime_price", QUOTE)).status).toBe(200);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ["allows no loopback", { EGRESS_ALLOW: undefined }, "loopback"],
    ["denies the host", { EGRESS_DENY: "127.0.0.1" }, "EGRESS_DENY"],
    ["allows other hosts only", { TICKDB_BASE_URL: undefined, EGRESS_ALLOW: "other.test" }, "EGRESS_ALLOW"],
    ["points the upstream at no URL", { TICKDB_BASE_URL: "api.tickdb.ai/v1" }, "absolute"],
    [
      "points the upstream at the metadata of the cloud",
      { TICKDB_BASE_URL: "http://169.254.169.254" },
      "https",
    ],
  ])("%s has no request sent", async (_what, variables, reason) => {
    const ask = await deployed({ ...OPEN, ...variables });
    const { status, json } = await ask("/v1/invoke/get_realtime_price", QUOTE);
    expect([status, json.error_code]).toEqual([403, "EGRESS_DENIED"]);
    expect(json.error).toContain(reason);
  });

  test("points the upstream at another port may do so without saying it twice", async () => {
    const variables = {
      TICKDB_BASE_URL: "https://proxy.test:8443/v1",
      EGRESS_ALLOW: undefined,
      TICKDB_API_KEY: undefined,
    };
    const ask = await deployed({ ...OPEN, ...variables });
    // The secret is looked for only after the address was found to be right.
    expect((await ask("/v1/invoke/get_realtime_price", QUOTE)).json.error_code).toBe("SECRET_NOT_SET");
  });

  test("points the upstream at no URL has uploads for it refused, not broken", async () => {
    const ask = await deployed({ ...OPEN, TICKDB_BASE_URL: "api.tickdb.ai/v1" });
    const protocol = {
      upstream: { base_url: "https://api.tickdb.ai/v1", base_url_variable: "TICKDB_BASE_URL" },
      constraints: { authentication: { method: "bearer", env_variable: "TICKDB_API_KEY" } },
    };
    const body = `---\nname: greeting\ndescription: A small skill that a test put here.\n---\n\`\`\`json\n${JSON.stringify(protocol)}\n\`\`\`\n`;
    const { status, json } = await ask("/v1/skills/greeting", { method: "PUT", body });
    expect([status, json.error_code]).toEqual([422, "INVALID_SKILL"]);
    expect(json.details).toMatchObject([{ code: "secret-not-bound" }]);
  });
});

describe("the variables of a worker", () => {
  const functions = [
    { name: "look", description: "Shows what expressions see of the worker.", compute: "vars" },
  ];
  const body = `---\nname: looking\ndescription: A small skill that a test put here.\n---\n\`\`\`json\n${JSON.stringify({ functions })}\n\`\`\`\n`;

  async function seen(ask: Ask): Promise<JsonValue | undefined> {
    expect((await ask("/v1/skills/looking", { method: "PUT", body })).status).toBe(201);
    const { json } = await ask("/v1/invoke/look", post({}));
    expect((await ask("/v1/skills/looking", { method: "DELETE" })).status).toBe(200);
    return json.data;
  }

  test("are in expressions' view where their names begin with SKILL_", async () => {
    const ask = await deployed({
      ...OPEN,
      SKILL_REGION: "eu",
      SKILL_COUNT: 3,
      SKILLGATE_KEY: "planted-inside",
    });
    expect(await seen(ask)).toEqual({ SKILL_REGION: "eu" });
  });

  test("are not in their view where a bundled skill has one for its secret", async () => {
    const bindings = { ...OPEN, SKILL_REGION: "eu", SKILL_KEY: "planted-inside" };
    const ask = await deployed(bindings, needing({ variable: "SKILL_KEY", tokenUrl: null }));
    expect(await seen(ask)).toEqual({ SKILL_REGION: "eu" });
  });
});

describe("a secret that buys tokens", () => {
  const protocol = {
    upstream: { base_url: "https://api.tickdb.ai/v1", base_url_variable: "TICKDB_BASE_URL" },
    functions: [
      { name: "peek", description: "Asks the upstream how it is.", request: { method: "GET", path: "/x" } },
    ],
    constraints: {
      authentication: {
        method: "oauth2_client_credentials",
        token_url: "https://id.test/token",
        client_id: "client",
        env_variable: "CLIENT_SECRET",
      },
    },
  };
  const body = `---\nname: peeking\ndescription: A small skill that a test put here.\n---\n\`\`\`json\n${JSON.stringify(protocol)}\n\`\`\`\n`;

  test("buys one for calls at the same time, and neither it nor the token is in what comes back", async () => {
    const sent: [string, string | null][] = [];
    const tokens = { access_token: planted.ACCESS_TOKEN, token_type: "Bearer", expires_in: 3_600 };
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const authorization = new Headers(init?.headers).get("authorization");
      sent.push([String(input), authorization]);
      return Response.json(String(input) === "https://id.test/token" ? tokens : { told: authorization });
    });
    const bindings = { ...OPEN, TICKDB_BASE_URL: undefined, CLIENT_SECRET: planted.CLIENT_SECRET };
    const secret = { variable: "CLIENT_SECRET", tokenUrl: "https://id.test/token" };
    const ask = await deployed(bindings, needing(secret));
    expect((await ask("/v1/skills/peeking", { method: "PUT", body })).status).toBe(201);
    const replies = await Promise.all([1, 2, 3].map(() => ask("/v1/invoke/peek", post({}))));
    expect((await ask("/v1/skills/peeking", { method: "DELETE" })).status).toBe(200);
    for (const { json } of replies) {
      expect(json).toMatchObject({ data: { told: "Bearer [redacted]" }, meta: { attempts: 1 } });
    }
    const asked = ["https://api.tickdb.ai/v1/x", `Bearer ${planted.ACCESS_TOKEN}`];
    const form = new URLSearchParams({ secret: planted.CLIENT_SECRET }).toString().replace("secret=", "");
    expect(sent).toEqual([["https://id.test/token", `Basic ${btoa(`client:${form}`)}`], asked, asked, asked]);
  });
});
