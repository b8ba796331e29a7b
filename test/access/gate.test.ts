import { timingSafeEqual } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { Gate, type GateOptions, OPERATOR } from "../../src/access/index.ts";
import { failed, success } from "../../src/errors.ts";

const KEY = "k-5e884898da28047151d0e56f8dc62927";
const ISSUED = `sg_acme_0123456789abcdef_${"A".repeat(43)}`;
const UNKNOWN = `sg_acme_0123456789abcdef_${"B".repeat(43)}`;

const holder = {
  ...OPERATOR,
  tenant: "acme",
  key: { id: "0123456789abcdef", name: "agent" },
  isOperator: false,
};
const keys: GateOptions["keys"] = { identify: async ({ text }) => success(text === ISSUED ? holder : null) };

function gate(options: Partial<GateOptions> = {}): Gate {
  return new Gate({ operatorKey: KEY, operatorLimits: [], keys, open: false, timingSafeEqual, ...options });
}

async function outcome(authorization: string | null, options: Partial<GateOptions> = {}): Promise<string> {
  const caller = await gate(options).identify(authorization);
  if (caller.ok) return `tenant ${caller.value.tenant}`;
  return "message" in caller.failure ? caller.failure.message : caller.failure.code;
}

describe("the gate", () => {
  test.each([null, "", "Bearer ", `Bearer ${KEY}`, "Bearer null", "Bearer undefined", `Bearer ${UNKNOWN}`])(
    "is closed where no key is set, and says how to set one: %j",
    async (authorization) => {
      for (const options of [{ operatorKey: null }, { operatorKey: null, keys: null }])
        expect(await outcome(authorization, options)).toContain("wrangler secret put SKILLGATE_KEY");
    },
  );

  test.each([null, "Bearer wrong", `Bearer ${KEY}`, "Basic x"])(
    "asks for nothing where it is open: %j",
    async (authorization) => {
      expect(await outcome(authorization, { operatorKey: null, open: true })).toBe("tenant operator");
      expect(await outcome(authorization, { open: true })).toBe("tenant operator");
    },
  );

  test("holds who sends an issued key to it where it is open, so that one can be tried", async () => {
    for (const operatorKey of [null, KEY]) {
      expect(await outcome(`Bearer ${ISSUED}`, { operatorKey, open: true })).toBe("tenant acme");
      expect(await outcome(`Bearer ${UNKNOWN}`, { operatorKey, open: true })).toBe("The key is not valid.");
    }
  });

  test.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}  `])(
    "lets the operator's key in: %j",
    async (authorization) => {
      expect(await outcome(authorization)).toBe("tenant operator");
      expect(await outcome(authorization, { keys: null })).toBe("tenant operator");
    },
  );

  test("lets an issued key in, also once the operator's is taken away", async () => {
    for (const operatorKey of [KEY, null])
      expect(await gate({ operatorKey }).identify(`Bearer ${ISSUED}`)).toEqual(success(holder));
  });

  test("lets an operator's key in that looks like an issued one, whatever the store says", async () => {
    const identify = async () => failed({ code: "STORE_UNAVAILABLE", operation: "read the key" });
    expect(await outcome(`Bearer ${ISSUED}`, { operatorKey: ISSUED, keys: { identify } })).toBe(
      "tenant operator",
    );
  });

  test("neither lets in nor sends away whom it cannot find out about", async () => {
    const identify = async () => failed({ code: "STORE_UNAVAILABLE", operation: "read the key" });
    expect(await outcome(`Bearer ${ISSUED}`, { keys: { identify } })).toBe("STORE_UNAVAILABLE");
  });

  test.each([
    `Bearer ${KEY}x`,
    `Bearer ${KEY.slice(0, -1)}`,
    `Bearer ${KEY.toUpperCase()}`,
    "Bearer wrong",
    "Bearer 钥匙",
    `Bearer ${"x".repeat(100_000)}`,
    `Bearer ${UNKNOWN}`,
    `Bearer ${ISSUED}x`,
    `Bearer ${ISSUED.slice(0, -1)}`,
    `Bearer ${ISSUED.replace("acme", "Acme")}`,
    `Bearer ${ISSUED.replace("acme", "acme:x")}`,
    `Bearer ${ISSUED.replace("acme", "__proto__")}`,
  ])("keeps a wrong key out: %j", async (authorization) => {
    expect(await outcome(authorization)).toBe("The key is not valid.");
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
    expect(await outcome(authorization)).toBe("The request carries no key.");
  });

  test("says nothing of the key that would have been right", async () => {
    for (const given of [null, "Bearer wrong", `Bearer ${KEY.slice(0, 8)}`]) {
      expect(await outcome(given)).not.toContain(KEY.slice(0, 8));
    }
  });

  test("compares digests of one length, to the end, whatever was sent", async () => {
    const compared: [number, number][] = [];
    const watched: GateOptions["timingSafeEqual"] = (left, right) => {
      compared.push([left.length, right.length]);
      return timingSafeEqual(left, right);
    };
    for (const given of ["x", KEY, "钥匙", "x".repeat(1_000)])
      await gate({ timingSafeEqual: watched }).identify(`Bearer ${given}`);
    expect(compared).toEqual(Array.from({ length: 4 }, () => [64, 64]));
  });

  test("opens for a request whose key was being looked at for another one, which then died", async () => {
    const shared = gate();
    const unending = () => new Promise<ArrayBuffer>(() => {});
    const digest = vi.spyOn(crypto.subtle, "digest").mockImplementation(unending);
    void shared.identify(`Bearer ${KEY}`);
    digest.mockRestore();
    expect(await shared.identify(`Bearer ${KEY}`)).toEqual(success(OPERATOR));
  });

  test.each([false, true])("gives its holder the limits of the operator's key; open: %s", async (open) => {
    const operatorLimits = [{ max: 60, window: "minute" }] as const;
    const caller = await gate({ operatorLimits, open }).identify(`Bearer ${KEY}`);
    expect(caller).toEqual(success({ ...OPERATOR, limits: operatorLimits }));
  });
});
