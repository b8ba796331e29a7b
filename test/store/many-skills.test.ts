import { describe, expect, test } from "vitest";
import type { SkillRecord } from "../../src/ir.ts";
import { KV_BULK_CHARACTERS, KV_BULK_KEYS } from "../../src/limits.ts";
import type { UserSkillStore } from "../../src/store/index.ts";
import { Place, putSkill, recordOf } from "./place.ts";

function nameAt(index: number): string {
  return `s-${String(index).padStart(4, "0")}`;
}

async function named(name: string, padding = 0): Promise<SkillRecord> {
  const record = await recordOf("a");
  return { ...record, skill: { ...record.skill, name, prose: "x".repeat(padding) } };
}

/** A tenant with so many skills, as many isolates have put them, and the operations that their first look took. */
async function tenantWith(count: number, padding = 0): Promise<{ place: Place; firstLook: string[] }> {
  const place = new Place();
  await place.time.until(putSkill(place.isolate(), await named(nameAt(0), padding)));
  const text = place.storage.stored(`skill:t:${nameAt(0)}`) ?? "";
  const { writtenAt, digest }: { writtenAt: number; digest: string } = JSON.parse(text);
  for (let index = 1; index < count; index++) {
    const name = nameAt(index);
    const note = { writtenAt, digest, characters: text.length };
    place.storage.plant(`skill:t:${name}`, text.replace(`"name":"${nameAt(0)}"`, `"name":"${name}"`), note);
  }
  await place.time.pass(600_000);
  place.storage.take();
  expect(await place.names(place.isolate())).toHaveLength(count);
  await place.rest();
  return { place, firstLook: place.storage.take() };
}

async function readAll(place: Place, store: UserSkillStore) {
  const names = await place.names(store);
  const read = await place.time.until(store.skills("t", names));
  if (!read.ok) throw new Error(read.failure.code);
  return read.value;
}

describe("a tenant with a thousand skills", () => {
  test("costs an isolate that knows nothing eleven operations, and then one for each window", async () => {
    const { place } = await tenantWith(1_000);
    const store = place.isolate();
    const skills = await readAll(place, store);
    expect(skills.size).toBe(1_000);
    expect([...skills.values()].every((skill) => skill !== null)).toBe(true);
    expect(place.storage.take()).toHaveLength(1 + 1_000 / KV_BULK_KEYS);
    await place.time.pass(5_000);
    await readAll(place, store);
    expect(place.storage.take()).toEqual(["get index:t changed:t"]);
  });

  test("costs a write five operations, and whoever finds that out elsewhere two", async () => {
    const { place } = await tenantWith(999);
    const [writer, reader] = [place.isolate(), place.isolate()];
    await readAll(place, reader);
    place.storage.take();
    await place.time.until(putSkill(writer, await named(nameAt(999))));
    expect(place.storage.take()).toHaveLength(5);
    await place.time.pass(5_000);
    expect((await readAll(place, reader)).size).toBe(1_000);
    expect(place.storage.take()).toEqual(["get index:t changed:t", "get skill:t:s-0999"]);
    expect(await place.names(reader)).toHaveLength(1_000);
  });

  test("costs fifteen operations where the index has to be made anew from them all", async () => {
    const { firstLook } = await tenantWith(1_000);
    const index = "get index:t changed:t";
    const [, , list, ...rest] = firstLook;
    expect([firstLook[0], firstLook[1], list]).toEqual([index, index, "list skill:t:"]);
    expect(rest.filter((operation) => operation.startsWith("get skill:t:"))).toHaveLength(10);
    expect(rest.slice(10)).toEqual(["put index:t", "list content:t:"]);
  });
});

describe("skills that are large", () => {
  test("are read by no more at once than KV gives", async () => {
    const padding = 500_000;
    const { place } = await tenantWith(30, padding);
    const skills = await readAll(place, place.isolate());
    expect(skills.size).toBe(30);
    const [, ...reads] = place.storage.take();
    expect(reads.length).toBeGreaterThan(1);
    for (const read of reads)
      expect(read.split(" ").slice(1).length * padding).toBeLessThanOrEqual(KV_BULK_CHARACTERS);
  });
});

describe("an index that did not change", () => {
  test("is the same list at every look, so that what was made of it is kept", async () => {
    const { place } = await tenantWith(3);
    const [store, writer] = [place.isolate(), place.isolate()];
    const look = async () => {
      const index = await place.time.until(store.index("t"));
      await place.time.pass(5_000);
      return index.ok ? index.value : null;
    };
    const first = await look();
    expect(await look()).toBe(first);
    await place.time.until(putSkill(writer, await recordOf("other")));
    const second = await look();
    expect(second).not.toBe(first);
    expect(await look()).toBe(second);
  });
});
