import { beforeEach, describe, expect, test } from "vitest";
import { type Failure, toWire } from "../../../src/errors.ts";
import { basic } from "../../../src/invoke/credential/methods.ts";
import type { Authentication, Skill } from "../../../src/ir.ts";
import { type Arrival, loopbackForTests, type Reply } from "../loopback.ts";
import { functionWith, get, NO_RETRIES, skillWith } from "../skills.ts";
import { type Setting, Surroundings } from "../surroundings.ts";

describe("basic authentication", () => {
  const decoded = (value: string | undefined) =>
    new TextDecoder().decode(
      Uint8Array.from(atob((value ?? "").replace("Basic ", "")), (one) => one.charCodeAt(0)),
    );

  test.each<[string | null, string, string]>([
    ["Aladdin", "open sesame", "Aladdin:open sesame"],
    ["用户", "密码£", "用户:密码£"],
    ["user", "", "user:"],
    ["user", "with:colons:", "user:with:colons:"],
    [null, "name:pass:word", "name:pass:word"],
    [null, ":", ":"],
  ])("of %j with the secret %j is %j in UTF-8 and Base64", (username, secret, pair) => {
    const result = basic({ method: "basic", username, variable: "V" }, secret);
    if (!result.ok) throw new Error(result.failure.code);
    expect(decoded(result.value.headers[0]?.[1])).toBe(pair);
  });

  test("is written as in the RFC's own example", () => {
    const result = basic({ method: "basic", username: "test", variable: "V" }, "123£");
    expect(result).toMatchObject({ value: { headers: [["authorization", "Basic dGVzdDoxMjPCow=="]] } });
  });

  test.each<[string, string | null, string, RegExp]>([
    ["a name with a colon", "a:b", "secret-value", /user name .* colon/],
    ["a pair without a colon", null, "secret-value", /`name:password`/],
    ["a control character", "name", "secret\u0007value", /control/],
    ["a line feed in the name", "na\nme", "secret-value", /control/],
  ])("refuses %s without quoting the secret", (_what, username, secret, reason) => {
    const result = basic({ method: "basic", username, variable: "V" }, secret);
    expect(result).toMatchObject({
      failure: { code: "SECRET_UNUSABLE", reason: expect.stringMatching(reason) },
    });
    expect(JSON.stringify(result)).not.toContain("secret");
  });
});

describe("a secret that no header can carry", () => {
  const inHeader: Authentication = { method: "api_key", in: "header", name: "X-API-Key", variable: "V" };
  test.each<[string, Authentication, string]>([
    ["a bearer token with a line break", { method: "bearer", variable: "V" }, "planted\nsecret"],
    ["a bearer token in Chinese", { method: "bearer", variable: "V" }, "planted密钥"],
    ["a key with a line break", inHeader, "planted\r\nsecret"],
    ["a key in Chinese", inHeader, "planted密钥"],
    ["a pair with a line break", { method: "basic", username: null, variable: "V" }, "name:planted\nx"],
  ])("is named by its variable, and nothing is sent: %s", async (_what, authentication, secret) => {
    const skill = skillOf(authentication);
    const failure = await failureOf(skill, placeFor(skill, { secrets: { V: secret } }));
    expect(failure).toMatchObject({ code: "SECRET_UNUSABLE", variable: "V" });
    expect(JSON.stringify(failure)).not.toContain("planted");
    expect(upstream.arrivals).toEqual([]);
  });

  test("may have a line break at its end, which is left off", async () => {
    const skill = skillOf(inHeader);
    const place = placeFor(skill, { secrets: { V: "planted\n" } });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
    expect(upstream.arrivals.map(({ headers }) => headers["x-api-key"])).toEqual(["planted"]);
  });

  test("is one of any characters where it goes in the query", async () => {
    const skill = skillOf({ method: "api_key", in: "query", name: "key", variable: "V" });
    const place = placeFor(skill, { secrets: { V: "密\n钥" } });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
    expect(upstream.arrivals.map(({ path }) => path)).toEqual(["/x?key=%E5%AF%86%0A%E9%92%A5"]);
  });
});

const SECRET = "planted-secret-7f3a";
const TOKEN = "issued-token-";

const upstream = await loopbackForTests();
const endpoint = await loopbackForTests();
/** Tokens that the upstream takes. */
let good: (token: string) => boolean;
let issued = 0;

beforeEach(() => {
  issued = 0;
  good = () => true;
  upstream.answer = guarded;
  endpoint.answer = issue;
});

function issue(): Reply {
  issued += 1;
  return { body: { access_token: `${TOKEN}${issued}`, token_type: "Bearer", expires_in: 3_600 } };
}

/** Tells everything that it is told. */
function guarded({ headers, path }: Arrival): Reply {
  const { authorization = "" } = headers;
  const told = { authorization, path };
  return good(authorization.replace("Bearer ", ""))
    ? { body: told }
    : { status: 401, body: { ...told, code: "expired" } };
}

function rule(
  change: Partial<Extract<Authentication, { method: "oauth2_client_credentials" }>> = {},
): Authentication {
  return {
    method: "oauth2_client_credentials",
    tokenUrl: `${endpoint.origin}/token`,
    clientId: "client",
    variable: "CLIENT_SECRET",
    scopes: ["read"],
    audience: null,
    secretIn: "header",
    ...change,
  };
}

function skillOf(authentication = rule()): Skill {
  const limits = [{ max: 60, window: "minute" as const }];
  return skillWith(
    "demo",
    [functionWith("ask", get("/x")), functionWith("tell", posting())],
    [authentication],
    {
      globalLimits: limits,
      errorHandling: { ...NO_RETRIES, maxRetries: 2 },
    },
  );
}

function posting() {
  const binding = get("/y");
  if (binding.kind !== "request") throw new Error("no request");
  return { ...binding, request: { ...binding.request, method: "POST" as const } };
}

function placeFor(skill: Skill, setting: Partial<Setting> = {}): Surroundings {
  return new Surroundings(skill, {
    baseUrl: upstream.origin,
    secrets: { CLIENT_SECRET: SECRET },
    ...setting,
  });
}

async function failureOf(skill: Skill, place = placeFor(skill), name = "ask"): Promise<Failure> {
  const result = await place.call(skill, name, {});
  if (result.ok) throw new Error(`succeeded with ${JSON.stringify(result.value)}`);
  const told = JSON.stringify([result.failure, toWire(result.failure, "request-1")]);
  for (const planted of [SECRET, TOKEN, btoa(`client:${SECRET}`)]) expect(told).not.toContain(planted);
  return result.failure;
}

describe("a token of the client credentials grant", () => {
  test("is bought once and travels as a bearer; neither it nor the secret comes back", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    const results = [await place.call(skill, "ask", {}), await place.call(skill, "tell", {})];
    for (const result of results)
      expect(result).toMatchObject({ value: { attempts: 1, data: { authorization: "Bearer [redacted]" } } });
    expect(endpoint.arrivals).toHaveLength(1);
    expect(endpoint.arrivals[0]?.headers.authorization).toBe(`Basic ${btoa(`client:${SECRET}`)}`);
    expect(upstream.arrivals.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}1`,
      `Bearer ${TOKEN}1`,
    ]);
    // The request for it counts against no limit.
    expect(place.admissions).toHaveLength(2);
  });

  test("is bought once by calls at the same time", async () => {
    const skill = skillOf();
    const place = placeFor(skill);
    const results = await Promise.all(Array.from({ length: 10 }, () => place.call(skill, "ask", {})));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([1, 10]);
  });

  test.each(["ask", "tell"])(
    "that has been withdrawn is renewed once, also where nothing is repeated: %s",
    async (name) => {
      const skill = skillOf();
      const place = placeFor(skill);
      await place.call(skill, name, {});
      good = (token) => token === `${TOKEN}2`;
      expect(await place.call(skill, name, {})).toMatchObject({ ok: true, value: { attempts: 2 } });
      expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([2, 3]);
      expect(place.pauses).toEqual([]);
    },
  );

  test("that is never taken is renewed once and then the upstream's refusal", async () => {
    good = () => false;
    expect(await failureOf(skillOf())).toMatchObject({ code: "UPSTREAM_REJECTED", kind: "unauthenticated" });
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([2, 2]);
  });

  test("is another one for another secret, scope or audience", async () => {
    const place = placeFor(skillOf());
    for (const change of [{}, { scopes: ["write"] }, { audience: "a" }, { clientId: "other" }]) {
      const skill = skillOf(rule(change));
      await place.call(skill, "ask", {});
    }
    const other = placeFor(skillOf(), { secrets: { CLIENT_SECRET: "another" } });
    const shared = { ...other.dependencies, tokens: place.dependencies.tokens };
    Object.assign(other.dependencies, shared);
    await other.call(skillOf(), "ask", {});
    expect(endpoint.arrivals).toHaveLength(5);
  });

  test.each<[string, Reply, Failure["code"]]>([
    [
      "a refusal that repeats the secret",
      { status: 401, body: { error: "invalid_client", error_description: `no ${SECRET}` } },
      "TOKEN_REFUSED",
    ],
    ["no token", { body: { token: 1 } }, "TOKEN_REFUSED"],
    ["a server error", { status: 503, headers: { "retry-after": "9" } }, "TOKEN_UNAVAILABLE"],
  ])(
    "that the endpoint does not give is a failure of its own, and nothing goes to the upstream: %s",
    async (_what, reply, code) => {
      endpoint.answer = () => reply;
      const skill = skillOf();
      const place = placeFor(skill);
      expect((await failureOf(skill, place)).code).toBe(code);
      expect(upstream.arrivals).toEqual([]);
      expect(place.admissions).toEqual([]);
    },
  );
});

describe("the secret behind a token", () => {
  test("is not taken along by a redirect of the endpoint, which gives no token", async () => {
    endpoint.answer = ({ path }) =>
      path === "/token" ? { status: 307, headers: { location: `${upstream.origin}/steal` } } : issue();
    expect((await failureOf(skillOf(rule({ secretIn: "body" })))).code).toBe("TOKEN_REFUSED");
    endpoint.answer = ({ path }) =>
      path === "/token" ? { status: 307, headers: { location: "/other" } } : issue();
    expect((await failureOf(skillOf(rule({ secretIn: "body" })))).code).toBe("TOKEN_REFUSED");
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([2, 0]);
  });

  test("goes nowhere that requests may not go", async () => {
    const skill = skillOf(rule({ tokenUrl: "https://169.254.169.254/token" }));
    expect(await failureOf(skill)).toMatchObject({ code: "EGRESS_DENIED", host: "169.254.169.254" });
  });

  test("goes to no other host than the operator's own skills take it to", async () => {
    const elsewhere = skillOf(
      rule({ tokenUrl: `${endpoint.origin.replace("127.0.0.1", "localhost")}/token` }),
    );
    expect(await failureOf(elsewhere, placeFor(skillOf()))).toMatchObject({ code: "EGRESS_DENIED" });
    const asBearer = skillOf({ method: "bearer", variable: "CLIENT_SECRET" });
    expect(await failureOf(asBearer, placeFor(skillOf()))).toMatchObject({ code: "EGRESS_DENIED" });
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([0, 0]);
  });

  test("buys tokens that go to no other host than the operator's own skills take them to", async () => {
    const place = placeFor(skillOf());
    const elsewhere = upstream.origin.replace("127.0.0.1", "localhost");
    Object.assign(place.dependencies, { baseUrlOf: () => elsewhere });
    expect(await failureOf(skillOf(), place)).toMatchObject({
      code: "EGRESS_DENIED",
      reason: "a token for the secret CLIENT_SECRET is not for this host",
    });
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([0, 0]);
  });

  test("buys tokens that go along no redirect to another origin", async () => {
    const elsewhere = endpoint.origin.replace("127.0.0.1", "localhost");
    upstream.answer = () => ({ status: 302, headers: { location: `${elsewhere}/other` } });
    const skill = skillOf();
    await placeFor(skill).call(skill, "ask", {});
    expect(endpoint.arrivals.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/token", `Basic ${btoa(`client:${SECRET}`)}`],
      ["/other", undefined],
    ]);
  });

  test("is shown by its name in a dry run, which asks for no token", async () => {
    const skill = skillOf();
    const shown = await placeFor(skill).dryRun(skill, "ask", {});
    expect(shown).toMatchObject({
      value: {
        headers: expect.arrayContaining([["authorization", "Bearer [token for the secret CLIENT_SECRET]"]]),
      },
    });
    expect(endpoint.arrivals).toEqual([]);
  });
});
