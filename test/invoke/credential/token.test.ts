import { beforeEach, describe, expect, test } from "vitest";
import { toWire } from "../../../src/errors.ts";
import type { Authentication, Skill } from "../../../src/ir.ts";
import { CALL_DEADLINE_MS, CIRCUIT_BASE_PAUSE_MS, CIRCUIT_FAILURES } from "../../../src/limits.ts";
import { loopbackForTests, type Reply } from "../loopback.ts";
import { functionWith, get, skillWith } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
const endpoint = await loopbackForTests();

beforeEach(() => {
  upstream.answer = () => ({ body: "well" });
  endpoint.answer = () => DOWN;
});

const DOWN: Reply = { status: 503, body: { error: "temporarily_unavailable" } };
const TOKEN: Reply = { body: { access_token: "token-1", expires_in: 60 } };

type ClientCredentials = Extract<Authentication, { method: "oauth2_client_credentials" }>;

function skillNamed(name: string, change: Partial<ClientCredentials> = {}): Skill {
  const rule: ClientCredentials = {
    method: "oauth2_client_credentials",
    tokenUrl: `${endpoint.origin}/token`,
    clientId: "client",
    variable: "CLIENT_SECRET",
    scopes: [],
    audience: null,
    secretIn: "header",
    ...change,
  };
  return skillWith(name, [functionWith("ask", get("/x"))], [rule], {
    globalLimits: [{ max: 1_000, window: "minute" }],
  });
}

function placeFor(skill: Skill, others: Skill[] = []): Surroundings {
  return new Surroundings(skill, { baseUrl: upstream.origin, secrets: { CLIENT_SECRET: "planted" }, others });
}

async function codesOf(place: Surroundings, skill: Skill, count: number): Promise<string[]> {
  const codes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const result = await place.call(skill, "ask", {});
    codes.push(result.ok ? "ok" : result.failure.code);
  }
  return codes;
}

function refused(retryAfterMs: number) {
  const message = "it failed several times in a row, so nothing is sent to it for now";
  return {
    ok: false,
    failure: {
      code: "TOKEN_UNAVAILABLE",
      host: new URL(endpoint.origin).host,
      upstream: { status: null, code: null, message },
      retryAfterMs,
    },
  };
}

describe("a token endpoint that is down", () => {
  test("is asked no more after some failures in a row, which costs neither a request nor a limit", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    const codes = await codesOf(place, skill, CIRCUIT_FAILURES);
    expect(new Set(codes)).toEqual(new Set(["TOKEN_UNAVAILABLE"]));
    expect(endpoint.arrivals).toHaveLength(CIRCUIT_FAILURES);
    const result = await place.call(skill, "ask", {});
    expect(result).toEqual(refused(CIRCUIT_BASE_PAUSE_MS));
    expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([CIRCUIT_FAILURES, 0]);
    expect(place.admissions).toEqual([]);
  });

  test("is named in the failure, with the time to wait", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await codesOf(place, skill, CIRCUIT_FAILURES);
    const result = await place.call(skill, "ask", {});
    if (result.ok) throw new Error("succeeded");
    expect(toWire(result.failure, "request-1")).toMatchObject({
      error: expect.stringMatching(
        /^127\.0\.0\.1:\d+, which gives access tokens.*failed several times in a row/,
      ),
      retryable: true,
      retry_after_ms: CIRCUIT_BASE_PAUSE_MS,
    });
  });

  test("is tried once after a pause: a failure begins a longer one, a token ends it all", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    await codesOf(place, skill, CIRCUIT_FAILURES);
    place.advance(CIRCUIT_BASE_PAUSE_MS);
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { upstream: { status: 503 } } });
    expect(await place.call(skill, "ask", {})).toEqual(refused(2 * CIRCUIT_BASE_PAUSE_MS));
    place.advance(2 * CIRCUIT_BASE_PAUSE_MS);
    endpoint.answer = () => TOKEN;
    expect(await codesOf(place, skill, 2)).toEqual(["ok", "ok"]);
    expect(endpoint.arrivals).toHaveLength(CIRCUIT_FAILURES + 2);
    expect(place.dependencies.circuits.size).toBe(0);
  });

  test("is waited for by calls at the same time with one request, which counts as one failure", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    // Long enough for all of them to have come.
    endpoint.answer = () => new Promise((answered) => setTimeout(answered, 200, DOWN));
    await Promise.all(Array.from({ length: 3 * CIRCUIT_FAILURES }, () => place.call(skill, "ask", {})));
    expect(endpoint.arrivals).toHaveLength(1);
    endpoint.answer = () => DOWN;
    await codesOf(place, skill, CIRCUIT_FAILURES);
    expect(endpoint.arrivals).toHaveLength(CIRCUIT_FAILURES);
  });

  test("does not hold up calls whose token still holds", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    endpoint.answer = () => TOKEN;
    await place.call(skill, "ask", {});
    endpoint.answer = () => DOWN;
    expect(await codesOf(place, skill, CIRCUIT_FAILURES + 1)).toEqual(Array(CIRCUIT_FAILURES + 1).fill("ok"));
    expect(endpoint.arrivals).toHaveLength(1);
  });

  test("leaves the upstream's own circuit as it is", async () => {
    const skill = skillNamed("demo");
    const open = skillWith("open", [functionWith("ask", get("/x"))]);
    const place = placeFor(skill, [open]);
    await codesOf(place, skill, CIRCUIT_FAILURES);
    expect(place.dependencies.circuits.size).toBe(1);
    expect(await codesOf(place, open, 1)).toEqual(["ok"]);
  });

  test.each<[string, Partial<ClientCredentials>]>([
    ["another path", { tokenUrl: `${endpoint.origin}/crash` }],
    ["other scopes", { scopes: ["crash"] }],
    ["another client", { clientId: "crash" }],
    ["the secret in another place", { secretIn: "body" }],
  ])("for what one skill asks of it is not down for another: %s", async (_what, change) => {
    const crashing = skillNamed("crashing", change);
    const skill = skillNamed("demo");
    const place = placeFor(skill, [crashing]);
    await codesOf(place, crashing, CIRCUIT_FAILURES + 1);
    expect(endpoint.arrivals).toHaveLength(CIRCUIT_FAILURES);
    endpoint.answer = () => TOKEN;
    expect(await codesOf(place, skill, 1)).toEqual(["ok"]);
  });

  test("for what several skills ask of it alike is down for all of them", async () => {
    const [one, other] = [skillNamed("one"), skillNamed("other")];
    const place = placeFor(one, [other]);
    await codesOf(place, one, CIRCUIT_FAILURES);
    expect(await place.call(other, "ask", {})).toEqual(refused(CIRCUIT_BASE_PAUSE_MS));
  });
});

test("a call whose time is over gets no other token for the one that was refused, and says what it lacks", async () => {
  const skill = skillNamed("demo");
  const place = placeFor(skill);
  endpoint.answer = () => TOKEN;
  upstream.answer = () => {
    place.advance(CALL_DEADLINE_MS);
    return { status: 401 };
  };
  expect(await place.call(skill, "ask", {})).toMatchObject({
    failure: {
      code: "TOKEN_UNAVAILABLE",
      upstream: { message: "no answer before the time of the call was over" },
    },
  });
  expect([endpoint.arrivals.length, upstream.arrivals.length]).toEqual([1, 1]);
});

describe("a token endpoint that answers", () => {
  test.each<[string, Reply, string]>([
    ["with a refusal", { status: 400, body: { error: "invalid_scope" } }, "TOKEN_REFUSED"],
    ["that it is asked too much", { status: 429, headers: { "retry-after": "1" } }, "TOKEN_UNAVAILABLE"],
    ["with something else", { body: "a page" }, "TOKEN_REFUSED"],
  ])("%s is not down", async (_what, reply, code) => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    endpoint.answer = () => reply;
    for (let index = 0; index < CIRCUIT_FAILURES + 1; index += 1) {
      expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { code } });
      // Until a refusal is forgotten.
      place.advance(5_000);
    }
    expect(endpoint.arrivals).toHaveLength(CIRCUIT_FAILURES + 1);
    expect(place.dependencies.circuits.size).toBe(0);
  });

  test("after some failures begins to be counted anew", async () => {
    const skill = skillNamed("demo");
    const place = placeFor(skill);
    for (const reply of [DOWN, { status: 400 }, DOWN]) {
      endpoint.answer = () => reply;
      await codesOf(place, skill, CIRCUIT_FAILURES - 1);
      place.advance(5_000);
    }
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { upstream: { status: 503 } } });
    expect(await place.call(skill, "ask", {})).toEqual(refused(CIRCUIT_BASE_PAUSE_MS));
  });
});

test("a token endpoint that no request may go to is neither down nor up", async () => {
  const skill = skillNamed("demo", { tokenUrl: "https://169.254.169.254/token" });
  const place = placeFor(skill);
  const codes = await codesOf(place, skill, CIRCUIT_FAILURES + 1);
  expect(new Set(codes)).toEqual(new Set(["EGRESS_DENIED"]));
  expect(place.dependencies.circuits.size).toBe(0);
});
