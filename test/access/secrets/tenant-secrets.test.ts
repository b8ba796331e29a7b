import { describe, expect, test } from "vitest";
import { toBase64 } from "../../../src/access/bytes.ts";
import { Sealer } from "../../../src/access/secrets/sealing.ts";
import { TenantSecrets } from "../../../src/access/secrets/tenant-secrets.ts";
import type { Result } from "../../../src/errors.ts";
import { MAX_SECRETS_PER_TENANT, STALE_RECORD_MS } from "../../../src/limits.ts";
import { StoredRecords } from "../stored-records.ts";

const FRESH_MS = 5_000;
const VALUE = "planted-value";
const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const MALFORMED = "too short";
const [OLD, NEW] = [toBase64(randomBytes(32)), toBase64(randomBytes(32))];

function setting() {
  const records = new StoredRecords();
  const clock = { now: Date.UTC(2026, 1, 28) };
  const reported: string[] = [];
  const isolate = (...keys: string[]) =>
    new TenantSecrets({
      records,
      sealer: Sealer.from(keys, randomBytes),
      keyFaults: keys.includes(MALFORMED) ? ["SECRETS_KEY is not 32 bytes in Base64"] : [],
      freshnessMs: FRESH_MS,
      now: () => clock.now,
      report: (operation) => reported.push(operation),
    });
  return { records, clock, reported, isolate };
}

function put(secrets: TenantSecrets, tenant = "acme", name = "API_KEY", value = VALUE) {
  return secrets.put(tenant, { name, value, hosts: ["api.test"], by: "4f1c" });
}

/** The value that a call would send, null where the tenant has none, or why there is none. */
async function opened(secrets: TenantSecrets, tenant = "acme", name = "API_KEY"): Promise<string | null> {
  const found = unwrapped(await secrets.open(tenant, [name])).get(name);
  if (found === undefined) return null;
  return found.value.ok ? found.value.value : JSON.stringify(found.value.failure);
}

function unwrapped<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.failure));
}

describe("a tenant's secret", () => {
  test("is sent by every isolate, and stored where nobody reads it", async () => {
    const { records, clock, isolate } = setting();
    expect(unwrapped(await put(isolate(OLD)))).toEqual({
      name: "API_KEY",
      hosts: ["api.test"],
      updatedAt: clock.now,
      updatedBy: "4f1c",
      created: true,
    });
    expect(await opened(isolate(OLD))).toBe(VALUE);
    expect([...records.texts].flat().join()).not.toMatch(/planted|value/);
  });

  test("is another tenant's never, though it has the same name, or is moved there in the store", async () => {
    const { records, isolate } = setting();
    await put(isolate(OLD));
    expect(await opened(isolate(OLD), "other")).toBeNull();
    await put(isolate(OLD), "other", "API_KEY", "planted-for-the-other");
    expect(await opened(isolate(OLD))).toBe(VALUE);
    records.texts.set("other:API_KEY", records.texts.get("acme:API_KEY") ?? "");
    expect(await opened(isolate(OLD), "other")).toContain("was changed");
  });

  test("is not sent once somebody has changed its hosts in the store", async () => {
    const { records, isolate } = setting();
    await put(isolate(OLD));
    const text = records.texts.get("acme:API_KEY") ?? "";
    records.texts.set("acme:API_KEY", text.replace("api.test", "evil.test"));
    const failure = await opened(isolate(OLD));
    expect(JSON.parse(failure ?? "")).toEqual({
      code: "SECRET_UNUSABLE",
      variable: "API_KEY",
      reason: "what is stored of it was changed",
    });
  });

  test("is replaced by the next of its name, here at once and elsewhere within the window", async () => {
    const { clock, isolate } = setting();
    const [one, two] = [isolate(OLD), isolate(OLD)];
    await put(one);
    expect(await opened(two)).toBe(VALUE);
    expect(unwrapped(await put(one, "acme", "API_KEY", "planted-next"))).toMatchObject({ created: false });
    expect(await opened(one)).toBe("planted-next");
    clock.now += FRESH_MS;
    expect(await opened(two)).toBe("planted-next");
  });

  test("is gone once it is removed, here at once and elsewhere within the window", async () => {
    const { clock, isolate } = setting();
    const [one, two] = [isolate(OLD), isolate(OLD)];
    await put(one);
    await opened(two);
    expect(unwrapped(await one.delete("acme", "API_KEY"))).toBeNull();
    expect(await opened(one)).toBeNull();
    clock.now += FRESH_MS;
    expect(await opened(two)).toBeNull();
    expect(await one.delete("acme", "API_KEY")).toEqual({
      ok: false,
      failure: { code: "UNKNOWN_SECRET", secret: "API_KEY", known: [] },
    });
  });

  test("is read once a window, there or not", async () => {
    const { records, clock, isolate } = setting();
    await put(isolate(OLD));
    const secrets = isolate(OLD);
    records.take();
    for (let window = 0; window < 2; window++) {
      for (let count = 0; count < 5; count++) {
        await opened(secrets);
        await opened(secrets, "acme", "OTHER_KEY");
      }
      expect(records.take()).toEqual(["get acme:API_KEY", "get acme:OTHER_KEY"]);
      clock.now += FRESH_MS;
    }
  });

  test("that was known is good for a minute while the store answers nothing; another one is not known", async () => {
    const { records, clock, isolate } = setting();
    const secrets = isolate(OLD);
    await put(secrets);
    records.isDown = true;
    clock.now += FRESH_MS + STALE_RECORD_MS - 1;
    expect(await opened(secrets)).toBe(VALUE);
    const down = { failure: { code: "STORE_UNAVAILABLE" } };
    expect(await secrets.open("acme", ["OTHER_KEY"])).toMatchObject(down);
    clock.now += 1;
    expect(await secrets.open("acme", ["API_KEY"])).toMatchObject(down);
  });

  test("is one of so many that a tenant may have", async () => {
    const { isolate } = setting();
    const secrets = isolate(OLD);
    for (let count = 0; count < MAX_SECRETS_PER_TENANT; count++)
      unwrapped(await put(secrets, "acme", `KEY_${count}`));
    expect(await put(secrets)).toMatchObject({ failure: { code: "FORBIDDEN" } });
    expect(await put(secrets, "acme", "KEY_0")).toMatchObject({ value: { created: false } });
  });
});

describe("the keys to encrypt under", () => {
  test("are changed without a secret being lost: new writes by the new key, reads by either", async () => {
    const { isolate } = setting();
    await put(isolate(OLD), "acme", "ONE");
    await put(isolate(OLD), "acme", "TWO");
    const changing = isolate(NEW, OLD);
    for (const name of ["ONE", "TWO"]) expect(await opened(changing, "acme", name)).toBe(VALUE);
    await put(changing, "acme", "ONE");
    const listed = unwrapped(await changing.list("acme"));
    expect(listed.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
      ["ONE", true],
      ["TWO", false],
    ]);
    expect(await opened(isolate(NEW), "acme", "ONE")).toBe(VALUE);
    expect(await opened(isolate(NEW), "acme", "TWO")).toContain("a key that is no longer set");
  });

  test("are to be set before there are secrets, and how is said", async () => {
    const { records, isolate } = setting();
    expect(await put(isolate())).toMatchObject({
      failure: { code: "FORBIDDEN", message: expect.stringContaining("wrangler secret put SECRETS_KEY") },
    });
    expect(records.take()).toEqual([]);
    await put(isolate(OLD));
    expect(await opened(isolate())).toContain("no key to decrypt it with");
    expect(unwrapped(await isolate().list("acme"))).toMatchObject([{ name: "API_KEY", isCurrent: false }]);
    expect(await isolate().delete("acme", "API_KEY")).toMatchObject({ ok: true });
  });
});

describe("a list of secrets", () => {
  test("has names, hosts, and who set them when, by name, and no value in any form", async () => {
    const { clock, isolate } = setting();
    const secrets = isolate(OLD);
    await put(secrets, "acme", "Z_KEY");
    await put(secrets, "acme", "A_KEY");
    await put(secrets, "other", "B_KEY");
    const line = { hosts: ["api.test"], updatedAt: clock.now, updatedBy: "4f1c", isCurrent: true };
    expect(unwrapped(await secrets.list("acme"))).toEqual([
      { name: "A_KEY", ...line },
      { name: "Z_KEY", ...line },
    ]);
  });
});

describe("a key to encrypt under that is malformed", () => {
  test("is named as the cause, of secrets that are set and of those that are there", async () => {
    const { isolate } = setting();
    unwrapped(await put(isolate(OLD)));
    const wrong = isolate(MALFORMED);
    const cause = "SECRETS_KEY is not 32 bytes in Base64";
    expect(await put(wrong)).toMatchObject({ failure: { message: expect.stringContaining(cause) } });
    const opened = unwrapped(await wrong.open("acme", ["API_KEY"]));
    expect(opened.get("API_KEY")?.value).toEqual({
      ok: false,
      failure: { code: "SECRET_UNUSABLE", variable: "API_KEY", reason: cause },
    });
  });
});

describe("a secret whose record is damaged", () => {
  test("is unusable alone: the others are listed and opened, and it can be removed", async () => {
    const { records, reported, isolate } = setting();
    unwrapped(await put(isolate(OLD)));
    unwrapped(await put(isolate(OLD), "acme", "OTHER_KEY"));
    records.texts.set("acme:API_KEY", "{");
    const secrets = isolate(OLD);
    expect(await secrets.open("acme", ["API_KEY"])).toEqual({
      ok: false,
      failure: { code: "SECRET_UNUSABLE", variable: "API_KEY", reason: "what is stored of it is damaged" },
    });
    expect(unwrapped(await secrets.open("acme", ["OTHER_KEY"])).size).toBe(1);
    expect(unwrapped(await secrets.list("acme"))).toMatchObject([{ name: "OTHER_KEY" }]);
    expect(await secrets.delete("acme", "API_KEY")).toMatchObject({ ok: true });
    expect(new Set(reported)).toEqual(new Set(["read the secret"]));
  });
});
