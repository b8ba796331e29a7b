import { describe, expect, test } from "vitest";
import { compileExpression, parameterScope } from "../../src/expression/index.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { computed } from "./computed.ts";

const NAMED_BY_PATTERN: JsonObject = {
  type: "object",
  additionalProperties: false,
  patternProperties: { "^x": {} },
};

const parameters: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["address", "tags", "ids", "rows", "open", "pair", "matrix"],
  properties: {
    address: {
      type: "object",
      additionalProperties: false,
      properties: {
        city: { type: "string" },
        floor: { type: "integer" },
        geo: { type: "object", properties: { lat: { type: "number" } } },
        lines: { type: "array", items: { type: "integer" } },
      },
    },
    tags: { type: "array", items: { type: "string" } },
    ids: { type: "array", items: { type: "integer" } },
    matrix: { type: "array", items: { type: "array", items: { type: "integer" } } },
    rows: {
      type: "array",
      items: { type: "object", additionalProperties: false, properties: { name: { type: "string" } } },
    },
    open: { type: "object" },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
    named: NAMED_BY_PATTERN,
    note: { type: "string" },
  },
};

const scope = parameterScope(parameters);

const args: JsonObject = {
  address: { city: "上海", floor: 3, geo: { lat: 31.2, lon: 121.5 }, lines: [1, 2] },
  tags: ["a", "b"],
  ids: [3, 4],
  matrix: [[1], [2]],
  rows: [{ name: "b" }, { name: "a" }],
  open: { z: 1 },
  pair: ["a", 1],
};

const faultsOf = (source: string): string[] => {
  const compilation = compileExpression(source, scope);
  return compilation.ok
    ? []
    : compilation.faults.map(({ start, end, message }) => `${start}-${end} ${message}`);
};

describe("a schema's types are known to an expression: refused is", () => {
  test.each([
    [
      "a member that a closed object has not",
      "address.citi",
      "0-12 there is no citi here, only city, floor, geo, lines",
    ],
    ["the same in brackets", 'address["citi"]', "0-15 there is no citi here, only city, floor, geo, lines"],
    ["asking for it", "has(address.citi)", "4-16 there is no citi here, only city, floor, geo, lines"],
    [
      "the same through a binding",
      "cel.bind(a, address, a.citi)",
      "21-27 there is no citi here, only city, floor, geo, lines",
    ],
    ["a member of a list's objects", "rows.map(r, r.nam)", "12-17 there is no nam here, only name"],
    ["the same by index", "rows[0].nam", "0-11 there is no nam here, only name"],
    ["the same in a key to sort by", "rows.sortBy(r, r.nam)", "15-20 there is no nam here, only name"],
    [
      "an argument that there is not",
      "args.adress",
      "0-11 there is no adress here, only address, tags, ids, matrix, rows, open, pair, named, note",
    ],
    ["a number added to a member that is text", "address.city + 1", "0-16 no such overload: string + int"],
    [
      "a text added to a number deep inside",
      "address.geo.lat + 'a'",
      "0-21 no such overload: double + string",
    ],
    ["a number added to an element that is text", "tags[0] + 1", "0-11 no such overload: string + int"],
    ["the same in a loop", "tags.map(t, t + 1)", "12-17 no such overload: string + int"],
    ["a number looked for among texts", "1 in tags", "0-9 no such overload: int in list<string>"],
    [
      "a number compared with a text of a row",
      "rows.exists(r, r.name == 1)",
      "15-26 no such overload: string == int",
    ],
  ])("%s", (_case, source, fault) => {
    expect(faultsOf(source)).toEqual([fault]);
  });
});

describe("a schema's types do not stand in the way: a value has", () => {
  test.each<[string, string, JsonValue]>([
    ["a member", "address.city + '市'", "上海市"],
    ["a whole number as a member", "address.floor + 1", 4],
    ["which mixes as JSON's numbers do", "address.floor / 2", 1.5],
    ["a member that an open object need not name", "address.geo.lon", 121.5],
    ["a member of an object without properties", "open.z", 1],
    ["the object as a map", "size(address) + address.map(k, k).size()", 8],
    ["the object compared", "address == {'city': '上海'}", false],
    ["the whole object", "address", args.address ?? null],
    ["members picked", "address.pick(['city'])", { city: "上海" }],
    ["whole numbers of a list", "ids[0] / 2", 1],
    ["and of lists in it", "matrix.map(row, row[0] % 2)", [1, 0]],
    ["not of lists inside objects", "address.lines[0] / 2", 0.5],
    ["mixed arithmetic over a list", "ids.map(i, i * 1.5)", [4.5, 6]],
    ["the list itself", "ids", [3, 4]],
    ["a list of several types", "pair[1] == 1", true],
    ["an optional argument that is absent", "args.?note.orValue('none')", "none"],
    ["the same of a closed object", "address.?zip.orValue('none')", "none"],
    ["another variable of the same name", "[{'nam': 1}].map(rows, rows.nam)", [1]],
  ])("%s", (_case, source, value) => {
    const result = computed(source, { ...args, args, note: null, named: null }, scope);
    expect(result).toEqual({ ok: true, value });
  });

  test("names that a pattern allows are not known beforehand", () => {
    const closed = parameterScope({ required: ["named"], properties: { named: NAMED_BY_PATTERN } });
    expect(compileExpression("named.xa", closed).ok).toBe(true);
  });

  test("where other arguments may be given, args has whatever name", () => {
    const open = parameterScope({ properties: parameters.properties ?? {} });
    expect(open.get("args")).toBe("map");
    expect(compileExpression("args.adress", open).ok).toBe(true);
  });
});

describe("a value that is not of its schema's type is refused when it is read", () => {
  test.each([
    ["a member", "address.city + 'a'", { address: { city: 1 } }, "city is not of the type string"],
    [
      "an element",
      "tags[0] + 'a'",
      { tags: [1] },
      "List item with index '0' is not of type 'string', got 'double'",
    ],
    [
      "an element in a loop",
      "tags.map(t, t + 'a')",
      { tags: [1] },
      "Variable 't' is not of type 'string', got 'double'",
    ],
  ])("%s", (_case, source, given, reason) => {
    expect(computed(source, { ...args, ...given, note: null }, scope)).toEqual({ ok: false, reason });
  });
});

describe("a whole number that may be absent is one where it is there", () => {
  const optional = parameterScope({
    type: "object",
    properties: {
      n: { type: "integer" },
      ids: { type: "array", items: { type: "integer" } },
      rate: { type: "number" },
    },
  });

  test.each<[string, JsonObject, JsonValue]>([
    ["lists.range(n)", { n: 2 }, [0, 1]],
    ['"abc".charAt(n)', { n: 1 }, "b"],
    ["[1, 2, 3].slice(0, n)", { n: 2 }, [1, 2]],
    ["n == null ? 10 : n + 1", { n: 2 }, 3],
    ["n == null ? 10 : n + 1", {}, 10],
    ["n == null", {}, true],
    ["n == 2", { n: 2 }, true],
    ["n > 1", { n: 2 }, true],
    ["string(n)", { n: 2 }, "2"],
    ["double(n) * rate", { n: 2, rate: 1.5 }, 3],
    ["n", { n: 9007199254740991 }, 9007199254740991],
    ["ids[0] + 1", { ids: [4] }, 5],
    ["lists.range(ids[0])", { ids: [1] }, [0]],
    ["ids == null ? 0 : ids.size()", {}, 0],
    ['{"n": n}', { n: 7 }, { n: 7 }],
  ])("%s of %j", (source, values, result) => {
    expect(computed(source, values, optional)).toEqual({ ok: true, value: result });
  });
});
