import { describe, expect, test } from "vitest";
import { failed, type Result, success } from "../../../src/errors.ts";
import { type IssuedToken, TokenStore } from "../../../src/invoke/credential/token-store.ts";
import { MAX_TOKEN_LIFETIME_MS, TOKEN_REFUSAL_MS } from "../../../src/limits.ts";

/** Later than anything here. */
const DEADLINE = Number.MAX_SAFE_INTEGER;
const PLATFORM = { sleep: () => new Promise<void>(() => {}), waitUntil: () => {} };

/** A store with a clock of its own, and an endpoint that numbers its tokens. */
function surroundings(lifetimeMs: number) {
  let now = 0;
  let issued = 0;
  const store = new TokenStore(() => now, PLATFORM);
  const issue = async (): Promise<Result<IssuedToken>> => success({ token: `t${++issued}`, lifetimeMs });
  return {
    token: (refused: string | null = null, key = "key") => store.token(key, refused, DEADLINE, issue),
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
    expect(new Set(tokens.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify(success("t1"))]),
    );
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
    await store.token("key", null, DEADLINE, refuse);
    expect(await store.token("key", null, DEADLINE, refuse)).toMatchObject({ ok: false });
    expect(asked).toBe(1);
    now += TOKEN_REFUSAL_MS;
    await store.token("key", null, DEADLINE, refuse);
    expect(asked).toBe(2);
    const retry = async () =>
      failed({ code: "TOKEN_UNAVAILABLE", host: "id.test", upstream, retryAfterMs: null });
    await store.token("other", null, DEADLINE, retry);
    const issue = async () => success({ token: "t", lifetimeMs: 1_000 });
    expect(await store.token("other", null, DEADLINE, issue)).toEqual(success("t"));
  });
});

/** A store whose pauses end when a test says so, and whose endpoint answers when it says so. */
function slowSurroundings() {
  const ends: { at: number; end: () => void }[] = [];
  const background: Promise<unknown>[] = [];
  let now = 0;
  let asked = 0;
  const endpoint = Promise.withResolvers<Result<IssuedToken>>();
  const store = new TokenStore(() => now, {
    sleep: (milliseconds) => new Promise((end) => ends.push({ at: now + milliseconds, end })),
    waitUntil: (work) => background.push(work),
  });
  return {
    token: (deadline: number) =>
      store.token("key", null, deadline, () => {
        asked += 1;
        return endpoint.promise;
      }),
    advance: (milliseconds: number) => {
      now += milliseconds;
      for (const { at, end } of ends) if (at <= now) end();
    },
    issue: async () => {
      endpoint.resolve(success({ token: "t1", lifetimeMs: 3_600_000 }));
      await Promise.all(background);
    },
    asked: () => asked,
  };
}

describe("a call whose time is over", () => {
  test("has no token, be it bought for this call or for another, and the buying goes on for others", async () => {
    const { token, advance, issue, asked } = slowSurroundings();
    const [own, others, patient] = [token(3_000), token(2_000), token(9_000)];
    advance(2_000);
    expect(await others).toBeNull();
    advance(1_000);
    expect(await own).toBeNull();
    await issue();
    expect(await patient).toEqual(success("t1"));
    expect(asked()).toBe(1);
  });

  test("has left something for the next one, even where nobody else waited", async () => {
    const { token, advance, issue, asked } = slowSurroundings();
    const own = token(3_000);
    advance(3_000);
    expect(await own).toBeNull();
    await issue();
    expect(await token(9_000)).toEqual(success("t1"));
    expect(asked()).toBe(1);
  });

  test("asks for none", async () => {
    const { token, asked } = slowSurroundings();
    expect(await token(0)).toBeNull();
    expect(asked()).toBe(0);
  });
});
