import { describe, expect, test } from "vitest";
import { OperatorSecrets, secretOf } from "../../src/access/index.ts";
import type { BundledUpstream } from "../../src/ir.ts";
import { compiled } from "../invoke/compiled.ts";

const upstreams: BundledUpstream[] = [
  { baseUrl: "https://api.test/v1", baseUrlVariable: "API_BASE_URL", secret: "API_KEY" },
  { baseUrl: "https://api.test:8443/v1", baseUrlVariable: null, secret: "API_KEY" },
  { baseUrl: "https://other.test", baseUrlVariable: null, secret: "OTHER_KEY" },
  { baseUrl: "https://open.test", baseUrlVariable: "OPEN_BASE_URL", secret: null },
];
const values: Record<string, string> = {
  API_KEY: "planted",
  OTHER_KEY: "planted-too",
  UNUSED_KEY: "planted",
};

function secrets(variables: Record<string, string> = {}, asked: string[] = []): OperatorSecrets {
  return new OperatorSecrets(
    upstreams,
    (variable) => variables[variable],
    (variable) => {
      asked.push(variable);
      return values[variable];
    },
  );
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
    const result = secrets({}, asked).secretFor("API_KEY", url);
    expect(result).toMatchObject({
      failure: { code: "EGRESS_DENIED", reason: "the secret API_KEY is not for this host" },
    });
    expect(asked).toEqual([]);
  });

  test.each(["UNUSED_KEY", "SKILLGATE_KEY", "PATH", "__proto__", "constructor", "toString"])(
    "that no bundled skill names is not looked up: %s",
    (variable) => {
      const asked: string[] = [];
      expect(secrets({}, asked).secretFor(variable, "https://api.test/")).toMatchObject({
        failure: { code: "EGRESS_DENIED" },
      });
      expect(asked).toEqual([]);
    },
  );

  test("goes where the operator's variable points, and no longer to the place before", () => {
    const moved = secrets({ API_BASE_URL: "http://127.0.0.1:9009/v1" });
    expect(moved.secretFor("API_KEY", "http://127.0.0.1:9009/v1/x")).toEqual({ ok: true, value: "planted" });
    expect(moved.refusal("API_KEY", "https://api.test/v1")).toContain("not for this host");
    expect(moved.refusal("API_KEY", "https://api.test:8443/v1")).toBeNull();
  });

  test("goes nowhere where the operator's variable is no URL", () => {
    const lost = secrets({ API_BASE_URL: "api.test/v1" });
    expect(lost.refusal("API_KEY", "https://api.test/v1")).toContain("not for this host");
    expect(lost.refusal("API_KEY", "api.test/v1")).toContain("not for this host");
    expect(lost.secretFor("API_KEY", "api.test/v1")).toMatchObject({
      failure: { host: "an unreadable URL" },
    });
  });

  test.each([undefined, ""])("that is not set is named, never sent empty: %j", (value) => {
    const unset = new OperatorSecrets(
      upstreams,
      () => undefined,
      () => value,
    );
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
