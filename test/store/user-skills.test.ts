import { describe, expect, test } from "vitest";
import { toWire } from "../../src/errors.ts";
import type { SkillRecord } from "../../src/ir.ts";
import { KV_MAX_VALUE_BYTES, MAX_USER_SKILLS } from "../../src/limits.ts";
import type { UserSkillStore } from "../../src/store/index.ts";
import { IR_VERSION } from "../../src/vocabulary.ts";
import { deleteSkill, Place, putSkill, recordOf } from "./place.ts";

async function put(place: Place, store: UserSkillStore, name: string, version?: string) {
  return place.time.until(putSkill(store, await recordOf(name, version)));
}

function remove(place: Place, store: UserSkillStore, name: string) {
  return place.time.until(deleteSkill(store, name));
}

/** One read of all that there is to know of an index. */
const INDEX = "get index:t changed:t";

const UNAVAILABLE = { ok: false, failure: { code: "STORE_UNAVAILABLE" } };

describe("a skill that was put", () => {
  test("is there at once, and says whether it is new", async () => {
    const place = new Place();
    const store = place.isolate();
    expect(await place.names(store)).toEqual([]);
    expect(await place.version(store, "a")).toBeNull();
    expect(await put(place, store, "a")).toEqual({ ok: true, value: { created: true } });
    expect(await put(place, store, "a", "2.0.0")).toEqual({ ok: true, value: { created: false } });
    expect(await place.names(store)).toEqual(["a"]);
    expect(await place.version(store, "a")).toBe("2.0.0");
  });

  test("is stored up to the size that KV takes, and refused for good beyond it", async () => {
    const place = new Place();
    const store = place.isolate();
    const record = await recordOf("a");
    const padded = (padding: string) => ({ ...record, source: record.source + padding });
    // What is stored besides the source takes some of it.
    const room = KV_MAX_VALUE_BYTES - 100_000;
    const largest = padded("天".repeat(Math.floor(room / 3)));
    expect(await place.time.until(putSkill(store, largest))).toMatchObject({ ok: true });
    for (const tooLarge of [
      padded("天".repeat(KV_MAX_VALUE_BYTES / 3)),
      padded("x".repeat(KV_MAX_VALUE_BYTES)),
    ]) {
      const refused = await place.time.until(putSkill(store, tooLarge));
      expect(refused).toMatchObject({ ok: false, failure: { code: "PAYLOAD_TOO_LARGE" } });
      expect(refused.ok ? null : toWire(refused.failure, "r")).toMatchObject({
        retryable: false,
        hint: "Declare fewer or simpler parameters, or divide the functions among several skills.",
      });
    }
    const stored = await place.time.until(store.skill("t", "a"));
    expect(stored.ok && stored.value?.source === largest.source).toBe(true);
  });

  test("is gone at once when it is deleted, and says whether there was one", async () => {
    const place = new Place();
    const store = place.isolate();
    await put(place, store, "a");
    expect(await remove(place, store, "a")).toEqual({ ok: true, value: { deleted: true } });
    expect(await remove(place, store, "a")).toEqual({ ok: true, value: { deleted: false } });
    expect(await place.names(store)).toEqual([]);
    expect(await place.version(store, "a")).toBeNull();
    expect(place.storage.stored("skill:t:a")).toBeNull();
  });

  test("is seen by another isolate once what that one read is no longer fresh", async () => {
    const place = new Place();
    const [one, two] = [place.isolate(), place.isolate()];
    expect(await place.names(two)).toEqual([]);
    await put(place, one, "a");
    expect(await place.names(two)).toEqual([]);
    await place.time.pass(5_000);
    expect(await place.names(two)).toEqual(["a"]);
  });

  test("is seen by its tenant alone", async () => {
    const place = new Place();
    const store = place.isolate();
    await put(place, store, "a");
    expect(await place.names(store, "other")).toEqual([]);
    expect(await place.version(store, "a", "other")).toBeNull();
    expect(await place.names(place.isolate(), "other")).toEqual([]);
  });

  test.each(["__proto__", "constructor", "天气预报"])("may be named %s", async (name) => {
    const place = new Place();
    const store = place.isolate();
    expect(await place.version(store, name)).toBeNull();
    const record: SkillRecord = { ...(await recordOf("a")), skill: { ...(await recordOf("a")).skill, name } };
    await place.time.until(putSkill(store, record));
    expect(await place.names(store)).toEqual([name]);
    expect(await place.version(place.isolate(), name)).toBe("1.0.0");
  });

  test("is one of so many, and no more are taken", async () => {
    const place = new Place();
    const [line] = [await recordOf("a")].map(({ skill, digest }) => ({ ...skill, digest, functions: [] }));
    const lines = Array.from({ length: MAX_USER_SKILLS }, (_, index) => ({
      entry: { ...line, name: `s-${index}` },
      writtenAt: 0,
      digest: "0",
      characters: 1,
    }));
    place.storage.plant("index:t", JSON.stringify({ irVersion: IR_VERSION, listedAt: 0, lines }));
    expect(await put(place, place.isolate(), "a")).toMatchObject({ failure: { code: "FORBIDDEN" } });
    expect(place.storage.stored("skill:t:a")).toBeNull();
    expect(await put(place, place.isolate(), "s-7")).toMatchObject({ ok: true });
  });
});

describe("with a KV that shows old values for a minute", () => {
  function stalePlace(): { place: Place; store: UserSkillStore } {
    const place = new Place();
    place.storage.staleMs = 59_000;
    return { place, store: place.isolate() };
  }

  test("a skill that was put here stays there", async () => {
    const { place, store } = stalePlace();
    await put(place, store, "a");
    for (let second = 0; second < 120; second += 3) {
      expect([second, await place.names(store), await place.version(store, "a")]).toEqual([
        second,
        ["a"],
        "1.0.0",
      ]);
      await place.time.pass(3_000);
    }
  });

  test("a skill that was deleted here does not come back", async () => {
    const { place, store } = stalePlace();
    place.storage.staleMs = 0;
    await put(place, store, "a");
    await put(place, store, "b");
    await place.time.pass(300_000);
    place.storage.staleMs = 59_000;
    expect(await remove(place, store, "a")).toEqual({ ok: true, value: { deleted: true } });
    await put(place, store, "c");
    for (let second = 0; second < 120; second += 3) {
      expect([second, await place.names(store), await place.version(store, "a")]).toEqual([
        second,
        ["b", "c"],
        null,
      ]);
      await place.time.pass(3_000);
    }
    expect(await place.names(place.isolate())).toEqual(["b", "c"]);
  });

  test("a second skill does not take the first one's line from the index", async () => {
    const { place, store } = stalePlace();
    await put(place, store, "a");
    await place.time.pass(10_000);
    await put(place, store, "b");
    await place.time.pass(120_000);
    expect(await place.names(place.isolate())).toEqual(["a", "b"]);
  });

  test("a skill that was put here is known as one to delete", async () => {
    const { place, store } = stalePlace();
    await put(place, store, "a");
    await place.time.pass(10_000);
    expect(await remove(place, store, "a")).toEqual({ ok: true, value: { deleted: true } });
    expect(await remove(place, store, "a")).toEqual({ ok: true, value: { deleted: false } });
  });

  test("a line that another place's write took from the index comes back with the next write", async () => {
    const { place, store } = stalePlace();
    await put(place, store, "a");
    const elsewhere = place.isolate();
    await put(place, elsewhere, "b");
    expect(await place.names(elsewhere)).toEqual(["b"]);
    expect(await place.names(store)).toEqual(["a"]);
    await place.time.pass(120_000);
    await put(place, elsewhere, "c");
    await place.time.pass(120_000);
    expect(await place.names(store)).toEqual(["a", "b", "c"]);
  });

  test("a later write of another place is seen when this one's own is surely shown", async () => {
    const { place, store } = stalePlace();
    await put(place, store, "a", "1.0.0");
    await place.time.pass(1_000);
    await put(place, place.isolate(), "a", "2.0.0");
    expect(await place.version(store, "a")).toBe("1.0.0");
    await place.time.pass(60_000);
    expect(await place.version(store, "a")).toBe("2.0.0");
  });
});

describe("with a KV that refuses", () => {
  test("to store a skill, the one before is still there, here and in KV", async () => {
    const place = new Place();
    const store = place.isolate();
    await put(place, store, "a", "1.0.0");
    place.storage.refuses = (operation, key) => operation === "put" && key === "skill:t:a";
    expect(await put(place, store, "a", "2.0.0")).toMatchObject(UNAVAILABLE);
    expect(place.reports).toEqual(["write the skill"]);
    place.storage.refuses = () => false;
    for (const isolate of [store, place.isolate()]) {
      expect(await place.names(isolate)).toEqual(["a"]);
      expect(await place.version(isolate, "a")).toBe("1.0.0");
    }
  });

  test("the index once, as a second write within a second, it is written a second later", async () => {
    const place = new Place();
    const store = place.isolate();
    let refusals = 1;
    place.storage.refuses = (operation, key) => operation === "put" && key === "index:t" && refusals-- > 0;
    const before = place.time.now();
    expect(await put(place, store, "a")).toEqual({ ok: true, value: { created: true } });
    expect(place.time.now() - before).toBe(1_000);
    expect(place.reports).toEqual(["write the index"]);
    expect(await place.names(place.isolate())).toEqual(["a"]);
  });

  test.each<[string, "put" | "list"]>([
    ["the index", "put"],
    ["a list of the skills", "list"],
  ])(
    "%s, the write stands all the same, is seen here, and gets into the index at the next look",
    async (_what, refused) => {
      const place = new Place();
      const store = place.isolate();
      await put(place, store, "b");
      place.storage.refuses = (operation, key) =>
        operation === refused && (key === "index:t" || key === "skill:t:");
      expect(await put(place, store, "a")).toMatchObject({ ok: true });
      expect(await remove(place, store, "b")).toMatchObject({ ok: true });
      expect(place.reports).toContain("write the index");
      expect(await place.names(store)).toEqual(["a"]);
      expect(await place.names(place.isolate())).toEqual(["b"]);
      place.storage.refuses = () => false;
      expect(await place.names(store)).toEqual(["a"]);
      expect(await place.names(place.isolate())).toEqual(["a"]);
    },
  );

  test("the index, and this isolate never looks again, others make it anew when the change shows", async () => {
    const place = new Place();
    const store = place.isolate();
    place.storage.refuses = (operation, key) => operation === "put" && key === "index:t";
    expect(await put(place, store, "a")).toMatchObject({ ok: true });
    place.storage.refuses = () => false;
    const elsewhere = place.isolate();
    expect(await place.version(elsewhere, "a")).toBe("1.0.0");
    await place.time.pass(120_000);
    expect(await place.names(elsewhere)).toEqual(["a"]);
    expect(await place.names(place.isolate())).toEqual(["a"]);
  });

  test("to be read, what was read last stands in for as long as that lasts", async () => {
    const place = new Place();
    await put(place, place.isolate(), "a");
    const store = place.isolate();
    expect([await place.names(store), await place.version(store, "a")]).toEqual([["a"], "1.0.0"]);
    place.storage.refuses = () => true;
    await place.time.pass(3_600_000);
    expect([await place.names(store), await place.version(store, "a")]).toEqual([["a"], "1.0.0"]);
    expect(place.reports).toEqual(["read the index", "read the skill"]);
  });

  test("to be read from the first, that is a failure and not an empty index", async () => {
    const place = new Place();
    const store = place.isolate();
    place.storage.refuses = () => true;
    expect(await place.time.until(store.index("t"))).toMatchObject(UNAVAILABLE);
    expect(await place.time.until(store.skill("t", "a"))).toMatchObject(UNAVAILABLE);
    expect(await put(place, store, "a")).toMatchObject(UNAVAILABLE);
    expect(await remove(place, store, "a")).toMatchObject(UNAVAILABLE);
  });
});

describe("with a KV that is slow", () => {
  test("a read that began before a write does not hide it when it ends after", async () => {
    const place = new Place();
    const store = place.isolate();
    place.storage.takes = () => 3_000;
    const index = store.index("t");
    const record = store.skill("t", "a");
    place.storage.takes = () => 10;
    await put(place, store, "a");
    await place.time.until(Promise.all([index, record]));
    expect([await place.names(store), await place.version(store, "a")]).toEqual([["a"], "1.0.0"]);
  });

  test("a write that never ends holds the next ones up for ten seconds and no longer", async () => {
    const place = new Place();
    const store = place.isolate();
    place.storage.takes = (operation, key) => (operation === "put" && key === "skill:t:a" ? 1e9 : 0);
    const never = putSkill(store, await recordOf("a"));
    const before = place.time.now();
    const records = await Promise.all(["b", "c"].map((name) => recordOf(name)));
    const next = records.map((record) => putSkill(store, record));
    expect(await place.time.until(Promise.all(next))).toMatchObject([{ ok: true }, { ok: true }]);
    expect(place.time.now() - before).toBe(10_000);
    expect(await place.names(store)).toEqual(["b", "c"]);
    expect(await place.names(place.isolate())).toEqual(["b", "c"]);
    void never;
  });
});

describe("what it costs", () => {
  test("is one read of the index for each window, however often it is asked for", async () => {
    const place = new Place();
    const store = place.isolate();
    for (let time = 0; time < 20_000; time += 500) {
      await place.names(store);
      await place.time.pass(500);
    }
    expect(place.storage.take()).toEqual(Array(4).fill(INDEX));
  });

  test("is one read of a skill for each window, also of one that is not there", async () => {
    const place = new Place();
    await put(place, place.isolate(), "a");
    const store = place.isolate();
    place.storage.take();
    for (let time = 0; time < 10_000; time += 500) {
      await place.version(store, "a");
      await place.version(store, "none");
      await place.time.pass(500);
    }
    const window = ["get skill:t:a", "get skill:t:none"];
    expect(place.storage.take()).toEqual([...window, ...window]);
  });

  test("is no read of what was written here", async () => {
    const place = new Place();
    const store = place.isolate();
    await put(place, store, "a");
    place.storage.take();
    await place.time.pass(30_000);
    await place.version(store, "a");
    expect(place.storage.take()).toEqual([]);
  });

  test("is five operations for a new skill, and one for a deletion of nothing", async () => {
    const place = new Place();
    const store = place.isolate();
    await put(place, store, "a");
    const write = [`${INDEX} skill:t:a`, "put changed:t", "put skill:t:a", "list skill:t:", "put index:t"];
    expect(place.storage.take()).toEqual(write);
    await put(place, store, "b");
    // The change before was announced for some seconds.
    expect(place.storage.take()).toEqual([
      `${INDEX} skill:t:b`,
      "put skill:t:b",
      "list skill:t:",
      "put index:t",
    ]);
    await remove(place, place.isolate(), "none");
    expect(place.storage.take()).toEqual([`${INDEX} skill:t:none`]);
  });

  test("is one more where the version before is kept, and one later on that looks for what nobody needs", async () => {
    const place = new Place();
    await put(place, place.isolate(), "a");
    await place.time.pass(600_000);
    place.storage.take();
    const { digest } = await recordOf("a");
    await put(place, place.isolate(), "a", "2.0.0");
    await place.rest();
    expect(place.storage.take()).toEqual([
      `${INDEX} skill:t:a`,
      `put content:t:a:${digest}`,
      "put changed:t",
      "put skill:t:a",
      "list skill:t:",
      "put index:t",
      "list content:t:a:",
    ]);
    await remove(place, place.isolate(), "a");
    expect(place.storage.take()).toEqual([
      `${INDEX} skill:t:a`,
      "put changed:t",
      "delete skill:t:a",
      "list skill:t:",
      "put index:t",
    ]);
  });
});

describe("a record that another version of the program made", () => {
  async function aged(): Promise<{ place: Place; store: UserSkillStore }> {
    const place = new Place();
    await put(place, place.isolate(), "a");
    const old = { ...(await recordOf("a")), irVersion: 0, skill: null, tools: null };
    place.storage.plant("skill:t:a", JSON.stringify(old));
    return { place, store: place.isolate() };
  }

  test("is made anew from its source, once for as long as that stays the same", async () => {
    const { place, store } = await aged();
    for (let window = 0; window < 5; window++) {
      expect(await place.version(store, "a")).toBe("1.0.0");
      await place.time.pass(5_000);
    }
    expect(place.upgrades).toEqual(["a"]);
    const next = { ...(await recordOf("a", "2.0.0")), irVersion: 0 };
    place.storage.plant("skill:t:a", JSON.stringify(next));
    expect(await place.version(store, "a")).toBe("2.0.0");
  });

  test("is kept beside its source, for whoever reads it next, and never in its place", async () => {
    const { place, store } = await aged();
    const stored = place.storage.stored("skill:t:a");
    await place.version(store, "a");
    expect(await place.version(place.isolate(), "a")).toBe("1.0.0");
    expect(place.upgrades).toEqual(["a"]);
    expect(place.storage.stored("skill:t:a")).toBe(stored);
    const { digest } = await recordOf("a");
    expect(place.storage.keys("compiled:")).toEqual([`compiled:t:a:${IR_VERSION}:${digest}`]);
    place.storage.refuses = (operation) => operation === "put";
    place.storage.plant(`compiled:t:a:${IR_VERSION}:${digest}`, null);
    expect(await place.version(place.isolate(), "a")).toBe("1.0.0");
  });

  test("is not shown where it compiles no more, which is reported; it can be replaced and deleted", async () => {
    const { place, store } = await aged();
    place.compiles = false;
    expect(await place.version(store, "a")).toBeNull();
    expect(place.reports).toEqual(["upgrade the skill"]);
    expect(await put(place, store, "a", "2.0.0")).toEqual({ ok: true, value: { created: false } });
    expect(await place.version(store, "a")).toBe("2.0.0");
    const again = await aged();
    again.place.compiles = false;
    expect(await remove(again.place, again.store, "a")).toEqual({ ok: true, value: { deleted: true } });
    expect(await again.place.names(again.store)).toEqual([]);
  });
});

describe("an index that another version of the program made", () => {
  /** A tenant with two skills, whose index is as it is given. */
  async function aged(index: unknown): Promise<{ place: Place; store: UserSkillStore }> {
    const place = new Place();
    const writer = place.isolate();
    for (const name of ["a", "b"]) await put(place, writer, name);
    place.storage.plant("index:t", JSON.stringify(index));
    place.storage.take();
    return { place, store: place.isolate() };
  }

  test.each<[string, unknown]>([
    ["without a version", [{ name: "stale" }]],
    ["of another version", { irVersion: 0, entries: [{ name: "stale" }] }],
  ])("is made anew from the skills, and stored: %s", async (_what, index) => {
    const { place, store } = await aged(index);
    expect(await place.names(store)).toEqual(["a", "b"]);
    expect(place.storage.take()).toContain("put index:t");
    expect(await place.names(place.isolate())).toEqual(["a", "b"]);
    expect(place.storage.take()).toEqual([INDEX]);
  });

  test("is of no matter to a write, which stores a whole one", async () => {
    const { place, store } = await aged([{ name: "stale" }]);
    await put(place, store, "c");
    expect(await place.names(place.isolate())).toEqual(["a", "b", "c"]);
    await remove(place, store, "a");
    expect(await place.names(store)).toEqual(["b", "c"]);
  });

  test("is shown as made anew also where it cannot be stored", async () => {
    const { place, store } = await aged([]);
    place.storage.refuses = (operation) => operation === "put";
    expect(await place.names(store)).toEqual(["a", "b"]);
  });
});

describe("a skill that did not change", () => {
  test("is the same object at every look, so that what was made of it is kept", async () => {
    const place = new Place();
    await put(place, place.isolate(), "a");
    const store = place.isolate();
    const first = await place.time.until(store.skill("t", "a"));
    await place.time.pass(5_000);
    const second = await place.time.until(store.skill("t", "a"));
    if (!first.ok || !second.ok) throw new Error("not read");
    expect(place.storage.take().filter((operation) => operation === "get skill:t:a")).toHaveLength(2);
    expect(second.value).toBe(first.value);
  });

  test("is the same object after a write of the same text, and another one after a write of another", async () => {
    const place = new Place();
    const [writer, store] = [place.isolate(), place.isolate()];
    const seen: (SkillRecord | null)[] = [];
    for (const version of ["1.0.0", "1.0.0", "2.0.0"]) {
      await put(place, writer, "a", version);
      await place.time.pass(5_000);
      const read = await place.time.until(store.skill("t", "a"));
      if (!read.ok) throw new Error(read.failure.code);
      seen.push(read.value?.record ?? null);
    }
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
    expect(seen[2]?.skill.version).toBe("2.0.0");
  });
});
