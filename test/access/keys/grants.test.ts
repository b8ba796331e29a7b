import { describe, expect, test } from "vitest";
import {
  type AskedGrant,
  type Caller,
  grantWithin,
  OPERATOR,
  rotationRefusal,
  tenantRefusal,
} from "../../../src/access/index.ts";

const ASKED: AskedGrant = { name: "agent", scopes: ["invoke"], skills: null, limits: [], expiresAt: null };

/** An administrator of a tenant, with bounds on what it may do. */
const ADMIN: Caller = {
  tenant: "acme",
  key: { id: "1", name: "admin" },
  scopes: ["admin", "invoke", "trade"],
  skills: ["weather", "quotes"],
  limits: [{ max: 60, window: "minute" }],
  expiresAt: 2_000,
  isOperator: false,
};

describe("what the operator's key gives", () => {
  test.each<[string, Partial<AskedGrant>]>([
    ["every scope", { scopes: ["*"] }],
    ["any permission", { scopes: ["trade"] }],
    ["some skills", { skills: ["weather"] }],
    ["limits", { limits: [{ max: 5, window: "day" }] }],
    ["an end", { expiresAt: 1_000 }],
  ])("is whatever is asked: %s", (_what, asked) => {
    expect(grantWithin(OPERATOR, { ...ASKED, ...asked })).toEqual({
      ok: true,
      value: { ...ASKED, ...asked },
    });
  });
});

describe("the limits of the operator's key", () => {
  const operator: Caller = { ...OPERATOR, limits: [{ max: 60, window: "minute" }] };

  test("are its own alone: it sets them itself, and gives keys with others or none", () => {
    for (const limits of [[], [{ max: 61, window: "minute" as const }]])
      expect(grantWithin(operator, { ...ASKED, limits })).toEqual({ ok: true, value: { ...ASKED, limits } });
  });

  test("keep it from no key that it hands out anew", () => {
    expect(rotationRefusal(operator, ASKED)).toBeNull();
  });
});

describe("what a tenant's key gives", () => {
  test("has its own bounds where none are named", () => {
    const { skills, limits, expiresAt } = ADMIN;
    expect(grantWithin(ADMIN, ASKED)).toEqual({ ok: true, value: { ...ASKED, skills, limits, expiresAt } });
  });

  test.each<[string, Partial<AskedGrant>]>([
    ["fewer skills", { skills: ["quotes"] }],
    ["a stricter limit", { limits: [{ max: 10, window: "minute" }] }],
    [
      "another limit beside a stricter one",
      {
        limits: [
          { max: 60, window: "minute" },
          { max: 5, window: "day" },
        ],
      },
    ],
    ["an earlier end", { expiresAt: 1_500 }],
    ["a permission of its own", { scopes: ["trade", "admin"] }],
  ])("may be less: %s", (_what, asked) => {
    expect(grantWithin(ADMIN, { ...ASKED, ...asked })).toMatchObject({ ok: true, value: asked });
  });

  test.each<[string, Partial<AskedGrant>, string]>([
    ["a scope", { scopes: ["invoke", "skills:write"] }, "the scope skills:write"],
    ["every scope", { scopes: ["*"] }, "the scope *"],
    ["a permission", { scopes: ["pay"] }, "the scope pay"],
    ["a skill", { skills: ["weather", "notes"] }, "the skill notes"],
    ["a wider limit", { limits: [{ max: 61, window: "minute" }] }, "more than 60 a minute"],
    ["a limit of another window alone", { limits: [{ max: 1, window: "day" }] }, "more than 60 a minute"],
    ["a later end", { expiresAt: 2_001 }, "an end after 1970"],
  ])("is never more than it has: %s", (_what, asked, reason) => {
    expect(grantWithin(ADMIN, { ...ASKED, ...asked })).toMatchObject({
      failure: { code: "FORBIDDEN", message: expect.stringContaining(reason) },
    });
  });
});

describe("an existing key", () => {
  const same = { name: "x", scopes: ["invoke"], skills: ["weather"], limits: ADMIN.limits, expiresAt: 1_000 };

  test("is handed out anew to who may do as much", () => {
    expect(rotationRefusal(ADMIN, same)).toBeNull();
    expect(
      rotationRefusal(OPERATOR, { ...same, scopes: ["*"], skills: null, limits: [], expiresAt: null }),
    ).toBeNull();
  });

  test.each([
    { scopes: ["*"] },
    { scopes: ["skills:write"] },
    { skills: null },
    { skills: ["notes"] },
    { limits: [] },
    { limits: [{ max: 600, window: "minute" as const }] },
    { expiresAt: null },
    { expiresAt: 3_000 },
  ])("is not handed to who may do less: %j", (more) => {
    expect(rotationRefusal(ADMIN, { ...same, ...more })).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("a tenant", () => {
  test.each<[Caller, string, boolean]>([
    [OPERATOR, "operator", true],
    [OPERATOR, "acme", true],
    [ADMIN, "acme", true],
    [ADMIN, "operator", false],
    [ADMIN, "acme-2", false],
    [{ ...ADMIN, tenant: "operator", scopes: ["*"] }, "acme", false],
  ])("is administered by its own keys and the operator's: %o, %s", (caller, tenant, may) => {
    expect(tenantRefusal(caller, tenant) === null).toBe(may);
  });
});
