import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_FORMER_VERSIONS } from "../../src/limits.ts";
import type { StoredFile } from "../../src/store/index.ts";
import { namedContents, nextSkill, type SkillState } from "../../src/store/tenant/own-skill.ts";
import { deleteSkill, Place, putSkill, recordOf } from "./place.ts";

const FILE: StoredFile = { path: "references/a.md", digest: "f1", bytes: 3 };

describe("the versions of a skill", () => {
  test("count writes that differ, and keep what was there with its author, time, files and base", async () => {
    const [one, two] = [await recordOf("a", "1.0.0"), await recordOf("a", "2.0.0")];
    const change = { contents: new Map(), files: [], base: null };
    const first = nextSkill(null, { ...change, record: one }, "ann", 1_000);
    expect(first).toMatchObject({ version: 1, author: "ann", writtenAt: 1_000, former: [] });
    const second = nextSkill(first, { ...change, record: two, base: "b1" }, "bob", 2_000);
    expect(second).toMatchObject({ version: 2, author: "bob", base: "b1", digest: two.digest });
    expect(second.former).toEqual([
      { version: 1, digest: one.digest, author: "ann", writtenAt: 1_000, files: [], base: null },
    ]);
    const third = nextSkill(second, { ...change, record: two, files: [FILE], base: "b1" }, "cy", 3_000);
    expect([third.version, third.former.map(({ version }) => version)]).toEqual([3, [2, 1]]);
  });

  test("stay the same where a write changes nothing, though it is written later", async () => {
    const record = await recordOf("a");
    const change = { record, contents: new Map(), files: [FILE], base: null };
    const first = nextSkill(null, change, "ann", 1_000);
    const again = nextSkill(first, { ...change, files: [{ ...FILE }], base: "b2" }, "bob", 5_000);
    expect(again).toMatchObject({ version: 1, author: "ann", writtenAt: 5_000, base: "b2", former: [] });
  });

  test("are never two of one time, whatever the clock says, and never more than are kept", async () => {
    const records = await Promise.all(["1.0.0", "2.0.0"].map((version) => recordOf("a", version)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 40 }),
        async (times) => {
          let state: SkillState | null = null;
          const seen: number[] = [];
          for (const [index, time] of times.entries()) {
            const record = records[index % 2];
            if (record === undefined) throw new Error("no record");
            const next: SkillState = nextSkill(
              state,
              { record, contents: new Map(), files: [], base: null },
              "x",
              time,
            );
            seen.push(next.writtenAt);
            expect(next.former.length).toBe(Math.min(index, MAX_FORMER_VERSIONS));
            expect(next.version).toBe(index + 1);
            state = next;
          }
          expect(new Set(seen).size).toBe(seen.length);
        },
      ),
    );
  });
});

describe("the contents that a skill names", () => {
  test("are its document, files and base, and those of the versions before", async () => {
    const [one, two] = [await recordOf("a", "1.0.0"), await recordOf("a", "2.0.0")];
    const first = nextSkill(null, { record: one, contents: new Map(), files: [FILE], base: "b1" }, "x", 1);
    const second = nextSkill(first, { record: two, contents: new Map(), files: [], base: "b2" }, "x", 2);
    expect(namedContents(second)).toEqual(new Set([one.digest, two.digest, "f1", "b1", "b2"]));
  });
});

/** Puts a file under a digest that stands for what it says. */
function withFile(text: string) {
  return {
    files: [{ path: "references/a.md", digest: text, bytes: text.length }],
    contents: new Map([[text, new TextEncoder().encode(text)]]),
  };
}

describe("what no version names any more", () => {
  test("is kept for as long as another place may go on from an older state, and then swept away", async () => {
    const place = new Place();
    const store = place.isolate();
    const write = async (round: number) => {
      const record = await recordOf("a", `1.0.${round % 2}`);
      await place.time.until(putSkill(store, record, withFile(`file-${round}`)));
      await place.rest();
    };
    for (let round = 0; round <= MAX_FORMER_VERSIONS + 1; round++) {
      await write(round);
      await place.time.pass(1_000);
    }
    expect(place.storage.stored("content:t:a:file-0")).toBe("file-0");
    await place.time.pass(600_000);
    // The first write after a while sees a state in which it has long been nobody's.
    await write(MAX_FORMER_VERSIONS + 2);
    expect(place.storage.stored("content:t:a:file-0")).toBeNull();
    expect(place.storage.stored("content:t:a:file-1")).toBe("file-1");
    expect(place.storage.keys("content:t:a:").length).toBeLessThanOrEqual(MAX_FORMER_VERSIONS + 4);
  });

  test("is swept away with a skill that was deleted, and nothing of the others", async () => {
    const place = new Place();
    const store = place.isolate();
    for (const name of ["a", "b"])
      await place.time.until(putSkill(store, await recordOf(name), withFile(name)));
    await place.time.until(deleteSkill(store, "a"));
    await place.time.pass(600_000);
    await place.names(place.isolate());
    await place.rest();
    expect(place.storage.keys("content:t:")).toEqual(["content:t:b:b"]);
  });

  test("is not what an upload has just put that is not finished yet", async () => {
    const place = new Place();
    const store = place.isolate();
    await place.time.until(putSkill(store, await recordOf("a"), withFile("old")));
    await place.time.pass(600_000);
    await place.storage.put("content:t:a:underway", "x", { putAt: place.time.now() });
    await place.time.until(putSkill(store, await recordOf("a", "2.0.0"), withFile("new")));
    await place.rest();
    expect(place.storage.stored("content:t:a:underway")).toBe("x");
  });
});
