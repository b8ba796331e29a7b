import { beforeEach, describe, expect, test } from "vitest";
import type { Authentication, Skill } from "../../../src/ir.ts";
import { MAX_CLOSURE_MS } from "../../../src/limits.ts";
import { loopbackForTests, type Reply } from "../loopback.ts";
import { functionWith, get, skillWith } from "../skills.ts";
import { Surroundings } from "../surroundings.ts";

const upstream = await loopbackForTests();
beforeEach(() => {
  upstream.answer = () => ({ body: "well" });
});

const KEY: Authentication = { method: "bearer", variable: "DEMO_KEY" };
const LIMIT = [{ max: 1_000, window: "minute" as const }];
const WAIT: Reply = { status: 429, headers: { "retry-after": "30" } };

function skillNamed(name: string, authentication: Authentication[] = [KEY]): Skill {
  return skillWith(name, [functionWith("ask", get("/x"))], authentication, { globalLimits: LIMIT });
}

function placeFor(...skills: [Skill, ...Skill[]]): Surroundings {
  const [skill, ...others] = skills;
  return new Surroundings(skill, {
    baseUrl: upstream.origin,
    secrets: { DEMO_KEY: "key", OTHER_KEY: "other" },
    others,
  });
}

const CLOSED = { ok: false, failure: { code: "UPSTREAM_RATE_LIMITED", upstream: { status: null } } };

describe("an upstream that names a time to wait", () => {
  test("gets no request until then, from any document with its credential; those cost no limit", async () => {
    const [one, other] = [skillNamed("one"), skillNamed("other")];
    const place = placeFor(one, other);
    upstream.answer = () => WAIT;
    expect(await place.call(one, "ask", {})).toMatchObject({ failure: { upstream: { status: 429 } } });
    upstream.answer = () => ({ body: "well" });
    const before = [upstream.arrivals.length, place.admissions.length];
    place.advance(29_999);
    for (const skill of [one, other])
      expect(await place.call(skill, "ask", {})).toMatchObject({
        ...CLOSED,
        failure: { ...CLOSED.failure, retryAfterMs: 1 },
      });
    expect([upstream.arrivals.length, place.admissions.length]).toEqual(before);
    place.advance(1);
    expect(await place.call(other, "ask", {})).toMatchObject({ ok: true });
  });

  test("closes nothing to calls with another credential", async () => {
    const [one, other] = [skillNamed("one"), skillNamed("other", [])];
    const place = placeFor(one, other);
    upstream.answer = () => WAIT;
    await place.call(one, "ask", {});
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(other, "ask", {})).toMatchObject({ ok: true });
  });

  const OTHER: Authentication = { method: "api_key", in: "query", name: "k", variable: "OTHER_KEY" };
  test.each<[string, Authentication[], Authentication[], boolean]>([
    ["gets none with several of which one was refused alone", [KEY], [KEY, OTHER], false],
    ["gets none with several that were refused together", [KEY, OTHER], [OTHER, KEY], false],
    [
      "gets one with a secret that was refused beside another, which may be to blame",
      [KEY, OTHER],
      [KEY],
      true,
    ],
  ])("%s", async (_which, refused, asked, isSent) => {
    const [one, other] = [skillNamed("one", refused), skillNamed("other", asked)];
    const place = placeFor(one, other);
    upstream.answer = () => WAIT;
    await place.call(one, "ask", {});
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(other, "ask", {})).toMatchObject(isSent ? { ok: true } : CLOSED);
  });

  test.each<[string, string, boolean]>([
    ["another host", "localhost", true],
    ["the same one", "127.0.0.1", false],
  ])("is one that answers for itself: a redirect that led to %s", async (_where, host, isSent) => {
    const skill = skillNamed("one");
    const place = placeFor(skill);
    const location = `${upstream.origin.replace("127.0.0.1", host)}/elsewhere`;
    upstream.answer = ({ path }) => (path === "/elsewhere" ? WAIT : { status: 302, headers: { location } });
    expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { upstream: { status: 429 } } });
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(skill, "ask", {})).toMatchObject(isSent ? { ok: true } : CLOSED);
  });

  test("is told of with one wait from the first refusal on, an hour at most", async () => {
    const skill = skillNamed("one");
    const place = placeFor(skill);
    upstream.answer = () => ({ status: 429, headers: { "retry-after": "9999999999" } });
    for (let count = 0; count < 2; count += 1)
      expect(await place.call(skill, "ask", {})).toMatchObject({ failure: { retryAfterMs: MAX_CLOSURE_MS } });
    expect(upstream.arrivals).toHaveLength(1);
  });

  test("is asked again after an hour, whatever it says", async () => {
    const skill = skillNamed("one");
    const place = placeFor(skill);
    upstream.answer = () => ({ status: 429, headers: { "retry-after": "9999999999" } });
    await place.call(skill, "ask", {});
    upstream.answer = () => ({ body: "well" });
    place.advance(MAX_CLOSURE_MS - 1);
    expect(await place.call(skill, "ask", {})).toMatchObject(CLOSED);
    place.advance(1);
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
  });

  test.each<[string, Reply]>([
    ["names none", { status: 429 }],
    ["names a time that has come", { status: 429, headers: { "retry-after": "0" } }],
    ["is only not available", { status: 503, headers: { "retry-after": "30" } }],
  ])("is left alone only then: not where it %s", async (_what, reply) => {
    const skill = skillNamed("one");
    const place = placeFor(skill);
    upstream.answer = () => reply;
    await place.call(skill, "ask", {});
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(skill, "ask", {})).toMatchObject({ ok: true });
  });
});

describe("a refusal that is one by a document's own reading", () => {
  /** Takes any reply of status 400 for "too many requests", with a time of its own making. */
  function reading(name: string): Skill {
    const skill = skillNamed(name);
    for (const { binding } of skill.functions) {
      if (binding.kind !== "request") continue;
      binding.response.error.code = '"busy"';
      binding.response.error.retryAfter = '"600"';
    }
    skill.constraints.errorHandling.codes = [{ code: "busy", kind: "rate_limited" }];
    return skill;
  }

  test.each([400, 429])("closes nothing to the calls of others, with status %d", async (status) => {
    const [one, other] = [reading("one"), skillNamed("other")];
    const place = placeFor(one, other);
    upstream.answer = () => ({ status });
    await place.call(one, "ask", {});
    upstream.answer = () => ({ body: "well" });
    expect(await place.call(one, "ask", {})).toMatchObject(CLOSED);
    expect(await place.call(other, "ask", {})).toMatchObject({ ok: true });
  });
});
