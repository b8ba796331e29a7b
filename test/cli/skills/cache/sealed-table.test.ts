import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SealedTable } from "../../../../src/cli/skills/cache/sealed-table.ts";
import { folderWith } from "../../command.ts";

const NAME = `${"0".repeat(64)}.texts`;

test("texts come back as they were kept, whatever they say", () => {
  const folder = folderWith({});
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[0-9a-f]{8}$/), fc.json()), (texts) => {
      const written = SealedTable.open(folder, NAME);
      for (const [key, text] of Object.entries(texts)) written.set(key, text);
      written.save();
      const read = SealedTable.open(folder, NAME);
      for (const [key, text] of Object.entries(texts)) expect(read.get(key)).toBe(text);
      expect(read.get("another")).toBeNull();
    }),
    { numRuns: 50 },
  );
  expect(readdirSync(folder)).toEqual([NAME]);
});

test("of two that are saved, one stays as a whole", () => {
  const folder = folderWith({});
  const [one, other] = [SealedTable.open(folder, NAME), SealedTable.open(folder, NAME)];
  one.set("a", "1");
  other.set("b", "2");
  one.save();
  other.save();
  const read = SealedTable.open(folder, NAME);
  expect([read.get("a"), read.get("b")]).toEqual([null, "2"]);
  expect(readdirSync(folder)).toEqual([NAME]);
});

test("what is asked for under a key that was never set is nothing, and nothing is written of it", () => {
  const folder = folderWith({});
  const table = SealedTable.open(join(folder, "deeper"), NAME);
  expect(table.get("a")).toBeNull();
  table.save();
  expect(readdirSync(folder)).toEqual([]);
});
