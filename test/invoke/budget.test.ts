import { describe, expect, test } from "vitest";
import type { Authentication } from "../../src/ir.ts";
import {
  MAX_CALL_REQUESTS,
  MAX_CHAIN_CALLS,
  MAX_PARALLEL_REQUESTS,
  MAX_STEP_ELEMENTS,
} from "../../src/limits.ts";
import { loopbackForTests } from "./loopback.ts";
import { chain, functionWith, get, skillWith, step } from "./skills.ts";
import { Surroundings } from "./surroundings.ts";

const upstream = await loopbackForTests();

/** Calls one after the other, and then as many at once as a step may make. */
function skillOf(authentication: Authentication[] = []) {
  const single = Array.from({ length: MAX_CHAIN_CALLS - MAX_STEP_ELEMENTS }, (_, index) =>
    step(`s${index}`, "ask", { after: index === 0 ? [] : [`s${index - 1}`] }),
  );
  const last = single.at(-1)?.id ?? "";
  const many = step("many", "ask", { forEach: `lists.range(${MAX_STEP_ELEMENTS})`, after: [last] });
  return skillWith(
    "demo",
    [functionWith("ask", get("/x")), functionWith("overview", chain([...single, many]))],
    authentication,
  );
}

const REFUSED = {
  ok: false,
  failure: { code: "CHAIN_REFUSED", reason: `a call leads to at most ${MAX_CALL_REQUESTS} requests` },
};

describe("the requests that a call may lead to", () => {
  test("include the redirects that are followed", async () => {
    upstream.answer = ({ path }) =>
      path === "/x" ? { status: 302, headers: { location: "/y" } } : { body: "well" };
    const skill = skillOf();
    const place = new Surroundings(skill, { baseUrl: upstream.origin });
    expect(await place.call(skill, "ask", {})).toMatchObject({ value: { data: "well" } });
    expect(upstream.arrivals).toHaveLength(2);
    upstream.arrivals.length = 0;
    expect(await place.call(skill, "overview", {})).toMatchObject(REFUSED);
    expect(upstream.arrivals.length).toBeLessThanOrEqual(MAX_CALL_REQUESTS);
  });

  test("include those for tokens, of which none is refused for one call's sake", async () => {
    upstream.answer = ({ path }) =>
      path === "/token" ? { body: { access_token: "token-1", expires_in: 0 } } : { body: "well" };
    const skill = skillOf([
      {
        method: "oauth2_client_credentials",
        tokenUrl: `${upstream.origin}/token`,
        clientId: "client",
        variable: "DEMO_SECRET",
        scopes: [],
        audience: null,
        secretIn: "header",
      },
    ]);
    const place = new Surroundings(skill, {
      baseUrl: upstream.origin,
      secrets: { DEMO_SECRET: "planted-7f3a" },
    });
    expect(await place.call(skill, "overview", {})).toMatchObject(REFUSED);
    const tokens = upstream.arrivals.filter(({ path }) => path === "/token");
    expect(tokens.length).toBeGreaterThan(MAX_CHAIN_CALLS - MAX_STEP_ELEMENTS);
    expect(upstream.arrivals.length).toBeLessThanOrEqual(MAX_CALL_REQUESTS + MAX_PARALLEL_REQUESTS);
  });
});
