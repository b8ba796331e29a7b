import { describe, expect, test } from "vitest";
import { failed, type Result, success } from "../../../src/errors.ts";
import { type IssuedToken, TokenStore } from "../../../src/invoke/credential/token-store.ts";
import { MAX_TOKEN_LIFETIME_MS, TOKEN_REFUSAL_MS } from "../../../src/limits.ts";

const PLATFORM = { sleep: () => new Promise<void>(() => {}), waitUntil: () => {} };

/** A store with a clock of its own, and an endpoint that numbers its tokens. */
function surroundings(lifetimeMs: number) {
  let now = 0;
  let issued = 0;
  const store = new TokenStore(() => now, PLATFORM);
  const issue = async (): Promise<Result<IssuedToken>> => success({ token: `t${++issued}`, lifetimeMs });
  return {
    token: (refused: string | null = null, key = "key") => store.token(key, refused, issue),
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe("a token", () => {
  test.each([
    ["an hour", 3_600_000, 3_540_000],
    ["a minute", 60_000, 54_000],
    ["longer than a day", 10 * MAX_TOKEN_LIFETIME_MS, MAX_TOKEN_LIFETIME_MS - 60_000],
  ])("of %s is used until shortly before its end", async (_what, lifetimeMs, usedMs) => {
    const { token, advance } = surroundings(lifetimeMs);
    expect(await token()).toEqual(success("t1"));
    advance(usedMs - 1);
    expect(await token()).toEqual(success("t1"));
    advance(1);
    expect(await token()).toEqual(success("t2"));
  });

  test("is another one for another key", async () => {
    const { token } = surroundings(3_600_000);
    expect([await token(), await token(null, "other"), await token()]).toEqual([
      success("t1"),
      success("t2"),
      success("t1"),
    ]);
  });

  test("is asked for once by all who need it at the same time", async () => {
    const { token } = surroundings(3_600_000);
    const tokens = await Promise.all(Array.from({ length: 50 }, () => token()));
    expect(new Set(tokens.map((result) => result.ok && result.value))).toEqual(new Set(["t1"]));
  });

  test("that was refused is given no more, and its successor is for all who were refused", async () => {
    const { token } = surroundings(3_600_000);
    await token();
    expect([await token("t1"), await token("t1"), await token()]).toEqual([
      success("t2"),
      success("t2"),
      success("t2"),
    ]);
  });

  test("that the endpoint refuses is not asked for again at once, one that it cannot give now is", async () => {
    let now = 0;
    let asked = 0;
    const upstream = { status: 401, code: null, message: null };
    const store = new TokenStore(() => now, PLATFORM);
    const refuse = async () => {
      asked += 1;
      return failed({ code: "TOKEN_REFUSED", host: "id.test", variable: "V", upstream });
    };
    await store.token("key", null, refuse);
    expect((await store.token("key", null, refuse)).ok).toBe(false);
    expect(asked).toBe(1);
    now += TOKEN_REFUSAL_MS;
    await store.token("key", null, refuse);
    expect(asked).toBe(2);
    const retry = async () =>
      failed({ code: "TOKEN_UNAVAILABLE", host: "id.test", upstream, retryAfterMs: null });
    await store.token("other", null, retry);
    expect(await store.token("other", null, async () => success({ token: "t", lifetimeMs: 1_000 }))).toEqual(
      success("t"),
    );
  });
});
