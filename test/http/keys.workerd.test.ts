import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { MAX_UNKNOWN_KEY_READS } from "../../src/limits.ts";
import { type AskAs, asking, document, issue, OPERATOR_KEY } from "./callers.ts";
import { deployed, UPSTREAM } from "./deployed.ts";

const { STORE } = env;
const BINDINGS = {
  STORE,
  SKILLGATE_KEY: OPERATOR_KEY,
  ...UPSTREAM,
};

const FRESHNESS_MS = 5_000;

async function gateway(): Promise<AskAs> {
  return asking(await deployed(BINDINGS));
}

function named(list: JsonValue | undefined): (JsonValue | undefined)[] {
  if (!Array.isArray(list)) throw new Error("no list");
  return list.map((item) => (isJsonObject(item) ? item.name : undefined));
}

const computing = (name: string, compute: string, more: JsonObject = {}) => ({
  functions: [{ name, description: "Gives the same answer to every question.", compute, ...more }],
});

const ALL = ["skills:read", "skills:write", "invoke", "admin"];

afterEach(async () => {
  vi.useRealTimers();
  for (const { name } of (await STORE.list()).keys) await STORE.delete(name);
});

// Whoever is first loads the compiler and the sandbox too.
describe("the way to the first key", { timeout: 30_000 }, () => {
  test("begins at /health, which says how to set one, and ends with a revoked key that is dead", async () => {
    const closed = await deployed({ ...BINDINGS, SKILLGATE_KEY: undefined });
    expect((await closed("/health")).json).toMatchObject({
      status: "ok",
      setup: expect.stringContaining("wrangler secret put SKILLGATE_KEY"),
    });
    expect((await closed("/v1/skills")).status).toBe(401);

    const as = await gateway();
    const elsewhere = await gateway();
    expect((await as("", "GET", "/health")).json.setup).toBeNull();
    const { key, id, ...shown } = await issue(as, { tenant: "acme", scopes: ["skills:read", "invoke"] });
    expect(shown).toMatchObject({
      tenant: "acme",
      scopes: ["skills:read", "invoke"],
      skills: null,
      limits: [],
      expires_at: null,
      created_by: null,
    });
    expect((await as(key, "GET", "/v1/keys/current")).json).toEqual({
      tenant: "acme",
      key: { id, name: "a test's" },
      scopes: ["skills:read", "invoke"],
      skills: null,
      limits: [],
      expires_at: null,
      operator: false,
    });
    for (const isolate of [as, elsewhere]) {
      const price = await isolate(key, "POST", "/v1/invoke/get_realtime_price", { symbol: "NVDA.US" });
      expect([price.status, price.json.error ?? null]).toEqual([200, null]);
    }

    vi.useFakeTimers({ toFake: ["Date"] });
    expect((await as(OPERATOR_KEY, "DELETE", `/v1/keys/${id}?tenant=acme`)).json).toEqual({
      id,
      tenant: "acme",
      revoked: true,
    });
    const dead = await as(key, "GET", "/v1/skills");
    expect([dead.status, dead.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="skillgate", error="invalid_token"',
    ]);
    vi.setSystemTime(Date.now() + FRESHNESS_MS);
    expect((await elsewhere(key, "GET", "/v1/skills")).status).toBe(401);
    expect((await as(OPERATOR_KEY, "GET", `/v1/keys/${id}?tenant=acme`)).json.error_code).toBe("UNKNOWN_KEY");
  });
});

describe("an issued key", () => {
  test("is in the store by its hash alone, and in no list", async () => {
    const as = await gateway();
    const { key } = await issue(as, { scopes: ALL });
    const secret = key.slice(-43);
    const { keys } = await STORE.list();
    expect(keys).toHaveLength(1);
    for (const { name } of keys) expect(`${name} ${await STORE.get(name)}`).not.toContain(secret);
    for (const path of ["/v1/keys", "/v1/keys/current", `/v1/keys/${key.split("_")[2]}`]) {
      const { status, text } = await as(key, "GET", path);
      expect([status, text.includes(secret)]).toEqual([200, false]);
    }
  });

  test("ends when it was to end, and its record goes by itself", async () => {
    const as = await gateway();
    const { key, id } = await issue(as, { scopes: ["skills:read"], expires_in_s: 100 });
    expect((await as(key, "GET", "/v1/skills")).status).toBe(200);
    const { keys } = await STORE.list({ prefix: "key:" });
    expect(keys).toMatchObject([{ name: `key:operator:${id}`, expiration: expect.any(Number) }]);
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 100_000);
    expect((await as(key, "GET", "/v1/skills")).status).toBe(401);
  });

  test("that is rotated gives way to the next, which has its id", async () => {
    const as = await gateway();
    const { key, id } = await issue(as, { scopes: ["skills:read"] });
    const { status, json } = await as(OPERATOR_KEY, "POST", `/v1/keys/${id}/rotate?overlap_s=60`);
    expect([status, json.id, json.former_until === null]).toEqual([200, id, false]);
    for (const each of [key, String(json.key)])
      expect((await as(each, "GET", "/v1/skills")).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 60_000);
    expect((await as(key, "GET", "/v1/skills")).status).toBe(401);
    expect((await as(String(json.key), "GET", "/v1/skills")).status).toBe(200);
  });

  test("that is revoked beside a rotation stays so, with whatever the rotation gave", async () => {
    const as = await gateway();
    for (let round = 0; round < 6; round++) {
      const { key, id } = await issue(as, { scopes: ["skills:read"] });
      const rotate = () => as(OPERATOR_KEY, "POST", `/v1/keys/${id}/rotate?overlap_s=3600`);
      const revoke = () => as(OPERATOR_KEY, "DELETE", `/v1/keys/${id}`);
      const replies = await Promise.all(round % 2 === 0 ? [rotate(), revoke()] : [revoke(), rotate()]);
      const given = replies.map(({ json }) => json.key).filter((text) => typeof text === "string");
      for (const text of [key, ...given]) expect((await as(text, "GET", "/v1/skills")).status).toBe(401);
    }
  });

  test("is asked for in words that fit what is bounded: a number, a list or a text", async () => {
    const as = await gateway();
    const asked = { name: "", scopes: [], limits: [{ max: 0, window: "minute" }] };
    const { json } = await as(OPERATOR_KEY, "POST", "/v1/keys", asked);
    expect(json.error).toBe(
      "The body does not fit: /name is to be at least 1 character long; /scopes is to be at least 1 item long; /limits/0/max is to be more than 0.",
    );
  });

  test("is asked for once, whatever is sent as one: wrong bodies are said to be wrong and not quoted", async () => {
    const as = await gateway();
    for (const [body, path] of [
      ["{", undefined],
      ["", ""],
      [[], ""],
      [{ name: "x" }, "/scopes"],
      [{ name: "x", scopes: [] }, "/scopes"],
      [{ name: "x", scopes: ["invoke"], skils: ["a"] }, "/skils"],
      [{ name: "x", scopes: ["skill:read"] }, "/scopes/0"],
      [{ name: "x", scopes: ["invoke"], limits: [{ max: 0, window: "minute" }] }, "/limits/0/max"],
      [{ name: "x", scopes: ["invoke"], limits: [{ max: 1, window: "second" }] }, "/limits/0/window"],
      [{ name: "x", scopes: ["invoke"], expires_in_s: 1.5 }, "/expires_in_s"],
      [{ name: "x", scopes: ["invoke"], tenant: "acme" }, "/tenant"],
    ] as const) {
      const { status, json } = await as(OPERATOR_KEY, "POST", "/v1/keys", body as JsonValue);
      expect([body, status, json.error_code]).toEqual([body, 400, "INVALID_REQUEST"]);
      const [first] = Array.isArray(json.details) ? json.details : [];
      expect([body, isJsonObject(first) ? first.path : undefined]).toEqual([body, path]);
    }
    for (const tenant of ["a:b", "__proto__", "Acme", "-a", "", "a".repeat(64)]) {
      const asked = { name: "x", scopes: ["invoke"] };
      const { status } = await as(OPERATOR_KEY, "POST", `/v1/keys?tenant=${tenant}`, asked);
      expect([tenant, status]).toEqual([tenant, 400]);
    }
    expect((await STORE.list()).keys).toEqual([]);
  });
});

describe("who issues keys", () => {
  test("is the operator for all tenants, an administrator for its own and for no more than it may itself", async () => {
    const as = await gateway();
    const admin = await issue(as, {
      tenant: "acme",
      scopes: ["admin", "skills:read"],
      limits: [{ max: 60, window: "minute" }],
      expires_in_s: 3_600,
    });
    const given = await issue(as, { scopes: ["skills:read"] }, admin.key);
    expect(given).toMatchObject({
      tenant: "acme",
      limits: [{ max: 60, window: "minute" }],
      expires_at: admin.expires_at,
      created_by: admin.id,
    });
    for (const tenant of ["other", "operator"]) {
      const asked = { name: "more", scopes: ["skills:read"] };
      const { status, json } = await as(admin.key, "POST", `/v1/keys?tenant=${tenant}`, asked);
      expect([tenant, status, json.error_code]).toEqual([tenant, 403, "FORBIDDEN"]);
    }
    for (const grant of [
      { scopes: ["invoke"] },
      { scopes: ["*"] },
      { scopes: ["skills:read"], limits: [{ max: 61, window: "minute" }] },
      { scopes: ["skills:read"], expires_in_s: 7_200 },
    ]) {
      const { status, json } = await as(admin.key, "POST", "/v1/keys", { name: "more", ...grant });
      expect([grant, status, json.error_code]).toEqual([grant, 403, "FORBIDDEN"]);
    }
    const powerful = await issue(as, { tenant: "acme", scopes: ["*"] });
    const taken = await as(admin.key, "POST", `/v1/keys/${powerful.id}/rotate`);
    expect([taken.status, taken.json.error_code]).toEqual([403, "FORBIDDEN"]);
    expect((await as(powerful.key, "GET", "/v1/skills")).status).toBe(200);
    expect((await as(given.key, "GET", "/v1/keys")).status).toBe(403);
  });

  test("may give a permission once a skill asks for it", async () => {
    const as = await gateway();
    const trading = document("trading", computing("buy", '"bought"', { permission: "trade" }));
    const asked = { name: "trader", scopes: ["invoke", "trade"] };
    expect((await as(OPERATOR_KEY, "POST", "/v1/keys", asked)).status).toBe(400);
    expect((await as(OPERATOR_KEY, "PUT", "/v1/skills/trading", trading)).status).toBe(201);
    const trader = await issue(as, asked);
    const other = await issue(as, { scopes: ["invoke", "skills:read", "skills:write"] });
    expect((await as(trader.key, "POST", "/v1/invoke/buy", {})).json.data).toBe("bought");
    const refused = await as(other.key, "POST", "/v1/invoke/buy", {});
    expect([refused.status, refused.json.error]).toEqual([
      403,
      "This needs the scope trade, which the key does not have; it has invoke, skills:read, skills:write.",
    ]);
    const chained = {
      functions: [
        {
          name: "buy_all",
          description: "Buys all that there is.",
          steps: [{ id: "first", call: "buy", with: {} }],
        },
      ],
    };
    expect((await as(other.key, "PUT", "/v1/skills/chained", document("chained", chained))).status).toBe(201);
    const inStep = await as(other.key, "POST", "/v1/invoke/buy_all", {});
    expect([inStep.status, inStep.json.step]).toEqual([403, "first"]);
    expect((await as(trader.key, "POST", "/v1/invoke/buy_all", {})).status).toBe(200);
    const called = { role: "assistant", tool_calls: [toolCall("buy")] };
    const answered = await as(other.key, "POST", "/v1/calls?format=openai", called);
    expect(answered.json.calls).toMatchObject([{ name: "buy", error_code: "FORBIDDEN" }]);
    const tools = await as(other.key, "GET", "/v1/tools?format=anthropic&category=other");
    expect(tools.text).not.toContain('"buy"');
    expect((await as(OPERATOR_KEY, "GET", "/v1/tools?format=anthropic")).text).toContain('"buy"');
    const attempts: [string, string, JsonValue?][] = [
      ["PUT", "/v1/skills/trading", document("trading", computing("buy", '"mine"'))],
      ["PATCH", "/v1/skills/trading", { edits: [{ find: "bought", replace: "mine" }] }],
      ["DELETE", "/v1/skills/trading"],
      ["GET", "/v1/skills/trading/versions"],
      ["GET", "/v1/skills/trading/diff"],
      ["POST", "/v1/skills/trading/rollback", { version: 1 }],
      ["POST", "/v1/skills/trading/rebase"],
      ["PUT", "/v1/skills/trading/files/references/a.md", "mine"],
      ["DELETE", "/v1/skills/trading/files/references/a.md"],
    ];
    for (const [method, path, body] of attempts)
      expect((await as(other.key, method, path, body)).json.error_code).toBe("FORBIDDEN");
  });
});

function toolCall(name: string) {
  return { id: "call_1", type: "function", function: { name, arguments: "{}" } };
}

test("a key is the author of the versions that it writes", async () => {
  const as = await gateway();
  const { key, id } = await issue(as, { name: "ci", scopes: ["skills:read", "skills:write"] });
  for (const [by, compute] of [
    [OPERATOR_KEY, "1"],
    [key, "2"],
  ] as const)
    await as(by, "PUT", "/v1/skills/greeting", document("greeting", computing("greet", compute)));
  expect((await as(key, "GET", "/v1/skills/greeting/versions")).json.versions).toMatchObject([
    { version: 2, author: `ci (${id})` },
    { version: 1, author: "operator" },
  ]);
});

describe("a key with a list of skills", () => {
  test("is told nothing of the others: neither by what an upload lacks nor by scopes that it misspells", async () => {
    const as = await gateway();
    const hidden = computing("buy_in_secret", '"bought"', { permission: "trade_in_secret" });
    const put = await as(OPERATOR_KEY, "PUT", "/v1/skills/trading", document("trading", hidden));
    expect(put.status).toBe(201);
    const scopes = [...ALL, "trade_in_secret"];
    const { key } = await issue(as, { tenant: "operator", scopes, skills: ["mine"] });
    const { key: other } = await issue(as, { tenant: "operator", scopes: ALL, skills: ["mine"] });
    const calling = (call: string) => ({
      functions: [{ name: "all", description: "Does it all.", steps: [{ id: "one", call, with: {} }] }],
    });
    const details = async (protocol: JsonObject) =>
      (await as(key, "PUT", "/v1/skills/mine", document("mine", protocol))).json.details;
    expect(await details(computing("buy_in_secret", '"mine"'))).toMatchObject([
      { message: "the function buy_in_secret is defined in another skill already" },
    ]);
    expect(await details(calling("buy_in_secre"))).toMatchObject([{ code: "function-unknown", fix: null }]);
    const alike = await as(key, "PUT", "/v1/skills/mine", document("mine", computing("BUY-in-secret", "1")));
    expect(alike.text).toContain("models take the function BUY-in-secret for one in another skill");
    expect(alike.text).not.toContain("trading");
    const misspelt = { name: "x", scopes: ["trade_in_secre"] };
    const refused = await as(other, "POST", "/v1/keys", misspelt);
    expect(refused.status).toBe(400);
    expect(refused.text).not.toContain("trade_in_secret");
    expect((await as(key, "POST", "/v1/keys", misspelt)).text).toContain("trade_in_secret");
  });

  test("sees, loads, calls and writes these alone", async () => {
    const as = await gateway();
    await as(OPERATOR_KEY, "PUT", "/v1/skills/greeting", document("greeting", computing("greet", '"hello"')));
    const { key } = await issue(as, { scopes: ["*"], skills: ["greeting", "mine"] });
    expect(named((await as(key, "GET", "/v1/skills")).json.skills)).toEqual(["greeting"]);
    expect((await as(key, "GET", "/v1/skills?format=text")).status).toBe(200);
    const tools = await as(key, "GET", "/v1/tools?format=anthropic");
    expect(named(tools.json.tools)).toEqual(["greet"]);
    expect((await as(key, "GET", "/v1/skills/weather")).json).toMatchObject({
      error_code: "UNKNOWN_SKILL",
      details: ["greeting"],
    });
    await as(OPERATOR_KEY, "PATCH", "/v1/skills/weather", { edits: [{ find: "# ", replace: "# A " }] });
    for (const path of ["", "/versions", "/diff", "/files", "/files/references/a.md"])
      expect((await as(key, "GET", `/v1/skills/weather${path}`)).json.error_code).toBe("UNKNOWN_SKILL");
    expect((await as(key, "GET", "/v1/skills/greeting/versions")).json.current).toBe(1);
    expect((await as(key, "GET", "/v1/tools?format=anthropic&skills=weather")).json).toMatchObject({
      error_code: "UNKNOWN_SKILL",
    });
    expect((await as(key, "POST", "/v1/invoke/get_kline", {})).json).toMatchObject({
      error_code: "UNKNOWN_FUNCTION",
      details: ["greet"],
    });
    const called = { role: "assistant", tool_calls: [toolCall("get_kline"), toolCall("greet")] };
    expect((await as(key, "POST", "/v1/calls?format=openai", called)).json.calls).toMatchObject([
      { error_code: "UNKNOWN_FUNCTION" },
      { error_code: null },
    ]);
    const chained = {
      functions: [
        {
          name: "look",
          description: "Looks at a price by another skill.",
          steps: [{ id: "price", call: "get_realtime_price", with: { symbol: "NVDA.US" } }],
        },
      ],
    };
    expect((await as(key, "PUT", "/v1/skills/mine", document("mine", chained))).status).toBe(201);
    expect((await as(key, "POST", "/v1/invoke/look", {})).json).toMatchObject({
      error_code: "UNKNOWN_FUNCTION",
      step: "price",
    });
    expect((await as(OPERATOR_KEY, "POST", "/v1/invoke/look", {})).status).toBe(200);
    const other = document("other", computing("other", "1"));
    expect((await as(key, "PUT", "/v1/skills/other", other)).json.error_code).toBe("FORBIDDEN");
    const all = await as(OPERATOR_KEY, "GET", "/v1/tools?format=anthropic");
    expect(named(all.json.tools).length).toBeGreaterThan(3);
    expect((await as(key, "GET", "/v1/tools?format=anthropic")).headers.get("etag")).not.toBe(
      all.headers.get("etag"),
    );
  });
});

describe("two tenants", () => {
  test("see nothing of each other, by name, error, list, tag, administration or cache", async () => {
    const as = await gateway();
    const [one, two] = [
      await issue(as, { tenant: "one", scopes: ["*"] }),
      await issue(as, { tenant: "two", scopes: ["*"] }),
    ];
    const fresh = await as(two.key, "GET", "/v1/tools?format=openai");
    const mine = document("planted-name", computing("planted_function", '"planted-answer"'));
    expect((await as(one.key, "PUT", "/v1/skills/planted-name", mine)).status).toBe(201);
    expect((await as(one.key, "POST", "/v1/invoke/planted_function", {})).json.data).toBe("planted-answer");

    const requests: [string, string, JsonValue?][] = [
      ["GET", "/v1/skills"],
      ["GET", "/v1/skills?format=text"],
      ["GET", "/v1/skills/planted-nam"],
      ["GET", "/v1/tools?format=openai"],
      ["GET", "/v1/tools?format=openai&skills=planted-nam"],
      ["GET", "/v1/tools/losses?format=openai&functions=planted_functio"],
      ["POST", "/v1/invoke/planted_functio", {}],
      ["POST", "/v1/calls?format=openai", { role: "assistant", tool_calls: [toolCall("planted_functio")] }],
      ["DELETE", "/v1/skills/planted-nam"],
      ["GET", "/v1/keys"],
      ["GET", "/v1/keys/current"],
      ["GET", "/v1/secrets"],
      ["GET", `/v1/keys/${one.id}`],
      ["DELETE", `/v1/keys/${one.id}`],
      ["POST", `/v1/keys/${one.id}/rotate`],
      ["GET", "/v1/keys?tenant=one"],
      ["DELETE", `/v1/keys/${one.id}?tenant=one`],
      ["POST", `/v1/keys/${one.id}/rotate?tenant=one`],
      ["POST", "/v1/keys?tenant=one", { name: "x", scopes: ["invoke"] }],
      ["GET", "/v1/secrets?tenant=one"],
    ];
    for (const [method, path, body] of requests) {
      const { text, json } = await as(two.key, method, path, body);
      // Only what was sent itself may come back.
      expect([path, text.replaceAll(/planted[-_](?:nam|functio)(?!e|n)/g, "").includes("planted")]).toEqual([
        path,
        false,
      ]);
      if (path.includes("tenant=one")) expect([path, json.error_code]).toEqual([path, "FORBIDDEN"]);
    }
    expect((await as(one.key, "GET", "/v1/keys/current")).status).toBe(200);
    expect((await as(two.key, "GET", "/v1/tools?format=openai")).headers.get("etag")).toBe(
      fresh.headers.get("etag"),
    );
    for (const path of ["/v1/skills/planted-name", "/v1/skills/another-name"])
      expect((await as(two.key, "GET", path)).json.error_code).toBe("UNKNOWN_SKILL");
    expect((await as(two.key, "DELETE", "/v1/skills/planted-name")).json.error_code).toBe("UNKNOWN_SKILL");
    expect((await as(one.key, "GET", "/v1/skills/planted-name")).status).toBe(200);
  });
});

describe("a store that fails", () => {
  test("keeps a key alive that was known a moment ago, lets no other one in, and never says that one is wrong", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const state = { isDown: false };
    const failing = {
      get: async (key: string, options: never) => {
        if (state.isDown && key.startsWith("key:")) throw new Error("KV GET failed: 500");
        return STORE.get(key, options);
      },
      put: STORE.put.bind(STORE),
      delete: STORE.delete.bind(STORE),
      list: STORE.list.bind(STORE),
    };
    const [as, other] = [
      asking(await deployed({ ...BINDINGS, STORE: failing })),
      asking(await deployed({ ...BINDINGS, STORE: failing })),
    ];
    const { key } = await issue(as, { scopes: ["skills:read"] });
    state.isDown = true;
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + FRESHNESS_MS);
    expect((await as(key, "GET", "/v1/skills")).status).toBe(200);
    for (const [isolate, sent] of [
      [other, key],
      [
        as,
        `${key.slice(0, 12)}${"0".repeat(16)}_${"x".repeat(43)}`.replace(/^sg_operat.*?_0/, "sg_operator_0"),
      ],
    ] as const) {
      const { status, json } = await isolate(sent, "GET", "/v1/skills");
      expect([status, json.error_code, json.retryable]).toEqual([503, "STORE_UNAVAILABLE", true]);
    }
    vi.setSystemTime(Date.now() + 60_000);
    expect((await as(key, "GET", "/v1/skills")).status).toBe(503);
    expect((await as(OPERATOR_KEY, "GET", "/v1/keys/current")).status).toBe(200);
  });
});

describe("the limits of a key", () => {
  const CALL = ["POST", "/v1/invoke/calculate_math", { expression: "1 + 1" }] as const;

  test("refuse what is more, by that key alone", async () => {
    const as = await gateway();
    const granted = { tenant: "acme", scopes: ["invoke"] };
    const { key, id } = await issue(as, { ...granted, limits: [{ max: 2, window: "minute" }] });
    const other = await issue(as, { ...granted, limits: [{ max: 2, window: "minute" }] });
    const free = await issue(as, granted);
    for (const left of [1, 0]) {
      const { status, headers } = await as(key, ...CALL);
      expect([status, headers.get("ratelimit")]).toEqual([
        200,
        expect.stringContaining(`"key:${id}/minute";r=${left};`),
      ]);
    }
    const { status, headers, json } = await as(key, ...CALL);
    expect([status, json.error_code, json.retryable]).toEqual([429, "RATE_LIMIT_EXCEEDED", true]);
    expect(json.error).toContain("this key");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    for (const another of [other.key, free.key, OPERATOR_KEY])
      expect((await as(another, ...CALL)).status).toBe(200);
  });

  test("count the calls of a message one by one, and are listed as they stand", async () => {
    const as = await gateway();
    const limits = [{ max: 2, window: "day" }];
    const { key, id } = await issue(as, { tenant: "acme", scopes: ["invoke"], limits });
    const call = (index: number) => ({
      id: `call_${index}`,
      type: "function",
      function: { name: "calculate_math", arguments: '{"expression": "1 + 1"}' },
    });
    const message = { role: "assistant", content: null, tool_calls: [1, 2, 3].map(call) };
    const { json } = await as(key, "POST", "/v1/calls?format=openai", message);
    const codes = Array.isArray(json.calls)
      ? json.calls.map((line) => isJsonObject(line) && line.error_code)
      : [];
    expect(codes.sort()).toEqual(["DAILY_QUOTA_EXCEEDED", null, null]);
    expect((await as(key, "GET", "/v1/limits")).json.limits).toContainEqual(
      expect.objectContaining({ name: `key:${id}/day`, label: "this key", max: 2, used: 2, left: 0 }),
    );
  });

  test("of the operator's key bind no key that it issues", async () => {
    const as = asking(await deployed({ ...BINDINGS, SKILLGATE_KEY_LIMITS: "1/day Asia/Shanghai" }));
    const { key } = await issue(as, { tenant: "acme", scopes: ["invoke"] });
    const statuses = [];
    for (const holder of [OPERATOR_KEY, OPERATOR_KEY, key, key])
      statuses.push((await as(holder, ...CALL)).status);
    expect(statuses).toEqual([200, 429, 200, 200]);
    expect((await as(OPERATOR_KEY, "GET", "/v1/keys/current")).json.limits).toEqual([
      { max: 1, window: "day", time_zone: "Asia/Shanghai" },
    ]);
  });

  test("are those of what the key may see, of a tenant's own skills as they are counted for it", async () => {
    const as = await gateway();
    const own = {
      ...computing("toll", "1"),
      constraints: { rate_limit: { per_endpoint: { toll: { max_requests_per_minute: 3 } } } },
    };
    const { key } = await issue(as, { tenant: "acme", scopes: ["*"] });
    expect((await as(key, "PUT", "/v1/skills/toll", document("toll", own))).status).toBe(201);
    await as(key, "POST", "/v1/invoke/toll", {});
    const listed = expect.objectContaining({ name: "function:toll/toll:acme/minute", max: 3, used: 1 });
    expect((await as(key, "GET", "/v1/limits")).json.limits).toContainEqual(listed);
    const few = await issue(as, { tenant: "acme", scopes: ["invoke"], skills: ["world-tools"] });
    expect((await as(few.key, "GET", "/v1/limits")).json.limits).not.toContainEqual(listed);
  });
});

describe("guessed keys", () => {
  test("cost the store no more than so many readings a minute, and end in a refusal that says when to come again", async () => {
    let readings = 0;
    const counting = {
      get: (key: string, options: never) => {
        if (key.startsWith("key:")) readings += 1;
        return STORE.get(key, options);
      },
    };
    const as = asking(await deployed({ ...BINDINGS, STORE: counting }));
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Math.ceil(Date.now() / 60_000) * 60_000);
    const statuses = new Map<number, number>();
    for (let index = 0; index < MAX_UNKNOWN_KEY_READS + 50; index++) {
      const guess = `sg_acme_${index.toString(16).padStart(16, "0")}_${"x".repeat(43)}`;
      const { status, headers } = await as(guess, "GET", "/v1/keys/current");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(headers.get("retry-after")).toBe("60");
    }
    expect(statuses).toEqual(
      new Map([
        [401, MAX_UNKNOWN_KEY_READS],
        [429, 50],
      ]),
    );
    expect(readings).toBe(MAX_UNKNOWN_KEY_READS);
  });
});
