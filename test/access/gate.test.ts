import { describe, expect, test, vi } from "vitest";
import { type GateOptions, identify } from "../../src/access/index.ts";

const KEY = "k-5e884898da28047151d0e56f8dc62927";
const LOCKED: GateOptions = { key: KEY, keyLimits: [], open: false };

async function outcome(authorization: string | null, options: GateOptions): Promise<string> {
  const caller = await identify(authorization, options);
  if (caller.ok) return `tenant ${caller.value.tenant}`;
  expect(caller.failure.code).toBe("UNAUTHENTICATED");
  return "message" in caller.failure ? caller.failure.message : "";
}

describe("the gate", () => {
  test.each([null, "", "Bearer ", `Bearer ${KEY}`, "Bearer null", "Bearer undefined"])(
    "is closed where no key is set, and says how to set one: %j",
    async (authorization) => {
      expect(await outcome(authorization, { key: null, keyLimits: [], open: false })).toContain(
        "wrangler secret put SKILLGATE_KEY",
      );
    },
  );

  test.each([null, "Bearer wrong", `Bearer ${KEY}`])(
    "asks for nothing where it is open: %j",
    async (authorization) => {
      expect(await outcome(authorization, { key: null, keyLimits: [], open: true })).toBe("tenant operator");
      expect(await outcome(authorization, { key: KEY, keyLimits: [], open: true })).toBe("tenant operator");
    },
  );

  test.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}  `])(
    "lets the key in: %j",
    async (authorization) => {
      expect(await outcome(authorization, LOCKED)).toBe("tenant operator");
    },
  );

  test.each([
    `Bearer ${KEY}x`,
    `Bearer ${KEY.slice(0, -1)}`,
    `Bearer ${KEY.toUpperCase()}`,
    "Bearer wrong",
    "Bearer 钥匙",
    `Bearer ${"x".repeat(100_000)}`,
  ])("keeps a wrong key out: %j", async (authorization) => {
    expect(await outcome(authorization, LOCKED)).toBe("The key is not valid.");
  });

  test.each([
    null,
    "",
    "Bearer",
    "Bearer ",
    KEY,
    `Basic ${KEY}`,
    `Token ${KEY}`,
    `Bearer${KEY}`,
    `Bearer ${KEY} ${KEY}`,
    ` Bearer ${KEY}`,
    `Basic x, Bearer ${KEY}`,
  ])("keeps out what carries no key: %j", async (authorization) => {
    expect(await outcome(authorization, LOCKED)).toBe("The request carries no key.");
  });

  test("says nothing of the key that would have been right", async () => {
    for (const given of [null, "Bearer wrong", `Bearer ${KEY.slice(0, 8)}`]) {
      expect(await outcome(given, LOCKED)).not.toContain(KEY.slice(0, 8));
    }
  });

  test("opens for a request whose key was being looked at for another one, which then died", async () => {
    const key = "k-of-a-request-that-died";
    const unending = () => new Promise<ArrayBuffer>(() => {});
    const digest = vi.spyOn(crypto.subtle, "digest").mockImplementation(unending);
    void identify(`Bearer ${key}`, { key, keyLimits: [], open: false });
    digest.mockRestore();
    expect(await outcome(`Bearer ${key}`, { key, keyLimits: [], open: false })).toBe("tenant operator");
  });

  test.each([LOCKED, { ...LOCKED, open: true }])(
    "gives whoever comes in the limits of the operator's key: %j",
    async (options) => {
      const keyLimits = [{ max: 60, window: "minute" }] as const;
      const caller = await identify(`Bearer ${KEY}`, { ...options, keyLimits });
      expect(caller).toMatchObject({ ok: true, value: { key: "operator", limits: keyLimits } });
    },
  );
});
