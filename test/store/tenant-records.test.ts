import { describe, expect, test } from "vitest";
import { type RecordStorage, TenantRecords } from "../../src/store/index.ts";

const NOW = Date.UTC(2026, 1, 28);

function setting(kind: "key" | "secret" = "key") {
  const stored = new Map<string, string>();
  const asked: unknown[][] = [];
  const reports: string[] = [];
  const fault = { error: null as Error | null };
  const note = (...words: unknown[]) => {
    asked.push(words);
    if (fault.error !== null) throw fault.error;
  };
  const storage: RecordStorage = {
    get: async (key, options) => {
      note("get", key, options);
      return stored.get(key) ?? null;
    },
    put: async (key, value, options) => {
      note("put", key, options);
      stored.set(key, value);
    },
    delete: async (key) => {
      note("delete", key);
      stored.delete(key);
    },
    list: async ({ prefix }) => {
      note("list", prefix);
      const keys = [...stored.keys()].filter((key) => key.startsWith(prefix));
      return { keys: keys.map((name) => ({ name })) };
    },
  };
  const records = new TenantRecords({
    storage,
    kind,
    now: () => NOW,
    report: (operation) => reports.push(operation),
  });
  return { records, asked, reports, fault };
}

describe("the records of a tenant", () => {
  test.each(["key", "secret"] as const)("are kept by kind, tenant and name: %s", async (kind) => {
    const { records } = setting(kind);
    await records.put("acme", "one", "text", null);
    expect(await records.get("acme", "one")).toEqual({ ok: true, value: "text" });
    expect(await records.names("acme")).toEqual({ ok: true, value: ["one"] });
    await records.delete("acme", "one");
    expect(await records.get("acme", "one")).toEqual({ ok: true, value: null });
    expect(await records.names("acme")).toEqual({ ok: true, value: [] });
  });

  test("are one tenant's: one whose name begins the same has others", async () => {
    const { records } = setting();
    await records.put("acme", "one", "text", null);
    for (const other of ["acm", "acme-2", "acme1"])
      expect(await records.names(other)).toEqual({ ok: true, value: [] });
  });

  test("are read so that what was changed elsewhere shows as soon as the store allows", async () => {
    const { records, asked } = setting();
    await records.get("acme", "one");
    expect(asked).toEqual([["get", "key:acme:one", { type: "text", cacheTtl: 30 }]]);
  });

  test.each<[number | null, object]>([
    [null, {}],
    [NOW + 3_600_000, { expiration: NOW / 1_000 + 3_600 }],
    [NOW + 3_600_001, { expiration: NOW / 1_000 + 3_601 }],
    [NOW + 1, { expiration: NOW / 1_000 + 61 }],
  ])(
    "go when they are of no use any more, a minute later at the earliest: %j",
    async (expiresAt, options) => {
      const { records, asked } = setting();
      await records.put("acme", "one", "text", expiresAt);
      expect(asked).toEqual([["put", "key:acme:one", options]]);
    },
  );

  test("that cannot be had are a failure, which is noted", async () => {
    const { records, reports, fault } = setting();
    fault.error = new Error("KV GET failed: 500");
    const outcomes = [
      await records.get("acme", "one"),
      await records.put("acme", "one", "text", null),
      await records.delete("acme", "one"),
      await records.names("acme"),
    ];
    const operations = ["read the key", "write the key", "remove the key", "list the key"];
    expect(outcomes).toEqual(
      operations.map((operation) => ({ ok: false, failure: { code: "STORE_UNAVAILABLE", operation } })),
    );
    expect(reports).toEqual(operations);
  });
});
