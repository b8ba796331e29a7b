import { describe, expect, test } from "vitest";
import { OperatorSecrets, placeRefusal, type SecretPlace, secretsOf } from "../../../src/access/index.ts";
import type { SecretUse } from "../../../src/ir.ts";
import type { JsonValue } from "../../../src/json.ts";
import { compiled } from "../../invoke/compiled.ts";

const DEMO = { skill: "demo", permissions: ["trade"] };
const OTHER = { skill: "other", permissions: [] };

/** A secret that goes to the upstream itself, or to where it buys tokens. */
function use(variable: string, tokenUrl: string | null = null): SecretUse {
  return { variable, tokenUrl };
}

/** Where bundled skills call; one of them can be pointed elsewhere. */
function placesWith(url: string): SecretPlace[] {
  return [
    { ...DEMO, url, secrets: [use("API_KEY")], limits: [{ max: 60, window: "minute" }] },
    {
      ...DEMO,
      url: "https://api.test:8443/v1",
      secrets: [use("API_KEY")],
      limits: [{ max: 5_000, window: "day" }],
    },
    { ...OTHER, url: "https://other.test", secrets: [use("OTHER_KEY")], limits: [] },
    { ...OTHER, url: "https://open.test", secrets: [], limits: [] },
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
      failure: { code: "SECRET_NOT_SET", variables: ["API_KEY"] },
    });
  });
});

const HEADER = { method: "api_key", header: "X-Key", env_variable: "DEMO_KEY" };
const BEARER = { method: "bearer", env_variable: "DEMO_TOKEN" };
const OAUTH = {
  method: "oauth2_client_credentials",
  token_url: "https://id.test/token",
  client_id: "client",
  env_variable: "CLIENT_SECRET",
};

describe("the secrets that a skill needs", () => {
  test.each<[JsonValue, SecretUse[]]>([
    [{ method: "none" }, []],
    [{ method: "bearer", env_variable: "DEMO_KEY" }, [use("DEMO_KEY")]],
    [HEADER, [use("DEMO_KEY")]],
    [{ method: "api_key", query: "key", env_variable: "DEMO_KEY" }, [use("DEMO_KEY")]],
    [OAUTH, [use("CLIENT_SECRET", "https://id.test/token")]],
    [
      [BEARER, HEADER],
      [use("DEMO_KEY"), use("DEMO_TOKEN")],
    ],
    [
      [OAUTH, HEADER],
      [use("DEMO_KEY"), use("CLIENT_SECRET", "https://id.test/token")],
    ],
  ])("of %j are %j", (authentication, secrets) => {
    expect(secretsOf(compiled({ constraints: { authentication } }))).toEqual(secrets);
  });
});

describe("several secrets of one skill", () => {
  const limits = [{ max: 60, window: "minute" as const }];
  const url = "https://api.test/v1";
  const tokenUrl = "https://id.test/token";
  const operator = new OperatorSecrets(
    [
      { ...DEMO, url, secrets: [use("DEMO_KEY"), use("CLIENT_SECRET", tokenUrl)], limits },
      { ...OTHER, url: "https://other.test", secrets: [use("DEMO_KEY")], limits: [] },
    ],
    (variable) => `value of ${variable}`,
  );

  test.each<[string, string, boolean]>([
    ["DEMO_KEY", url, true],
    ["DEMO_KEY", tokenUrl, false],
    ["DEMO_KEY", "https://other.test", true],
    ["CLIENT_SECRET", url, false],
    ["CLIENT_SECRET", tokenUrl, true],
    ["CLIENT_SECRET", "https://other.test", false],
  ])("go each to its own hosts: %s to %s is %s", (variable, host, goes) => {
    expect(operator.refusal(variable, host) === null).toBe(goes);
    expect(operator.secretFor(variable, host).ok).toBe(goes);
  });

  test("have each the limits of the skill at its host", () => {
    expect(operator.limitsOfSecret("DEMO_KEY", url)).toEqual(limits);
    expect(operator.limitsOfSecret("CLIENT_SECRET", url)).toEqual(limits);
    expect(operator.limitsOfSecret("DEMO_KEY", "https://other.test")).toEqual([]);
  });

  test("count its limits once where a secret stands in two places", () => {
    const twice = new OperatorSecrets(
      [{ ...DEMO, url, secrets: [use("K"), use("K", tokenUrl)], limits }],
      () => "v",
    );
    expect(twice.limitsOfSecret("K", url)).toEqual(limits);
  });

  test.each<[string, SecretUse[], string, string | null]>([
    ["all that the operator's skill sends", [use("DEMO_KEY"), use("CLIENT_SECRET", tokenUrl)], url, null],
    ["one of them", [use("DEMO_KEY")], url, null],
    ["none", [], "https://evil.test", null],
    [
      "one for its host beside one that is not",
      [use("DEMO_KEY"), use("CLIENT_SECRET")],
      url,
      `${url}: the secret CLIENT_SECRET is not for this host`,
    ],
    [
      "tokens for another host",
      [use("DEMO_KEY"), use("CLIENT_SECRET", tokenUrl)],
      "https://other.test",
      "https://other.test: a token for the secret CLIENT_SECRET is not for this host",
    ],
    [
      "a secret for another token endpoint",
      [use("CLIENT_SECRET", "https://id.evil.test/token")],
      url,
      "https://id.evil.test/token: the secret CLIENT_SECRET is not for this host",
    ],
  ])("are refused to a skill where one of them is not for its host: %s", (_what, needed, host, refusal) => {
    expect(placeRefusal({ secrets: needed, url: host }, operator)).toBe(refusal);
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
    expect(secrets().limitsOfSecret(variable, url)).toEqual(limits);
  });
});

describe("a secret that buys tokens", () => {
  const operator = new OperatorSecrets(
    [
      {
        ...DEMO,
        url: "https://api.test/v1",
        secrets: [use("CLIENT_SECRET", "https://id.test/token")],
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
    expect(operator.limitsOfSecret("CLIENT_SECRET", "https://api.test/v1")).toEqual([
      { max: 9, window: "day" },
    ]);
  });

  test("buys no token for a secret that goes to the upstream itself", () => {
    expect(secrets().tokenRefusal("API_KEY", API)).toMatch(/not for this host/);
  });
});
