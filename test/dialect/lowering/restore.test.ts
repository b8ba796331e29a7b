import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathAsGiven, restoreKeys } from "../../../src/dialect/lowering/restore.ts";
import { atPointer, escapePointerToken, isJsonObject, type JsonValue } from "../../../src/json.ts";

const aliases = new Map([
  ["城市", "key_1"],
  ["a/b", "a_b_2"],
  ["~", "key_3"],
]);
const keyOfAlias = new Map([...aliases].map(([key, alias]) => [alias, key]));

describe("a path into restored arguments, in the words of those that were given", () => {
  test.each<[string, JsonValue, string]>([
    ["", {}, ""],
    ["/城市", { key_1: 1 }, "/key_1"],
    ["/城市", { 城市: 1 }, "/城市"],
    ["/城市", {}, "/key_1"],
    ["/plain/城市", { plain: { key_1: 1 } }, "/plain/key_1"],
    ["/plain/1/城市", { plain: [{}, { 城市: 1 }] }, "/plain/1/城市"],
    ["/plain/1/城市", { plain: [{}, {}] }, "/plain/1/key_1"],
    ["/a~1b/~0/0", { a_b_2: { key_3: [1] } }, "/a_b_2/key_3/0"],
    ["/plain/城市", { plain: '{"key_1": 1}' }, "/plain/key_1"],
    ["/toString/城市", {}, "/toString/key_1"],
  ])("%j of %j is %j", (path, given, expected) => {
    expect(pathAsGiven(path, given, aliases)).toBe(expected);
  });

  test("stays where nothing has another name", () => {
    expect(pathAsGiven("/城市/0", { key_1: [1] }, new Map())).toBe("/城市/0");
  });

  const key = fc.constantFrom(...keyOfAlias.keys(), "plain", "其他", "", "0");
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(key, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  test("leads to the very value that was given, wherever it stands", () => {
    fc.assert(
      fc.property(tree, (given) => {
        const restored = restoreKeys(keyOfAlias)?.(given, 0) ?? given;
        for (const [path, leaf] of leavesOf(restored)) {
          expect(atPointer(given, pathAsGiven(path, given, aliases))).toEqual(leaf);
        }
      }),
    );
  });
});

/** Every value that holds no others, by its path. */
function leavesOf(value: JsonValue, path = ""): [string, JsonValue][] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, `${path}/${escapePointerToken(key)}`),
  );
}
