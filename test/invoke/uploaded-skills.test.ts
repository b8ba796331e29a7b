import { beforeEach, describe, expect, test } from "vitest";
import { failed, success } from "../../src/errors.ts";
import type { CallSecrets, UploadedSkill } from "../../src/invoke/index.ts";
import type { Authentication, Skill } from "../../src/ir.ts";
import { loopbackForTests } from "./loopback.ts";
import { cacheRule, chain, functionWith, get, skillWith, step } from "./skills.ts";
import { Surroundings } from "./surroundings.ts";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = ({ headers }) => ({
    body: { count: upstream.arrivals.length, told: headers.authorization ?? null },
  });
});

const READ_ONLY = { readOnly: true, destructive: false, idempotent: true, openWorld: true };
const KEPT = { annotations: READ_ONLY, cache: cacheRule() };
const LIMIT = { max: 5, window: "minute" as const };

function asking(change = {}): Skill {
  const ask = functionWith("ask", get("/x"), change);
  return skillWith("demo", [ask], [{ method: "bearer", variable: "API_KEY" }], { globalLimits: [LIMIT] });
}

/** The secrets of a tenant, as a skill that it uploaded gets them. */
function ownSecrets(tenant: string): CallSecrets {
  return {
    secretFor: () => success(`planted-${tenant}`),
    tokenRefusal: () => null,
    limitsOfSecret: () => [],
    holderOf: () => tenant,
  };
}

function uploadedBy(tenant: string): UploadedSkill {
  return { tenant, secrets: async () => success(ownSecrets(tenant)) };
}

function placeFor(skill: Skill): Surroundings {
  return new Surroundings(skill, { baseUrl: upstream.origin, secrets: { API_KEY: "operators" } });
}

function ask(place: Surroundings, skill: Skill, tenant: string) {
  return place.call(skill, "ask", {}, null, tenant, { uploaded: uploadedBy(tenant) });
}

describe("a call of an uploaded skill", () => {
  test("carries the secret of its tenant, which is scrubbed from what comes back", async () => {
    const skill = asking();
    const sent = await ask(placeFor(skill), skill, "acme");
    expect(upstream.arrivals[0]?.headers.authorization).toBe("Bearer planted-acme");
    expect(sent).toMatchObject({ ok: true, value: { data: { told: "Bearer [redacted]" } } });
  });

  test("sends nothing where it cannot be found out which secret that is", async () => {
    const skill = asking();
    const place = placeFor(skill);
    const down = failed({ code: "STORE_UNAVAILABLE", operation: "read the secret" });
    const uploaded = { tenant: "acme", secrets: async () => down };
    expect(await place.call(skill, "ask", {}, null, "acme", { uploaded })).toEqual(down);
    expect(upstream.arrivals).toHaveLength(0);
  });

  test("does not ask for secrets where what was kept will do", async () => {
    const skill = asking(KEPT);
    const place = placeFor(skill);
    await ask(place, skill, "acme");
    const uploaded = { tenant: "acme", secrets: () => Promise.reject(new Error("asked")) };
    const again = await place.call(skill, "ask", {}, null, "acme", { uploaded });
    expect(again).toMatchObject({ value: { cached: true } });
  });

  test("gives its result to no other tenant, though the function says that it is everybody's", async () => {
    const skill = asking(KEPT);
    const place = placeFor(skill);
    const counts = [];
    for (const tenant of ["acme", "other", "acme"]) {
      const outcome = await ask(place, skill, tenant);
      counts.push(outcome.ok ? outcome.value.data : outcome.failure);
    }
    expect(counts).toMatchObject([{ count: 1 }, { count: 2 }, { count: 1 }]);
  });

  test("counts by the credential: each tenant's own apart, the operator's for all", async () => {
    const skill = asking();
    const place = placeFor(skill);
    await ask(place, skill, "acme");
    await ask(place, skill, "other");
    await place.call(skill, "ask", {});
    const { host } = new URL(upstream.origin);
    expect(place.admissions.map(({ limits }) => limits.map(({ bucket }) => bucket))).toEqual([
      [`upstream:${host}:API_KEY:acme`],
      [`upstream:${host}:API_KEY:other`],
      [`upstream:${host}:API_KEY`],
    ]);
  });
});

describe("several secrets of an uploaded skill", () => {
  const rules: Authentication[] = [
    { method: "bearer", variable: "OWN_KEY" },
    { method: "api_key", in: "query", name: "k", variable: "API_KEY" },
  ];
  const skill = skillWith("demo", [functionWith("ask", get("/x"))], rules, { globalLimits: [LIMIT] });
  const OPERATORS = { max: 3, window: "minute" as const };

  test("count together for the tenant that one of them is of, and the operator's for all", async () => {
    const place = placeFor(skill);
    const secrets: CallSecrets = {
      ...ownSecrets("acme"),
      holderOf: (variable) => (variable === "OWN_KEY" ? "acme" : null),
      limitsOfSecret: (variable) => (variable === "OWN_KEY" ? [] : [OPERATORS]),
    };
    const uploaded = { tenant: "acme", secrets: async () => success(secrets) };
    await place.call(skill, "ask", {}, null, "acme", { uploaded });
    const { host } = new URL(upstream.origin);
    expect(place.admissions[0]?.limits.map(({ bucket, group }) => [bucket, group])).toEqual(
      [`upstream:${host}:API_KEY+OWN_KEY:acme`, `upstream:${host}:API_KEY`].map((name) => [name, name]),
    );
  });
});

describe("a wait that an upstream asks a tenant's secret for", () => {
  test("is that tenant's alone", async () => {
    const skill = asking();
    const place = placeFor(skill);
    upstream.answer = () => ({ status: 429, headers: { "retry-after": "30" } });
    await ask(place, skill, "acme");
    upstream.answer = () => ({ body: {} });
    expect(await ask(place, skill, "acme")).toMatchObject({ failure: { code: "UPSTREAM_RATE_LIMITED" } });
    expect(await ask(place, skill, "other")).toMatchObject({ ok: true });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
  });
});

describe("the limits of an uploaded skill", () => {
  const limited = {
    functionLimits: [{ function: "ask", limits: [LIMIT] }],
    globalLimits: [LIMIT],
  };
  const free = skillWith("demo", [functionWith("ask", get("/x"))], [], limited);

  test("are its tenant's alone: a skill of the same name uses up no other's, nor the bundled one's", async () => {
    const place = new Surroundings(free, { baseUrl: upstream.origin });
    for (let count = 0; count < 7; count++)
      await place.call(free, "ask", {}, null, "acme", { uploaded: uploadedBy("acme") });
    const codes = [];
    for (const uploaded of [uploadedBy("acme"), uploadedBy("other"), null]) {
      const outcome = await place.call(free, "ask", {}, null, uploaded?.tenant ?? "third", { uploaded });
      codes.push(outcome.ok ? "ok" : outcome.failure.code);
    }
    expect(codes).toEqual(["RATE_LIMIT_EXCEEDED", "ok", "ok"]);
  });
});

describe("a chain", () => {
  const overview = functionWith("ask", chain([step("a", "look")], "steps.a"), KEPT);
  const skill = skillWith("demo", [overview, functionWith("look", get("/x"))]);

  test("that was kept is given again to those alone who see the same", async () => {
    const place = placeFor(skill);
    const counts = [];
    for (const view of ["", "restricted", "", "restricted"]) {
      const outcome = await place.call(skill, "ask", {}, null, "acme", { view });
      counts.push(outcome.ok ? outcome.value.data : outcome.failure);
    }
    expect(counts).toMatchObject([{ count: 1 }, { count: 2 }, { count: 1 }, { count: 2 }]);
  });

  test("ends where a step's function asks for a permission that the caller lacks", async () => {
    const lacking = failed({ code: "FORBIDDEN", message: "This needs the scope trade.", scope: "trade" });
    const outcome = await placeFor(skill).call(skill, "ask", {}, null, "acme", { find: async () => lacking });
    expect(outcome).toMatchObject({ failure: { code: "FORBIDDEN", step: "a", scope: "trade" } });
    expect(upstream.arrivals).toHaveLength(0);
  });
});
