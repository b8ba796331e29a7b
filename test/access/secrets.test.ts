import { describe, expect, test } from "vitest";
import { OperatorSecrets, type SecretPlace, secretOf } from "../../src/access/index.ts";
import { compiled } from "../invoke/compiled.ts";

/** Where bundled skills call; one of them can be pointed elsewhere. */
function placesWith(url: string): SecretPlace[] {
  return [
    { url, secret: "API_KEY", tokenUrl: null, limits: [{ max: 60, window: "minute" }] },
    {
      url: "https://api.test:8443/v1",
      secret: "API_KEY",
      tokenUrl: null,
      limits: [{ max: 5_000, window: "day" }],
    },
    { url: "https://other.test", secret: "OTHER_KEY", tokenUrl: null, limits: [] },
    { url: "https://open.test", secret: null, tokenUrl: null, limits: [] },
  ];
}

const API = "https://api.test/v1";

const values: Record<string, string> = {
  API_KEY: "planted",
  OTHER_KEY: "planted-too",
  UNUSED_KEY: "planted",
};

function secrets(url = API, asked: string[] = []): OperatorSecrets {
  return new OperatorSecrets(placesWith(url), (variable) => {
    asked.push(variable);
    return values[variable];
  });
}

describe("a secret of the operator", () => {
  test.each([
    ["API_KEY", "https://api.test/v1/quotes?a=1"],
    ["API_KEY", "https://api.test:443/elsewhere"],
    ["API_KEY", "https://API.test/"],
    ["API_KEY", "https://api.test:8443/"],
    ["OTHER_KEY", "https://other.test/"],
  ])("%s goes to %s, where a bundled skill calls with it", (variable, url) => {
    expect(secrets().secretFor(variable, url)).toEqual({ ok: true, value: values[variable] });
  });

  test.each([
    ["another skill's host", "https://other.test/"],
    ["a host that is called without a secret", "https://open.test/"],
    ["another port", "https://api.test:8444/"],
    ["a subdomain", "https://x.api.test/"],
    ["the parent domain", "https://test/"],
    ["a longer name", "https://api.test.evil.test/"],
    ["a name before it", "https://evil-api.test/"],
    ["the host as a user name", "https://api.test@evil.test/"],
    ["the host as a path", "https://evil.test/api.test"],
    ["a look-alike letter", "https://аpi.test/"],
    ["a final dot", "https://api.test./"],
    ["an address", "https://127.0.0.1/"],
    ["no URL at all", "not a URL"],
    ["an empty text", ""],
  ])("does not go to %s: %s", (_what, url) => {
    const asked: string[] = [];
    const result = secrets(API, asked).secretFor("API_KEY", url);
    expect(result).toMatchObject({
      failure: { code: "EGRESS_DENIED", reason: "the secret API_KEY is not for this host" },
    });
    expect(asked).toEqual([]);
  });

  test.each(["UNUSED_KEY", "SKILLGATE_KEY", "PATH", "__proto__", "constructor", "toString"])(
    "that no bundled skill names is not looked up: %s",
    (variable) => {
      const asked: string[] = [];
      expect(secrets(API, asked).secretFor(variable, "https://api.test/")).toMatchObject({
        failure: { code: "EGRESS_DENIED" },
      });
      expect(asked).toEqual([]);
    },
  );

  test("goes where the operator has pointed the skill, and no longer to the place before", () => {
    const moved = secrets("http://127.0.0.1:9009/v1");
    expect(moved.secretFor("API_KEY", "http://127.0.0.1:9009/v1/x")).toEqual({ ok: true, value: "planted" });
    expect(moved.refusal("API_KEY", "https://api.test/v1")).toContain("not for this host");
    expect(moved.refusal("API_KEY", "https://api.test:8443/v1")).toBeNull();
  });

  test("goes nowhere where the operator has pointed the skill to no URL", () => {
    const lost = secrets("api.test/v1");
    expect(lost.refusal("API_KEY", "https://api.test/v1")).toContain("not for this host");
    expect(lost.refusal("API_KEY", "api.test/v1")).toContain("not for this host");
    expect(lost.secretFor("API_KEY", "api.test/v1")).toMatchObject({
      failure: { host: "an unreadable URL" },
    });
  });

  test.each([undefined, ""])("that is not set is named, never sent empty: %j", (value) => {
    const unset = new OperatorSecrets(placesWith(API), () => value);
    expect(unset.secretFor("API_KEY", "https://api.test/")).toEqual({
      ok: false,
      failure: { code: "SECRET_NOT_SET", variable: "API_KEY" },
    });
  });
});

describe("the secret that a skill needs", () => {
  test.each([
    [{ method: "none" }, null],
    [{ method: "bearer", env_variable: "DEMO_KEY" }, "DEMO_KEY"],
    [{ method: "api_key", header: "X-Key", env_variable: "DEMO_KEY" }, "DEMO_KEY"],
    [{ method: "api_key", query: "key", env_variable: "DEMO_KEY" }, "DEMO_KEY"],
  ])("of %j is %j", (authentication, secret) => {
    expect(secretOf(compiled({ constraints: { authentication } }))).toBe(secret);
  });
});

describe("the limits of a secret", () => {
  test.each([
    ["API_KEY", "https://api.test/v1/quotes", [{ max: 60, window: "minute" }]],
    ["API_KEY", "https://api.test:8443/v1/quotes", [{ max: 5_000, window: "day" }]],
    ["API_KEY", "https://other.test", []],
    ["OTHER_KEY", "https://other.test", []],
    ["NO_SUCH_KEY", "https://api.test/v1", []],
    ["__proto__", "https://api.test/v1", []],
  ])("are those of the bundled skills that use it at the host: %s, %s", (variable, url, limits) => {
    expect(secrets().limitsOf(variable, url)).toEqual(limits);
  });
});

describe("a secret that buys tokens", () => {
  const operator = new OperatorSecrets(
    [
      {
        url: "https://api.test/v1",
        secret: "CLIENT_SECRET",
        tokenUrl: "https://id.test/token",
        limits: [{ max: 9, window: "day" }],
      },
    ],
    () => "planted",
  );

  test("goes to the token endpoint's host, and the token to the upstream's", () => {
    expect(operator.secretFor("CLIENT_SECRET", "https://id.test/token")).toEqual({
      ok: true,
      value: "planted",
    });
    expect(operator.tokenRefusal("CLIENT_SECRET", "https://api.test/v1/x")).toBeNull();
  });

  test("never goes where the token goes, nor the token where it goes", () => {
    expect(operator.secretFor("CLIENT_SECRET", "https://api.test/v1")).toMatchObject({
      failure: { code: "EGRESS_DENIED" },
    });
    expect(operator.tokenRefusal("CLIENT_SECRET", "https://id.test/token")).toMatch(/not for this host/);
    expect(operator.tokenRefusal("CLIENT_SECRET", "https://evil.test/")).toMatch(/not for this host/);
    expect(operator.tokenRefusal("OTHER_KEY", "https://api.test/v1")).toMatch(/not for this host/);
  });

  test("has its limits where the token goes", () => {
    expect(operator.limitsOf("CLIENT_SECRET", "https://api.test/v1")).toEqual([{ max: 9, window: "day" }]);
  });

  test("buys no token for a secret that goes to the upstream itself", () => {
    expect(secrets().tokenRefusal("API_KEY", API)).toMatch(/not for this host/);
  });
});
