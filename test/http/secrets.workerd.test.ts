import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { planted } from "../leaks/planted.ts";
import { type AskAs, asking, document, issue, OPERATOR_KEY } from "./callers.ts";
import { deployed } from "./deployed.ts";

const { STORE } = env;
const [ENCRYPTION_KEY, NEXT_KEY] = [planted.SECRETS_KEY, btoa("b".repeat(32))];
const VALUE: string = planted.TENANT_SECRET;
const BINDINGS = {
  STORE,
  SKILLGATE_KEY: OPERATOR_KEY,
  SECRETS_KEY: ENCRYPTION_KEY,
  TICKDB_API_KEY: planted.WORKERD_SANDBOX_KEY,
};

const FRESHNESS_MS = 5_000;

async function gateway(bindings: Record<string, unknown> = {}): Promise<AskAs> {
  return asking(await deployed({ ...BINDINGS, ...bindings }));
}

/** What went to upstreams: where, and with which credential. */
type Sent = [url: string, authorization: string | null];

/** Plays every upstream: it repeats the credential that it got, as careless ones do. */
function upstreams(answer: (url: string) => Response | null = () => null): Sent[] {
  const sent: Sent[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    const credential = headers.get("authorization") ?? headers.get("x-api-key");
    sent.push([url, credential]);
    return answer(url) ?? Response.json({ told: credential, url });
  });
  return sent;
}

/** A skill that asks an upstream with a secret. */
function skill(name: string, host: string, variable = "MY_API_KEY", more: JsonObject = {}): string {
  const [called] = [name.replaceAll("-", "_")];
  return document(name, {
    upstream: { base_url: `https://${host}/v1` },
    functions: [
      {
        name: `ask_${called}`,
        description: "Asks the upstream how it is.",
        request: { method: "GET", path: "/x" },
        ...more,
      },
    ],
    constraints: { authentication: { method: "bearer", env_variable: variable } },
  });
}

function setSecret(as: AskAs, key: string, hosts: string[], value = VALUE, name = "MY_API_KEY") {
  return as(key, "PUT", `/v1/secrets/${name}`, { value, hosts });
}

const KEY = { tenant: "acme", scopes: ["*"] };

/** Everything that is in the store, as one text. */
async function stored(): Promise<string> {
  const { keys } = await STORE.list();
  const values = await Promise.all(keys.map(({ name }) => STORE.get(name)));
  return JSON.stringify([keys, values]);
}

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const { name } of (await STORE.list()).keys) await STORE.delete(name);
});

// Whoever is first loads the compiler too.
describe("a tenant's secret", { timeout: 30_000 }, () => {
  test("goes with the calls of its skill to its host, and is nowhere to be read", async () => {
    const sent = upstreams();
    const written = vi.spyOn(console, "log").mockImplementation(() => {});
    const as = await gateway();
    const { key, id } = await issue(as, KEY);
    const set = await setSecret(as, key, ["API.mine.test", "api.mine.test"]);
    expect([set.status, set.json]).toEqual([
      201,
      {
        tenant: "acme",
        name: "MY_API_KEY",
        hosts: ["api.mine.test"],
        updated_at: expect.any(String),
        updated_by: id,
        created: true,
      },
    ]);
    expect((await as(key, "PUT", "/v1/skills/mine", skill("mine", "api.mine.test"))).status).toBe(201);
    const called = await as(key, "POST", "/v1/invoke/ask_mine", {});
    expect(called.json.data).toEqual({ told: "Bearer [redacted]", url: "https://api.mine.test/v1/x" });
    expect(sent).toEqual([["https://api.mine.test/v1/x", `Bearer ${VALUE}`]]);
    const listed = await as(key, "GET", "/v1/secrets");
    expect(listed.json.secrets).toEqual([
      {
        name: "MY_API_KEY",
        hosts: ["api.mine.test"],
        updated_at: expect.any(String),
        updated_by: id,
        current: true,
      },
    ]);
    const planned = await as(key, "POST", "/v1/invoke/ask_mine?dry_run=1", {});
    expect(planned.text).toContain("[secret MY_API_KEY]");
    const everything = await stored();
    for (const text of [
      set.text,
      called.text,
      listed.text,
      planned.text,
      everything,
      JSON.stringify(written.mock.calls),
    ])
      for (const form of [VALUE, btoa(VALUE), encodeURIComponent(VALUE)]) expect(text).not.toContain(form);
    expect(everything).toContain("secret:acme:MY_API_KEY");
    expect((await as(key, "GET", "/v1/secrets/MY_API_KEY")).json.error_code).toBe("UNKNOWN_ROUTE");
  });

  test("is asked for where a skill is uploaded, with how to set it", async () => {
    const as = await gateway();
    const { key } = await issue(as, KEY);
    for (const [hosts, reason] of [
      [null, "PUT /v1/secrets/MY_API_KEY"],
      [["other.test"], "bound to other.test"],
      [["mine.test"], "bound to mine.test"],
      [["api.mine.test:8443"], "bound to api.mine.test:8443"],
    ] as const) {
      if (hosts !== null) await setSecret(as, key, [...hosts]);
      const { status, json } = await as(key, "PUT", "/v1/skills/mine", skill("mine", "api.mine.test"));
      expect([status, json.error_code]).toEqual([422, "INVALID_SKILL"]);
      expect(json.details).toMatchObject([
        { code: "secret-not-bound", message: expect.stringContaining(reason) },
      ]);
    }
  });

  test("is looked at again when a request is sent: bound elsewhere or removed since, it goes nowhere", async () => {
    const sent = upstreams();
    const [as, elsewhere] = [await gateway(), await gateway()];
    const { key } = await issue(as, KEY);
    await setSecret(as, key, ["api.mine.test"]);
    await as(key, "PUT", "/v1/skills/mine", skill("mine", "api.mine.test"));
    expect((await elsewhere(key, "POST", "/v1/invoke/ask_mine", {})).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() + 2_000);
    await setSecret(as, key, ["other.test"]);
    vi.setSystemTime(Date.now() + FRESHNESS_MS);
    for (const isolate of [as, elsewhere]) {
      const { status, json } = await isolate(key, "POST", "/v1/invoke/ask_mine", {});
      expect([status, json.error_code]).toEqual([403, "EGRESS_DENIED"]);
    }
    expect((await as(key, "DELETE", "/v1/secrets/MY_API_KEY")).json).toEqual({
      tenant: "acme",
      name: "MY_API_KEY",
      deleted: true,
    });
    vi.setSystemTime(Date.now() + FRESHNESS_MS);
    for (const isolate of [as, elsewhere])
      expect((await isolate(key, "POST", "/v1/invoke/ask_mine", {})).json.error_code).toBe("EGRESS_DENIED");
    expect((await as(key, "DELETE", "/v1/secrets/MY_API_KEY")).json.error_code).toBe("UNKNOWN_SECRET");
    expect(sent).toHaveLength(1);
  });
});

describe("a secret that somebody would like to have elsewhere", () => {
  test("does not follow a redirect to another host, though it has the host's name in its own", async () => {
    const location = "https://api.mine.test.evil.test/v1/x";
    const sent = upstreams((url) =>
      url.startsWith("https://api.mine.test/")
        ? new Response(null, { status: 302, headers: { location } })
        : null,
    );
    const as = await gateway();
    const { key } = await issue(as, KEY);
    await setSecret(as, key, ["api.mine.test"]);
    await as(key, "PUT", "/v1/skills/mine", skill("mine", "api.mine.test"));
    await as(key, "POST", "/v1/invoke/ask_mine", {});
    expect(sent[0]).toEqual(["https://api.mine.test/v1/x", `Bearer ${VALUE}`]);
    for (const [, authorization] of sent.slice(1)) expect(authorization).toBeNull();
  });

  test("is of no use to another tenant with the same document, whose calls also share no result", async () => {
    const sent = upstreams();
    const as = await gateway();
    const [one, two] = [
      await issue(as, { ...KEY, tenant: "one" }),
      await issue(as, { ...KEY, tenant: "two" }),
    ];
    const kept = { cache: { ttl: "1m", scope: "shared" }, annotations: { read_only: true } };
    const body = skill("mine", "api.mine.test", "MY_API_KEY", kept);
    await setSecret(as, one.key, ["api.mine.test"]);
    expect((await as(one.key, "PUT", "/v1/skills/mine", body)).json).toMatchObject({ stored: true });
    expect((await as(two.key, "PUT", "/v1/skills/mine", body)).json.error_code).toBe("INVALID_SKILL");
    await setSecret(as, two.key, ["api.mine.test"], planted.OTHER_TENANT_SECRET);
    expect((await as(two.key, "PUT", "/v1/skills/mine", body)).status).toBe(201);
    for (const { key } of [one, two, one, two]) {
      const { status, json } = await as(key, "POST", "/v1/invoke/ask_mine", {});
      expect([status, json.error ?? null]).toEqual([200, null]);
    }
    expect(sent.map(([, authorization]) => authorization)).toEqual([
      `Bearer ${VALUE}`,
      `Bearer ${planted.OTHER_TENANT_SECRET}`,
    ]);
  });

  test("of the operator's name sends the operator's to nobody, nor the bundled skill elsewhere", async () => {
    const sent = upstreams(() => Response.json({ code: 0, message: "ok", data: [] }));
    const as = await gateway();
    const { key } = await issue(as, KEY);
    await setSecret(as, key, ["evil.test"], VALUE, "TICKDB_API_KEY");
    await as(key, "POST", "/v1/invoke/get_realtime_price", { symbol: "NVDA.US" });
    expect(sent.map(([url, credential]) => [new URL(url).host, credential])).toEqual([
      ["api.tickdb.ai", planted.WORKERD_SANDBOX_KEY],
    ]);
    const override = skill("tickdb-market-data", "evil.test", "TICKDB_API_KEY");
    expect((await as(key, "PUT", "/v1/skills/tickdb-market-data", override)).status).toBe(201);
    await as(key, "POST", "/v1/invoke/ask_tickdb_market_data", {});
    expect(sent.at(-1)).toEqual(["https://evil.test/v1/x", `Bearer ${VALUE}`]);
    const stranger = await issue(as, { ...KEY, tenant: "stranger" });
    const refused = await as(stranger.key, "PUT", "/v1/skills/tickdb-market-data", override);
    expect(refused.json.error_code).toBe("INVALID_SKILL");
    const evil = sent.filter(([url]) => new URL(url).host === "evil.test");
    expect(JSON.stringify(evil)).not.toContain("operators");
  });
});

describe("a secret", () => {
  test.each<[string, JsonValue]>([
    ["no host", { value: VALUE, hosts: [] }],
    ["every host", { value: VALUE, hosts: ["*"] }],
    ["hosts by a pattern", { value: VALUE, hosts: ["*.mine.test"] }],
    ["a URL", { value: VALUE, hosts: ["https://api.mine.test"] }],
    ["a path", { value: VALUE, hosts: ["api.mine.test/v1"] }],
    ["a user's name", { value: VALUE, hosts: ["x@api.mine.test"] }],
    ["something else", { value: VALUE, hosts: { [VALUE]: 1 } }],
    ["more than there is to say", { value: VALUE, hosts: ["api.mine.test"], planted: VALUE }],
    ["a value that is a list", { value: [VALUE], hosts: ["api.mine.test"] }],
    ["a blank value", { value: " \n", hosts: ["api.mine.test"] }],
    ["a value that is too long", { value: VALUE.repeat(1_000), hosts: ["api.mine.test"] }],
    ["what is no JSON", `{"value": "${VALUE}", hosts}`],
  ])("is refused for %s, and not quoted", async (_what, body) => {
    const as = await gateway();
    const { status, json, text } = await as(OPERATOR_KEY, "PUT", "/v1/secrets/MY_API_KEY", body);
    expect([status, json.error_code]).toEqual([400, "INVALID_REQUEST"]);
    expect(text).not.toContain(VALUE);
    expect((await STORE.list()).keys).toEqual([]);
  });

  test.each(["my_api_key", "MY-API-KEY", "1KEY", "__proto__", "A".repeat(129)])(
    "is not named %s",
    async (name) => {
      const as = await gateway();
      const { status } = await as(OPERATOR_KEY, "PUT", `/v1/secrets/${name}`, {
        value: VALUE,
        hosts: ["a.test"],
      });
      expect(status).toBe(400);
    },
  );
});

describe("the key that secrets are encrypted under", () => {
  test.each([undefined, "", "too short", btoa("c".repeat(31))])(
    "is asked for where it is not set or none: %j",
    async (key) => {
      const as = await gateway({ SECRETS_KEY: key });
      const { status, json } = await setSecret(as, OPERATOR_KEY, ["api.mine.test"]);
      expect([status, json.error_code]).toEqual([403, "FORBIDDEN"]);
      expect(json.error).toContain("openssl rand -base64 32 | npx wrangler secret put SECRETS_KEY");
    },
  );

  test.each(["SECRETS_KEY", "SECRETS_KEY_NEW"])("is named where it is malformed: %s", async (variable) => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const fault = `${variable} is not 32 bytes in Base64`;
    const as = await gateway({ [variable]: "too short" });
    expect((await as("", "GET", "/health")).json.faults).toEqual([fault]);
    expect(String(written.mock.calls)).toContain(fault);
    const { json } = await setSecret(as, OPERATOR_KEY, ["api.mine.test"]);
    expect(json.error).toContain(`${fault}, so no secret is taken.`);
  });

  test("is changed in three steps, with no call failing in between", async () => {
    const sent = upstreams();
    const before = await gateway();
    await setSecret(before, OPERATOR_KEY, ["api.mine.test"]);
    await before(OPERATOR_KEY, "PUT", "/v1/skills/mine", skill("mine", "api.mine.test"));
    const current = async (as: AskAs) => (await as(OPERATOR_KEY, "GET", "/v1/secrets")).json.secrets;

    const changing = await gateway({ SECRETS_KEY_NEW: NEXT_KEY });
    expect((await changing(OPERATOR_KEY, "POST", "/v1/invoke/ask_mine", {})).status).toBe(200);
    expect(await current(changing)).toMatchObject([{ current: false }]);
    await new Promise((wake) => setTimeout(wake, 1_100));
    expect((await setSecret(changing, OPERATOR_KEY, ["api.mine.test"])).status).toBe(200);
    expect(await current(changing)).toMatchObject([{ current: true }]);

    const after = await gateway({ SECRETS_KEY: NEXT_KEY });
    expect((await after(OPERATOR_KEY, "POST", "/v1/invoke/ask_mine", {})).status).toBe(200);
    expect(sent).toEqual(Array.from({ length: 2 }, () => ["https://api.mine.test/v1/x", `Bearer ${VALUE}`]));

    const lost = await gateway();
    const { status, json } = await lost(OPERATOR_KEY, "POST", "/v1/invoke/ask_mine", {});
    expect([status, json.error_code]).toEqual([500, "SECRET_UNUSABLE"]);
    expect(json.hint).toContain("PUT /v1/secrets/MY_API_KEY");
    expect(sent).toHaveLength(2);
  });
});

describe("an upload as the way round a permission", () => {
  test("does not lead to the operator's secret for a key without the bundled skill", async () => {
    const sent = upstreams();
    const as = await gateway();
    const { key } = await issue(as, { ...KEY, skills: ["mine"] });
    const body = document("mine", {
      upstream: { base_url: "https://api.tickdb.ai/v1", base_url_variable: "TICKDB_BASE_URL" },
      functions: [
        { name: "peek", description: "Asks the upstream how it is.", request: { method: "GET", path: "/x" } },
      ],
      constraints: { authentication: { method: "bearer", env_variable: "TICKDB_API_KEY" } },
    });
    const refused = await as(key, "PUT", "/v1/skills/mine", body);
    expect(refused.json.details).toMatchObject([{ message: expect.stringContaining("may not use") }]);
    const whole = await issue(as, KEY);
    expect((await as(whole.key, "PUT", "/v1/skills/mine", body)).status).toBe(201);
    expect((await as(key, "POST", "/v1/invoke/peek", {})).json.error_code).toBe("EGRESS_DENIED");
    expect(sent).toEqual([]);
    expect((await as(whole.key, "POST", "/v1/invoke/peek", {})).status).toBe(200);
  });
});

describe("an upload that says that its calls cost much", () => {
  const costly = document("mine", {
    upstream: { base_url: "https://api.tickdb.ai/v1", base_url_variable: "TICKDB_BASE_URL" },
    functions: [
      {
        name: "peek",
        description: "Asks the upstream how it is.",
        request: { method: "GET", path: "/x" },
        cost: 49,
      },
    ],
    constraints: { authentication: { method: "bearer", env_variable: "TICKDB_API_KEY" } },
  });

  test("is refused where the operator's secret goes with them, and spends one of its limits a call", async () => {
    upstreams();
    const as = await gateway();
    const { key } = await issue(as, KEY);
    const refused = await as(key, "PUT", "/v1/skills/mine", costly);
    expect(refused.json.details).toMatchObject([
      {
        code: "value-out-of-range",
        message:
          "the function peek says cost: 49, but a call with the operator's secret TICKDB_API_KEY costs 1; leave cost " +
          "out, or set a secret of your own with PUT /v1/secrets/TICKDB_API_KEY",
      },
    ]);
    await setSecret(as, key, ["api.tickdb.ai"], VALUE, "TICKDB_API_KEY");
    expect((await as(key, "PUT", "/v1/skills/mine", costly)).status).toBe(201);
    expect((await as(key, "DELETE", "/v1/secrets/TICKDB_API_KEY")).status).toBe(200);
    const used = async () => {
      const { limits } = (await as(OPERATOR_KEY, "GET", "/v1/limits")).json;
      const shared = Array.isArray(limits) ? limits.filter(isJsonObject) : [];
      return shared.find(({ label }) => label === "the upstream of tickdb-market-data")?.used;
    };
    const before = Number(await used());
    expect((await as(key, "POST", "/v1/invoke/peek", {})).status).toBe(200);
    expect(Number(await used()) - before).toBe(1);
  });
});
