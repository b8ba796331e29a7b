import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KV_PROPAGATION_MS } from "../../src/limits.ts";
import { deleteSkill, Place, putSkill, recordOf } from "./place.ts";

const NAMES = ["a", "b", "c"];
const VERSIONS = ["1.0.0", "2.0.0", "3.0.0"];

interface Write {
  name: string;
  /** Null deletes. */
  version: string | null;
  /** Milliseconds after the write before. */
  after: number;
}

const writes = fc.array(
  fc.record<Write>({
    name: fc.constantFrom(...NAMES),
    version: fc.constantFrom(...VERSIONS, null),
    after: fc.constantFrom(0, 0, 1, 500, 7_000, 61_000),
  }),
  { minLength: 1, maxLength: 12 },
);
const delays = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 });
const refusals = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });

/** Takes the elements of a list in turn, over and over. */
function inTurn<T>(elements: readonly T[], otherwise: T): () => T {
  let taken = 0;
  return () => elements[taken++ % elements.length] ?? otherwise;
}

/** Makes all writes without waiting for one another, and says which were acknowledged. */
async function write(
  place: Place,
  store: ReturnType<Place["isolate"]>,
  all: readonly Write[],
): Promise<boolean[]> {
  const records = await Promise.all(all.map(({ name, version }) => recordOf(name, version ?? "1.0.0")));
  const made: Promise<{ ok: boolean }>[] = [];
  for (const [index, { name, version, after }] of all.entries()) {
    await place.time.pass(after);
    const record = records[index];
    if (record === undefined) throw new Error("no record");
    made.push(version === null ? deleteSkill(store, name) : putSkill(store, record));
  }
  const results = await place.time.until(Promise.all(made));
  return results.map(({ ok }) => ok);
}

/** What should be there: of each name the last acknowledged write. */
function expected(all: readonly Write[], acknowledged: readonly boolean[]): Map<string, string | null> {
  const state = new Map<string, string | null>(NAMES.map((name) => [name, null]));
  all.forEach(({ name, version }, index) => {
    if (acknowledged[index]) state.set(name, version);
  });
  return state;
}

async function found(place: Place, store: ReturnType<Place["isolate"]>): Promise<Map<string, string | null>> {
  const names = await place.names(store);
  const state = new Map<string, string | null>();
  for (const name of NAMES) {
    const version = await place.version(store, name);
    // The index and the skill itself say the same.
    expect(names.includes(name)).toBe(version !== null);
    state.set(name, version);
  }
  return state;
}

/** A list is refused just after a delete, and the next write that is made comes when the delete shows everywhere. */
const LATE_WRITES: Write[] = [
  { name: "a", version: "1.0.0", after: 0 },
  { name: "a", version: "1.0.0", after: 0 },
  { name: "a", version: null, after: 0 },
  { name: "a", version: "1.0.0", after: 61_000 },
  { name: "c", version: "1.0.0", after: 61_000 },
  { name: "a", version: "1.0.0", after: 0 },
];
const LATE_REFUSALS = [true, false, true, false, false, false, false, false, false, true, false];

describe("within one isolate", () => {
  test("no acknowledged write is lost, however slow and stale KV is", async () => {
    const staleMs = fc.integer({ min: 0, max: KV_PROPAGATION_MS - 1_000 });
    await fc.assert(
      fc.asyncProperty(writes, delays, staleMs, async (all, durations, stale) => {
        const place = new Place();
        place.storage.takes = inTurn(durations, 0);
        place.storage.staleMs = stale;
        const store = place.isolate();
        const acknowledged = await write(place, store, all);
        expect(acknowledged).not.toContain(false);
        const state = expected(all, acknowledged);
        for (let step = 0; step < 40; step++) {
          expect(await found(place, store)).toEqual(state);
          await place.time.pass(3_000);
        }
        expect(await found(place, place.isolate())).toEqual(state);
      }),
      { numRuns: 50 },
    );
  });

  test("a write that was not acknowledged changes nothing, whichever operation KV refuses", async () => {
    await fc.assert(
      fc.asyncProperty(writes, delays, refusals, async (all, durations, refused) => {
        const place = new Place();
        place.storage.takes = inTurn(durations, 0);
        place.storage.refuses = inTurn(refused, false);
        const store = place.isolate();
        const state = expected(all, await write(place, store, all));
        place.storage.refuses = () => false;
        await place.time.pass(10_000);
        for (const isolate of [store, place.isolate()]) expect(await found(place, isolate)).toEqual(state);
      }),
      { numRuns: 300, examples: [[LATE_WRITES, [0], LATE_REFUSALS]] },
    );
  });
});
