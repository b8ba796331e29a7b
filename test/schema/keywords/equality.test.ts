import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/json.ts";
import { identityOf } from "../../../src/schema/keywords/equality.ts";

const text = fc.constantFrom("", "a", "b", "1", "null", ",", ":", '"', "潮", "__proto__");
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, false, 0, -0, 1, 1.5, 1e21),
    text,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: false }),
  ),
}));

/** The same value, its members in the opposite order. */
function reversed(given: JsonValue): JsonValue {
  if (Array.isArray(given)) return given.map(reversed);
  if (typeof given !== "object" || given === null) return given;
  const members = Object.entries(given).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

test("a value has the same identity with its members in another order", () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(identityOf(given)).toBe(identityOf(reversed(given)));
    }),
  );
});

test("values have one identity where they are equal, and only there", () => {
  fc.assert(
    fc.property(value, value, (left, right) => {
      const areEqual = isDeepStrictEqual(withoutSigns(left), withoutSigns(right));
      expect(identityOf(left) === identityOf(right)).toBe(areEqual);
    }),
  );
});

/** JSON Schema knows one zero. */
function withoutSigns(given: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(given));
}
