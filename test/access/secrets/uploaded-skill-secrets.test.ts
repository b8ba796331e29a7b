import { describe, expect, test } from "vitest";
import {
  type Caller,
  OPERATOR,
  OperatorSecrets,
  UploadedSkillSecrets,
  viewOf,
} from "../../../src/access/index.ts";
import { failed, success } from "../../../src/errors.ts";

const QUOTES = {
  skill: "quotes",
  permissions: ["trade", "read"],
  limits: [{ max: 60, window: "minute" as const }],
};

/** The operator's API_KEY for one host, and CLIENT_SECRET, which buys tokens. */
const operator = new OperatorSecrets(
  [
    { ...QUOTES, url: "https://api.test/v1", secrets: [{ variable: "API_KEY", tokenUrl: null }] },
    {
      ...QUOTES,
      url: "https://bank.test/v1",
      secrets: [{ variable: "CLIENT_SECRET", tokenUrl: "https://id.test/token" }],
    },
  ],
  (variable) => `operators-${variable}`,
);

const EVERYBODY: Caller = { ...OPERATOR, tenant: "acme", isOperator: false };

function secrets(own: Record<string, string[]> = {}, caller: Caller = EVERYBODY): UploadedSkillSecrets {
  const opened = Object.entries(own).map(
    ([name, hosts]) => [name, { hosts: new Set(hosts), value: success(`tenants-${name}`) }] as const,
  );
  return new UploadedSkillSecrets("acme", new Map(opened), operator, viewOf(caller));
}

const denied = { failure: { code: "EGRESS_DENIED" } };

describe("a skill that a tenant uploaded", () => {
  test("uses the tenant's secret before the operator's of the same name", () => {
    const both = secrets({ API_KEY: ["mine.test"] });
    expect(both.secretFor("API_KEY", "https://mine.test/x")).toEqual(success("tenants-API_KEY"));
    expect([both.holderOf("API_KEY"), both.holderOf("CLIENT_SECRET")]).toEqual(["acme", null]);
  });

  test("never sends the operator's where the tenant's is bound, nor the tenant's where the operator's is", () => {
    const both = secrets({ API_KEY: ["mine.test"] });
    expect(both.secretFor("API_KEY", "https://api.test/v1")).toMatchObject(denied);
    expect(both.refusal("API_KEY", "https://api.test/v1")).toBe("the secret API_KEY is bound to mine.test");
  });

  test("uses the operator's where the tenant has none, for the operator's hosts alone", () => {
    expect(secrets().secretFor("API_KEY", "https://api.test/v1/x")).toEqual(success("operators-API_KEY"));
    expect(secrets().secretFor("API_KEY", "https://mine.test/")).toMatchObject(denied);
    expect(secrets({ OTHER: ["mine.test"] }).secretFor("API_KEY", "https://mine.test/")).toMatchObject(
      denied,
    );
  });

  test.each([
    "https://x.mine.test/",
    "https://mine.test.evil.test/",
    "https://evil.test/mine.test",
    "https://mine.test@evil.test/",
    "https://mine.test:8443/",
    "https://mine.test./",
    "https://mіne.test/",
    "not a URL",
    "",
  ])("sends the tenant's secret to no host that it is not bound to: %s", (url) => {
    const own = secrets({ API_KEY: ["mine.test"] });
    expect(own.secretFor("API_KEY", url)).toMatchObject(denied);
    expect(own.tokenRefusal("API_KEY", url)).not.toBeNull();
  });

  test.each(["__proto__", "constructor", "toString", "SKILLGATE_KEY", "SECRETS_KEY"])(
    "has no secret that nobody set: %s",
    (variable) => {
      expect(secrets({ API_KEY: ["mine.test"] }).secretFor(variable, "https://mine.test/")).toMatchObject(
        denied,
      );
    },
  );

  test("says how to set one where there is none for the host", () => {
    expect(secrets().refusal("API_KEY", "https://mine.test/")).toContain("PUT /v1/secrets/API_KEY");
  });

  test("passes on that a secret cannot be opened", () => {
    const failure = failed({
      code: "SECRET_UNUSABLE",
      variable: "API_KEY",
      reason: "changed",
    });
    const own = new Map([["API_KEY", { hosts: new Set(["mine.test"]), value: failure }]]);
    const broken = new UploadedSkillSecrets("acme", own, operator, viewOf(EVERYBODY));
    expect(broken.secretFor("API_KEY", "https://mine.test/")).toEqual(failure);
    expect(broken.secretFor("API_KEY", "https://api.test/")).toMatchObject(denied);
  });
});

describe("a token that a secret buys", () => {
  test("of the operator's never goes to a host of the tenant's secret of that name", () => {
    const own = secrets({ CLIENT_SECRET: ["evil.test"] });
    expect(own.secretFor("CLIENT_SECRET", "https://id.test/token")).toMatchObject(denied);
    expect(secrets().tokenRefusal("CLIENT_SECRET", "https://evil.test/")).not.toBeNull();
    expect(secrets().tokenRefusal("CLIENT_SECRET", "https://bank.test/v1/x")).toBeNull();
  });

  test("of the tenant's goes to the hosts that the secret is bound to", () => {
    const own = secrets({ CLIENT_SECRET: ["login.test", "data.test"] });
    expect(own.secretFor("CLIENT_SECRET", "https://login.test/token")).toMatchObject({ ok: true });
    expect(own.tokenRefusal("CLIENT_SECRET", "https://data.test/")).toBeNull();
    expect(own.tokenRefusal("CLIENT_SECRET", "https://bank.test/v1")).toContain(
      "bound to login.test, data.test",
    );
  });
});

describe("the limits of a secret", () => {
  test("are the operator's on its own alone", () => {
    expect(secrets().limitsOfSecret("API_KEY", "https://api.test/")).toEqual(QUOTES.limits);
    expect(secrets({ API_KEY: ["api.test"] }).limitsOfSecret("API_KEY", "https://api.test/")).toEqual([]);
  });
});

describe("an upload as the way round a permission", () => {
  const holding = (more: Partial<Caller>): Caller => ({
    ...EVERYBODY,
    scopes: ["invoke", "skills:write"],
    ...more,
  });

  test.each<[string, Caller]>([
    ["lacks the permissions", holding({})],
    ["has some of them", holding({ scopes: ["invoke", "trade"] })],
    ["may not see the skill", holding({ scopes: ["*"], skills: ["mine"] })],
  ])("does not lead to the operator's secret for a key that %s", (_what, caller) => {
    expect(secrets({}, caller).secretFor("API_KEY", "https://api.test/")).toMatchObject({
      failure: {
        code: "EGRESS_DENIED",
        reason: "the secret API_KEY is for skills that this key may not use",
      },
    });
    expect(
      secrets({ API_KEY: ["mine.test"] }, caller).secretFor("API_KEY", "https://mine.test/"),
    ).toMatchObject({ ok: true });
  });

  test.each([holding({ scopes: ["trade", "read"] }), holding({ scopes: ["*"], skills: ["quotes"] })])(
    "is none for a key that may use all of the skill: %o",
    (caller) => {
      expect(secrets({}, caller).secretFor("API_KEY", "https://api.test/")).toMatchObject({ ok: true });
    },
  );
});
