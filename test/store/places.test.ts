import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256HexOfBytes } from "../../src/digest.ts";
import { KV_PROPAGATION_MS } from "../../src/limits.ts";
import type { UserSkillStore } from "../../src/store/index.ts";
import { deleteSkill, Place, putSkill, recordOf } from "./place.ts";

const NAMES = ["a", "b", "c"];
const TENANTS = ["t", "u"];
const VERSIONS = ["1.0.0", "2.0.0", "3.0.0"];
const PLACES = ["amsterdam", "tokyo", "lima"];

/** What one isolate does. */
interface Action {
  isolate: number;
  kind: "put" | "delete" | "index" | "skill";
  tenant: string;
  name: string;
  version: string;
  /** Milliseconds after the action before. */
  after: number;
}

/** How isolates act, and what KV is like. */
interface Scenario {
  actions: readonly Action[];
  staleMs: number;
  durations: readonly number[];
  refusals: readonly boolean[];
}

const action = fc.record<Action>({
  isolate: fc.nat({ max: 5 }),
  kind: fc.constantFrom("put", "put", "put", "delete", "index", "skill"),
  tenant: fc.constantFrom(...TENANTS),
  name: fc.constantFrom(...NAMES),
  version: fc.constantFrom(...VERSIONS),
  after: fc.constantFrom(0, 1, 300, 2_000, 30_000, 70_000),
});

const scenario: fc.Arbitrary<Scenario> = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 14 }),
  staleMs: fc.integer({ min: 0, max: KV_PROPAGATION_MS - 2_000 }),
  durations: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 12 }),
  refusals: fc
    .array(fc.boolean(), { minLength: 1, maxLength: 25 })
    .map((all) => all.map((one, at) => one && at % 4 === 0)),
});

/** Longer than KV may be stale, changes may be announced for, and reads may be held. */
const QUIET_MS = 3 * KV_PROPAGATION_MS;

function inTurn<T>(elements: readonly T[], otherwise: T): () => T {
  let taken = 0;
  return () => elements[taken++ % elements.length] ?? otherwise;
}

/** Six isolates, two at each place, over one KV that shows a write at once where it was made and later elsewhere. */
function isolatesOf(place: Place): UserSkillStore[] {
  const places = PLACES.map((name) => place.storage.at(name));
  return [...places, ...places].map((storage) => place.isolate(storage));
}

async function run({
  actions,
  staleMs,
  durations,
  refusals,
}: Scenario): Promise<{ place: Place; isolates: UserSkillStore[] }> {
  const place = new Place();
  place.storage.staleMs = staleMs;
  place.storage.takes = inTurn(durations, 0);
  place.storage.refuses = inTurn(refusals, false);
  const isolates = isolatesOf(place);
  const made: Promise<unknown>[] = [];
  for (const { isolate, kind, tenant, name, version, after } of actions) {
    await place.time.pass(after);
    const store = isolates[isolate];
    if (store === undefined) throw new Error("no isolate");
    const record = await recordOf(name, version);
    if (kind === "put") made.push(putSkill(store, record, { tenant }));
    else if (kind === "delete") made.push(deleteSkill(store, name, tenant));
    else made.push(kind === "index" ? store.index(tenant) : store.skill(tenant, name));
  }
  await place.time.until(Promise.all(made));
  place.storage.refuses = () => false;
  return { place, isolates };
}

/** What a tenant has by the skills' own keys, which are the truth. */
function truth(place: Place, tenant: string): Map<string, string> {
  const keys = place.storage.keys(`skill:${tenant}:`);
  return new Map(
    keys.map((key) => {
      const stored: { skill: { version: string } } = JSON.parse(place.storage.stored(key) ?? "");
      return [key.slice(`skill:${tenant}:`.length), stored.skill.version];
    }),
  );
}

describe("with isolates at several places, a KV that is stale, slow and refuses", () => {
  test("after a while of quiet every isolate sees each tenant's skills as they are, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { place, isolates } = await run(given);
        await place.time.pass(QUIET_MS);
        // The first look of whoever looks puts the index right; the others see that when it shows.
        for (const tenant of TENANTS) await place.names(isolates[0] ?? place.isolate(), tenant);
        await place.time.pass(QUIET_MS);
        for (const isolate of [...isolates, place.isolate(place.storage.at("perth"))])
          for (const tenant of TENANTS) {
            const expected = truth(place, tenant);
            expect(await place.names(isolate, tenant)).toEqual([...expected.keys()].sort());
            for (const name of NAMES)
              expect(await place.version(isolate, name, tenant)).toBe(expected.get(name) ?? null);
          }
      }),
      { numRuns: 1_000 },
    );
  }, 120_000);
});

describe("two writers at different places", () => {
  test("whose indexes overwrite each other lose neither skill", async () => {
    const place = new Place();
    place.storage.staleMs = 59_000;
    const [here, there] = PLACES.map((name) => place.isolate(place.storage.at(name)));
    if (here === undefined || there === undefined) throw new Error("no isolates");
    await place.time.until(putSkill(here, await recordOf("a")));
    await place.time.until(putSkill(there, await recordOf("b")));
    expect(await place.names(there)).toEqual(["b"]);
    await place.time.pass(60_000);
    const newcomer = place.isolate(place.storage.at("lima"));
    expect(await place.version(newcomer, "a")).toBe("1.0.0");
    await place.time.pass(30_000);
    expect(await place.names(newcomer)).toEqual(["a", "b"]);
    await place.time.pass(60_000);
    for (const isolate of [here, there]) expect(await place.names(isolate)).toEqual(["a", "b"]);
  });

  test("cost a reader one list, and none where nothing has changed since", async () => {
    const place = new Place();
    await place.time.until(putSkill(place.isolate(), await recordOf("a")));
    await place.time.pass(120_000);
    const reader = place.isolate();
    place.storage.take();
    await place.names(reader);
    const index = "get index:t changed:t";
    expect(place.storage.take()).toEqual([
      index,
      index,
      "list skill:t:",
      "put index:t",
      // Once nobody is about to name it, what belongs to no skill is swept away.
      "list content:t:",
    ]);
    await place.rest();
    place.storage.take();
    for (let window = 0; window < 3; window++) {
      await place.time.pass(5_000);
      await place.names(reader);
      await place.names(place.isolate());
    }
    expect(new Set(place.storage.take())).toEqual(new Set([index]));
  });
});

/** A skill of two files with a version before it, and the operations that its next write makes. */
async function written(refuseFrom: number) {
  const place = new Place();
  const store = place.isolate();
  const file = async (path: string, text: string) => {
    const bytes = new TextEncoder().encode(text);
    return { path, digest: await sha256HexOfBytes(bytes), bytes };
  };
  const putWith = async (version: string, files: Awaited<ReturnType<typeof file>>[]) =>
    place.time.until(
      putSkill(store, await recordOf("a", version), {
        files: files.map(({ path, digest, bytes }) => ({ path, digest, bytes: bytes.byteLength })),
        contents: new Map(files.map(({ digest, bytes }) => [digest, bytes])),
      }),
    );
  const old = [await file("references/a.md", "old a"), await file("references/b.md", "old b")];
  const young = [await file("references/a.md", "new a"), await file("references/c.md", "new c")];
  await putWith("1.0.0", old);
  await place.time.pass(600_000);
  let writes = 0;
  place.storage.refuses = (operation) =>
    (operation === "put" || operation === "delete") && writes++ >= refuseFrom;
  const result = await putWith("2.0.0", young);
  place.storage.refuses = () => false;
  return { place, result, writes, old, young };
}

describe("a process that dies at a write of an upload", () => {
  test("leaves the state before or the one after, with all its files", async () => {
    const whole = await written(Number.POSITIVE_INFINITY);
    expect(whole.writes).toBe(6);
    const seen: string[] = [];
    for (let dies = 0; dies <= whole.writes; dies++) {
      const { place, result, old, young } = await written(dies);
      await place.time.pass(600_000);
      for (const isolate of [place.isolate(), place.isolate(place.storage.at("lima"))]) {
        expect(await place.names(isolate)).toEqual(["a"]);
        const skill = await place.skill(isolate, "a");
        const isNew = skill?.record.skill.version === "2.0.0";
        expect(isNew).toBe(result.ok);
        const files = isNew ? young : old;
        expect(skill?.files.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
        for (const { digest, bytes } of files)
          expect(await place.time.until(isolate.content("t", "a", digest))).toEqual({
            ok: true,
            value: bytes,
          });
        expect(skill?.version).toBe(isNew ? 2 : 1);
      }
      seen.push(result.ok ? "new" : "old");
    }
    expect(seen).toEqual(["old", "old", "old", "old", "old", "new", "new"]);
  });
});
