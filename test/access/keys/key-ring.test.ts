import { timingSafeEqual } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Grant, type KeyRecord, KeyRing, OPERATOR } from "../../../src/access/index.ts";
import { readKey } from "../../../src/access/keys/key-text.ts";
import type { Result } from "../../../src/errors.ts";
import { MAX_KEYS_PER_TENANT, MAX_UNKNOWN_KEY_READS, STALE_RECORD_MS } from "../../../src/limits.ts";
import { StoredRecords } from "../stored-records.ts";

const FRESH_MS = 5_000;
const GRANT: Grant = {
  name: "agent",
  scopes: ["invoke"],
  skills: ["weather"],
  limits: [{ max: 60, window: "minute" }],
  expiresAt: null,
};

/** Isolates over one store and one clock. */
function setting() {
  const records = new StoredRecords();
  const clock = { now: Date.UTC(2026, 1, 28) };
  const reported: string[] = [];
  const isolate = () =>
    new KeyRing({
      records,
      freshnessMs: FRESH_MS,
      now: () => clock.now,
      sleep: () => new Promise(() => undefined),
      report: (operation) => reported.push(operation),
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      timingSafeEqual,
    });
  return { records, clock, reported, isolate };
}

function unwrapped<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.failure));
}

/** Who a key makes its holder in an isolate: the key's id, null for nobody, or the code of the failure. */
async function holder(ring: KeyRing, text: string): Promise<string | null> {
  const key = readKey(text);
  if (key === null) throw new Error(`no key: ${text}`);
  const found = await ring.identify(key);
  return found.ok ? (found.value?.key?.id ?? null) : found.failure.code;
}

function rotate(ring: KeyRing, { tenant, id }: KeyRecord, overlapMs: number | null) {
  return ring.rotate(tenant, id, { overlapMs, refusalOf: () => null });
}

const guess = (index: number) => `sg_acme_${index.toString(16).padStart(16, "0")}_${"x".repeat(43)}`;

describe("a key that was issued", () => {
  test("makes its holder a caller with all that it was given, in every isolate", async () => {
    const { isolate } = setting();
    const [one, two] = [isolate(), isolate()];
    const { text, record } = unwrapped(await one.issue("acme", GRANT, OPERATOR));
    for (const ring of [one, two]) {
      const key = readKey(text);
      expect(key && unwrapped(await ring.identify(key))).toEqual({
        tenant: "acme",
        key: { id: record.id, name: "agent" },
        scopes: ["invoke"],
        skills: ["weather"],
        limits: [{ max: 60, window: "minute" }],
        expiresAt: null,
        isOperator: false,
      });
    }
  });

  test("is stored by its hash alone", async () => {
    const { records, isolate } = setting();
    const { text, record } = unwrapped(await isolate().issue("acme", GRANT, OPERATOR));
    const [stored = ""] = records.texts.values();
    const secret = text.slice(-43);
    expect(stored).not.toContain(secret);
    expect(JSON.parse(stored)).toMatchObject({
      id: record.id,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect([...records.texts.keys()]).toEqual([`acme:${record.id}`]);
  });

  test("is read once a window, however often it is sent", async () => {
    const { records, clock, isolate } = setting();
    const { text } = unwrapped(await isolate().issue("acme", GRANT, OPERATOR));
    const ring = isolate();
    records.take();
    for (let window = 0; window < 3; window++) {
      for (let request = 0; request < 10; request++) await holder(ring, text);
      expect(records.take()).toHaveLength(1);
      clock.now += FRESH_MS;
    }
  });

  test("makes the same caller object while its record is fresh, so that what is made of it can be kept", async () => {
    const { isolate } = setting();
    const ring = isolate();
    const { text } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const key = readKey(text);
    if (key === null) throw new Error("no key");
    expect(unwrapped(await ring.identify(key))).toBe(unwrapped(await ring.identify(key)));
  });

  test.each<[string, (text: string) => string]>([
    ["its last letter", (text) => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A")],
    ["its secret", (text) => `${text.slice(0, -43)}${"x".repeat(43)}`],
    ["its tenant", (text) => text.replace("_acme_", "_other_")],
    ["its id", (text) => text.replace(/_[0-9a-f]{16}_/, `_${"0".repeat(16)}_`)],
  ])("is another one with a change of %s", async (_what, change) => {
    const { isolate } = setting();
    const ring = isolate();
    const { text } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    expect(await holder(ring, change(text))).toBeNull();
    expect(await holder(isolate(), change(text))).toBeNull();
  });

  test("ends when it was to end", async () => {
    const { clock, isolate } = setting();
    const ring = isolate();
    const expiresAt = clock.now + 1_000;
    const { text } = unwrapped(await ring.issue("acme", { ...GRANT, expiresAt }, OPERATOR));
    clock.now += 999;
    expect(await holder(ring, text)).not.toBeNull();
    clock.now += 1;
    for (const other of [ring, isolate()]) expect(await holder(other, text)).toBeNull();
  });

  test("is one of so many that a tenant may have", async () => {
    const { isolate } = setting();
    const ring = isolate();
    for (let count = 0; count < MAX_KEYS_PER_TENANT; count++)
      unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    expect(await ring.issue("acme", GRANT, OPERATOR)).toMatchObject({ failure: { code: "FORBIDDEN" } });
    expect(await ring.issue("other", GRANT, OPERATOR)).toMatchObject({ ok: true });
  });
});

describe("a key that was revoked", () => {
  test("is dead at once where that was done, and within the window elsewhere", async () => {
    const { clock, isolate } = setting();
    const [one, two] = [isolate(), isolate()];
    const { text, record } = unwrapped(await one.issue("acme", GRANT, OPERATOR));
    expect(await holder(two, text)).toBe(record.id);
    unwrapped(await one.revoke("acme", record.id));
    expect(await holder(one, text)).toBeNull();
    expect(await holder(two, text)).toBe(record.id);
    clock.now += FRESH_MS;
    expect(await holder(two, text)).toBeNull();
  });

  test("stays dead where that was done, though the store shows it for a while", async () => {
    const { records, clock, isolate } = setting();
    const ring = isolate();
    const { text, record } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const before = new Map(records.texts);
    unwrapped(await ring.revoke("acme", record.id));
    for (const [key, value] of before) records.texts.set(key, value);
    clock.now += 59_999;
    expect(await holder(ring, text)).toBeNull();
    expect(unwrapped(await ring.list("acme"))).toEqual([]);
    expect(await ring.show("acme", record.id)).toMatchObject({ failure: { code: "UNKNOWN_KEY" } });
  });

  test("is a tenant's own: another tenant has none of that id", async () => {
    const { isolate } = setting();
    const ring = isolate();
    const { text, record } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const mine = unwrapped(await ring.issue("other", GRANT, OPERATOR));
    expect(await ring.revoke("other", record.id)).toEqual({
      ok: false,
      failure: { code: "UNKNOWN_KEY", key: record.id, known: [mine.record.id] },
    });
    expect(await holder(ring, text)).toBe(record.id);
  });

  test.each(["", "0", "../acme", "0123456789abcdef:x", "__proto__"])(
    "is none where the id is %j",
    async (id) => {
      const { records, isolate } = setting();
      const ring = isolate();
      expect(await ring.revoke("acme", id)).toMatchObject({ failure: { code: "UNKNOWN_KEY", known: [] } });
      expect(records.take()).toEqual(["list acme"]);
    },
  );
});

describe("a key that was rotated", () => {
  test("gives way to another of the same id and rights, at once", async () => {
    const { clock, isolate } = setting();
    const [one, two] = [isolate(), isolate()];
    const former = unwrapped(await one.issue("acme", GRANT, OPERATOR));
    expect(await holder(two, former.text)).toBe(former.record.id);
    const next = unwrapped(await rotate(one, former.record, 0));
    expect(next.text).not.toBe(former.text);
    expect(next.record).toMatchObject({ ...GRANT, id: former.record.id });
    expect(await holder(one, next.text)).toBe(former.record.id);
    expect(await holder(one, former.text)).toBeNull();
    clock.now += FRESH_MS;
    expect(await holder(two, next.text)).toBe(former.record.id);
    expect(await holder(two, former.text)).toBeNull();
  });

  test("may be used beside its successor for as long as was said", async () => {
    const { clock, isolate } = setting();
    const ring = isolate();
    const former = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const next = unwrapped(await rotate(ring, former.record, 60_000));
    clock.now += 59_999;
    expect(await holder(ring, former.text)).toBe(former.record.id);
    clock.now += 1;
    expect(await holder(ring, former.text)).toBeNull();
    expect(await holder(ring, next.text)).toBe(former.record.id);
  });
});

describe("changes of one key at the same time", () => {
  test("end in a revoked key, whichever was asked for first", async () => {
    for (const isRevokedFirst of [true, false]) {
      const { clock, isolate } = setting();
      const ring = isolate();
      const former = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
      const { tenant, id } = former.record;
      const early = isRevokedFirst ? ring.revoke(tenant, id) : null;
      const rotating = rotate(ring, former.record, 3_600_000);
      expect(await (early ?? ring.revoke(tenant, id))).toMatchObject({ ok: true });
      const rotated = await rotating;
      if (isRevokedFirst) expect(rotated).toMatchObject({ failure: { code: "UNKNOWN_KEY" } });
      const next = isRevokedFirst ? [] : [unwrapped(rotated).text];
      for (const wait of [0, FRESH_MS]) {
        clock.now += wait;
        for (const text of [former.text, ...next])
          for (const other of [ring, isolate()]) expect(await holder(other, text)).toBeNull();
      }
    }
  });

  test("keep what each rotation that was made has promised, and refuse the others", async () => {
    const { isolate } = setting();
    const ring = isolate();
    const former = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const results = await Promise.all([1, 2, 3].map(() => rotate(ring, former.record, 60_000)));
    const made = results.flatMap((result) => (result.ok ? [result.value.text] : []));
    expect(made).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toMatchObject(
      [1, 2].map(() => ({
        failure: {
          code: "FORBIDDEN",
          message:
            "The key before this one may be used until 2026-02-28T00:01:00.000Z. Until then only overlap_s=0 rotates it, which ends both at once.",
        },
      })),
    );
    for (const text of [former.text, ...made]) expect(await holder(ring, text)).toBe(former.record.id);
  });

  test("are refused by what the key is when their turn comes", async () => {
    const { isolate } = setting();
    const ring = isolate();
    const { record } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const seen: string[] = [];
    const refusalOf = ({ hash }: KeyRecord) => {
      seen.push(hash);
      return null;
    };
    await Promise.all([1, 2].map(() => ring.rotate("acme", record.id, { overlapMs: 0, refusalOf })));
    expect(seen[0]).toBe(record.hash);
    expect(seen[1]).not.toBe(record.hash);
  });
});

describe("a key in the overlap of its rotation", () => {
  test.each([
    ["where nothing is said of it", null, false],
    ["for another overlap", 1_000, false],
    ["without one", 0, true],
  ])("is rotated %s: %s ms, %s", async (_when, overlapMs, isMade) => {
    const { clock, isolate } = setting();
    const ring = isolate();
    const first = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const second = unwrapped(await rotate(ring, first.record, 60_000));
    expect((await rotate(ring, first.record, overlapMs)).ok).toBe(isMade);
    for (const { text } of [first, second])
      expect(await holder(ring, text)).toBe(isMade ? null : first.record.id);
    clock.now += 60_000;
    expect(await rotate(ring, first.record, null)).toMatchObject({ ok: true });
  });
});

describe("a key whose record is damaged", () => {
  test("is nobody's, and takes no other down with it", async () => {
    const { records, reported, isolate } = setting();
    const ring = isolate();
    const bad = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const good = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    records.texts.set(`acme:${bad.record.id}`, "{");
    const other = isolate();
    expect(await holder(other, bad.text)).toBeNull();
    expect(await holder(other, good.text)).toBe(good.record.id);
    expect(unwrapped(await other.list("acme"))).toEqual([good.record]);
    expect(reported).toEqual(["read the key"]);
  });
});

describe("while the store answers nothing", () => {
  test("a key that was known a moment ago is, for a minute; one that was not is neither let in nor refused", async () => {
    const { records, clock, isolate } = setting();
    const [knowing, fresh] = [isolate(), isolate()];
    const { text, record } = unwrapped(await knowing.issue("acme", GRANT, OPERATOR));
    records.isDown = true;
    clock.now += FRESH_MS + STALE_RECORD_MS - 1;
    expect(await holder(knowing, text)).toBe(record.id);
    expect(await holder(fresh, text)).toBe("STORE_UNAVAILABLE");
    expect(await holder(knowing, guess(1))).toBe("STORE_UNAVAILABLE");
    clock.now += 1;
    expect(await holder(knowing, text)).toBe("STORE_UNAVAILABLE");
    records.isDown = false;
    for (const ring of [knowing, fresh]) expect(await holder(ring, text)).toBe(record.id);
  });

  test("a key still ends when it was to end", async () => {
    const { records, clock, isolate } = setting();
    const ring = isolate();
    const { text } = unwrapped(
      await ring.issue("acme", { ...GRANT, expiresAt: clock.now + 10_000 }, OPERATOR),
    );
    records.isDown = true;
    clock.now += 10_000;
    expect(await holder(ring, text)).toBeNull();
  });

  test("no key is said to be issued, rotated or revoked", async () => {
    const { records, isolate } = setting();
    const ring = isolate();
    const { record } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    records.isDown = true;
    const down = { failure: { code: "STORE_UNAVAILABLE" } };
    expect(await ring.issue("acme", GRANT, OPERATOR)).toMatchObject(down);
    expect(await rotate(ring, record, 0)).toMatchObject(down);
    expect(await ring.revoke("acme", record.id)).toMatchObject(down);
  });
});

describe("who guesses keys", () => {
  test("costs one reading for the same guess in a window, and none for another secret of a known id", async () => {
    const { records, isolate } = setting();
    const ring = isolate();
    const { text } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    records.take();
    for (let count = 0; count < 20; count++) {
      expect(await holder(ring, guess(7))).toBeNull();
      expect(await holder(ring, `${text.slice(0, -2)}${count + 10}`)).toBeNull();
    }
    expect(records.take()).toEqual([`get acme:${"7".padStart(16, "0")}`]);
  });

  test("costs so many readings a minute and no more, while keys that are known go on", async () => {
    const { records, clock, isolate } = setting();
    const ring = isolate();
    clock.now = 60_000 * 1_000;
    const { text, record } = unwrapped(await ring.issue("acme", GRANT, OPERATOR));
    const other = unwrapped(await isolate().issue("acme", GRANT, OPERATOR));
    records.take();
    for (let index = 0; index < MAX_UNKNOWN_KEY_READS; index++)
      expect(await holder(ring, guess(index))).toBeNull();
    for (let index = 0; index < 1_000; index++)
      expect(await holder(ring, guess(100_000 + index))).toBe("RATE_LIMIT_EXCEEDED");
    expect(records.take()).toHaveLength(MAX_UNKNOWN_KEY_READS);
    clock.now += FRESH_MS;
    expect(await holder(ring, text)).toBe(record.id);
    expect(await holder(ring, other.text)).toBe("RATE_LIMIT_EXCEEDED");
    clock.now += 60_000;
    expect(await holder(ring, other.text)).toBe(other.record.id);
  });

  test("is not told apart from who has many keys: those that there are do not count", async () => {
    const { isolate } = setting();
    const issuer = isolate();
    const texts: string[] = [];
    for (let tenant = 0; tenant < 4; tenant++)
      for (let count = 0; count < MAX_KEYS_PER_TENANT; count++)
        texts.push(unwrapped(await issuer.issue(`t${tenant}`, GRANT, OPERATOR)).text);
    const ring = isolate();
    for (const text of texts) expect(await holder(ring, text)).toMatch(/^[0-9a-f]{16}$/);
    expect(texts.length).toBeGreaterThan(MAX_UNKNOWN_KEY_READS);
  });
});
