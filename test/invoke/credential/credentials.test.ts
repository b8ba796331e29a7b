import { beforeEach, describe, expect, test } from "vitest";
import { toWire } from "../../../src/errors.ts";
import type { Authentication, RateLimit, Skill } from "../../../src/ir.ts";
import { compiled } from "../compiled.ts";
import { type Arrival, loopbackForTests, type Reply } from "../loopback.ts";
import { functionWith, get, skillWith } from "../skills.ts";
import { type Setting, Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
const endpoint = await loopbackForTests();
/** Tokens that the upstream takes. */
let good: (token: string) => boolean;
let issued = 0;

beforeEach(() => {
  issued = 0;
  good = () => true;
  upstream.answer = guarded;
  endpoint.answer = () => {
    issued += 1;
    return { body: { access_token: `planted-token-${issued}`, expires_in: 3_600 } };
  };
});

/** Tells everything that it is told. */
function guarded({ headers, path }: Arrival): Reply {
  const { authorization = "", "x-app": app = null } = headers;
  const told = { authorization, app, path };
  return good(authorization.replace("Bearer ", "")) ? { body: told } : { status: 401, body: told };
}

const APP: Authentication = { method: "api_key", in: "header", name: "X-App", variable: "APP_KEY" };
const QUERY: Authentication = { method: "api_key", in: "query", name: "key", variable: "QUERY_KEY" };
const BEARER: Authentication = { method: "bearer", variable: "TOKEN" };
const BASIC: Authentication = { method: "basic", username: null, variable: "PASSWORD" };
const OAUTH: Authentication = {
  method: "oauth2_client_credentials",
  tokenUrl: `${endpoint.origin}/token`,
  clientId: "client",
  variable: "CLIENT_SECRET",
  scopes: [],
  audience: null,
  secretIn: "header",
};
const SECRETS = {
  APP_KEY: "planted-app",
  QUERY_KEY: "planted-query",
  TOKEN: "planted-bearer",
  CLIENT_SECRET: "planted-client",
};

function skillOf(authentication: Authentication[], name = "demo", globalLimits: RateLimit[] = []): Skill {
  return skillWith(name, [functionWith("ask", get("/x"))], authentication, { globalLimits });
}

function placeFor(skill: Skill, setting: Partial<Setting> = {}): Surroundings {
  return new Surroundings(skill, { baseUrl: upstream.origin, secrets: SECRETS, ...setting });
}

/** What arrived: the header of the application, Authorization and the path with its query. */
function seen(arrivals: readonly Arrival[]) {
  return arrivals.map(({ headers, path }) => [headers["x-app"], headers.authorization, path]);
}

describe("several credentials", () => {
  test("all go with each request, and none of their values comes back", async () => {
    const skill = skillOf([APP, QUERY, BEARER]);
    const result = await placeFor(skill).call(skill, "ask", {});
    expect(seen(upstream.arrivals)).toEqual([
      ["planted-app", "Bearer planted-bearer", "/x?key=planted-query"],
    ]);
    expect(result).toMatchObject({
      value: { data: { authorization: "Bearer [redacted]", app: "[redacted]", path: "/x?key=[redacted]" } },
    });
    expect(JSON.stringify(result)).not.toContain("planted");
  });

  test("are all dropped by a redirect to another origin, which brings none of them back", async () => {
    const elsewhere = endpoint.origin.replace("127.0.0.1", "localhost");
    upstream.answer = ({ path }) => ({ status: 302, headers: { location: `${elsewhere}${path}` } });
    endpoint.answer = ({ path }) =>
      path.startsWith("/x") ? { status: 302, headers: { location: `${upstream.origin}/y` } } : {};
    const skill = skillOf([APP, QUERY, BEARER]);
    await placeFor(skill).call(skill, "ask", {});
    expect(seen(endpoint.arrivals)[0]).toEqual([undefined, undefined, "/x"]);
    expect(seen(upstream.arrivals)[1]).toEqual([undefined, undefined, "/y"]);
  });

  test("are shown by their names in a dry run, which asks for no token", async () => {
    const skill = skillOf([APP, QUERY, OAUTH]);
    const place = placeFor(skill, { secrets: {} });
    const shown = await place.dryRun(skill, "ask", {});
    expect(shown).toMatchObject({
      value: {
        headers: expect.arrayContaining([
          ["X-App", "[secret APP_KEY]"],
          ["authorization", "Bearer [token for the secret CLIENT_SECRET]"],
        ]),
        query_added: [["key", "[secret QUERY_KEY]"]],
      },
    });
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([0, 0]);
  });

  test.each<[string, Authentication[], string[]]>([
    ["one of them", [APP, BEARER], ["TOKEN"]],
    ["two of three", [APP, BASIC, QUERY], ["APP_KEY", "PASSWORD"]],
    ["all", [APP, OAUTH], ["APP_KEY", "CLIENT_SECRET"]],
    ["one that stands twice", [APP, { ...QUERY, variable: "APP_KEY" }], ["APP_KEY"]],
  ])(
    "of which some are not set are a failure that names all these at once: %s",
    async (_what, rules, missing) => {
      const present = Object.entries(SECRETS).filter(([name]) => !missing.includes(name));
      const skill = skillOf(rules);
      const result = await placeFor(skill, { secrets: Object.fromEntries(present) }).call(skill, "ask", {});
      expect(result).toEqual({ ok: false, failure: { code: "SECRET_NOT_SET", variables: missing } });
      expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([0, 0]);
    },
  );

  test("of which one cannot be used buy no token for another one", async () => {
    const skill = skillOf([{ ...BASIC, username: "a:b" }, OAUTH]);
    const place = placeFor(skill, { secrets: { ...SECRETS, PASSWORD: "planted" } });
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code: "SECRET_UNUSABLE" } });
    expect(endpoint.arrivals).toEqual([]);
  });

  test("of which one is not for the host go nowhere, whatever else is missing", async () => {
    const skill = skillOf([APP, BEARER]);
    const place = placeFor(skillOf([APP]), { secrets: {} });
    expect(await place.call(skill, "ask", {})).toMatchObject({
      failure: { code: "EGRESS_DENIED", reason: "the secret TOKEN is not for this host" },
    });
    expect(upstream.arrivals).toEqual([]);
  });

  test.each(["header", "query"] as const)(
    "leave no field of the call's own under the name of any of them: %s",
    async (place) => {
      const sketch = compiled({
        parameters: {
          forged: { "x-in": "header", "x-name": "x-APP" },
          other: { "x-in": "query", "x-name": "key" },
        },
        upstream: { base_url_variable: "DEMO_BASE_URL" },
      });
      const rules = place === "header" ? [APP, BEARER] : [QUERY, BEARER];
      const skill = { ...sketch, constraints: { ...sketch.constraints, authentication: rules } };
      await placeFor(skill).call(skill, "ask", { forged: "forged", other: "forged" });
      expect(seen(upstream.arrivals)).toEqual([
        place === "header"
          ? ["planted-app", "Bearer planted-bearer", "/x?key=forged"]
          : ["forged", "Bearer planted-bearer", "/x?key=planted-query"],
      ]);
    },
  );
});

describe("several credentials that the upstream refuses", () => {
  test("of which one is a token are sent once more, with another token alone", async () => {
    const skill = skillOf([APP, QUERY, OAUTH]);
    const place = placeFor(skill);
    await place.call(skill, "ask", {});
    good = (token) => token === "planted-token-2";
    const result = await place.call(skill, "ask", {});
    expect(result).toMatchObject({ ok: true, value: { attempts: 2 } });
    expect(JSON.stringify(result)).not.toContain("planted");
    expect(seen(upstream.arrivals)).toEqual(
      [1, 1, 2].map((token) => ["planted-app", `Bearer planted-token-${token}`, "/x?key=planted-query"]),
    );
    good = () => false;
    const refused = await place.call(skill, "ask", {});
    expect(refused).toMatchObject({ failure: { code: "UPSTREAM_REJECTED", kind: "unauthenticated" } });
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([3, 5]);
  });

  test("of which none can be another one are sent once", async () => {
    good = () => false;
    const skill = skillOf([APP, BEARER]);
    const result = await placeFor(skill).call(skill, "ask", {});
    if (result.ok) throw new Error("succeeded");
    expect(result.failure).toMatchObject({ code: "UPSTREAM_REJECTED", kind: "unauthenticated" });
    expect(JSON.stringify(toWire(result.failure, "request-1"))).not.toContain("planted");
    expect(upstream.arrivals).toHaveLength(1);
  });
});

describe("the limits of several credentials", () => {
  const minute = (max: number): RateLimit => ({ max, window: "minute" });
  const buckets = ({ admissions }: Surroundings) =>
    admissions[0]?.limits.map(({ bucket, max }) => [bucket.split(":").at(-1), max]);

  test.each<[string, Authentication[], RateLimit[], RateLimit[], [string, number][]]>([
    [
      "the skill's own, named by all",
      [QUERY, BEARER, APP],
      [minute(5)],
      [],
      [["APP_KEY+QUERY_KEY+TOKEN", 5]],
    ],
    [
      "the operator's, on each",
      [BEARER, APP],
      [],
      [minute(9)],
      [
        ["APP_KEY", 9],
        ["TOKEN", 9],
      ],
    ],
    [
      "the operator's, which the skill has too",
      [APP, BEARER],
      [minute(9)],
      [minute(9)],
      [
        ["APP_KEY", 9],
        ["TOKEN", 9],
      ],
    ],
    [
      "a narrower one of the skill beside them",
      [APP, BEARER],
      [minute(5)],
      [minute(9)],
      [
        ["APP_KEY+TOKEN", 5],
        ["APP_KEY", 9],
        ["TOKEN", 9],
      ],
    ],
    [
      "those of one secret in two places",
      [APP, { ...QUERY, variable: "APP_KEY" }],
      [minute(5)],
      [],
      [["APP_KEY", 5]],
    ],
    ["those of no secret", [], [minute(5)], [], [["none", 5]]],
  ])("are %s", async (_what, rules, globalLimits, operatorLimits, expected) => {
    const skill = skillOf(rules, "demo", globalLimits);
    const place = placeFor(skill, { operatorLimits });
    await place.call(skill, "ask", {});
    expect(buckets(place)).toEqual(expected);
  });

  test("are shared with a skill that uses one of them alone", async () => {
    const both = skillOf([APP, BEARER], "both");
    const alone = skillOf([APP], "alone");
    const other = skillOf([BEARER], "other");
    const place = placeFor(both, { others: [alone, other], operatorLimits: [minute(2)] });
    const codes: string[] = [];
    for (const skill of [both, alone, both, alone, other, other]) {
      const result = await place.call(skill, "ask", {});
      codes.push(result.ok ? "ok" : result.failure.code);
    }
    // What was refused for one secret is not counted against the other.
    expect(codes).toEqual([
      "ok",
      "ok",
      "RATE_LIMIT_EXCEEDED",
      "RATE_LIMIT_EXCEEDED",
      "ok",
      "RATE_LIMIT_EXCEEDED",
    ]);
    expect(upstream.arrivals).toHaveLength(3);
  });
});
