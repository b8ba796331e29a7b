import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { neededBy, orderOf, type Waiting } from "../../../../../src/compile/protocol/function/steps/order.ts";

const waiting = (edges: Record<string, string[]>): Waiting =>
  new Map(Object.entries(edges).map(([id, others]) => [id, new Set(others)]));

describe("steps are brought into an order", () => {
  test.each<[string, Record<string, string[]>, string[]]>([
    ["that is the document's where none waits", { b: [], a: [], c: [] }, ["b", "a", "c"]],
    ["in which each comes after what it waits for", { c: ["b"], b: ["a"], a: [] }, ["a", "b", "c"]],
    ["that moves no more than it has to", { a: ["d"], b: [], c: ["b"], d: [] }, ["b", "c", "d", "a"]],
    ["of none", {}, []],
  ])("%s", (_case, edges, ids) => {
    expect(orderOf(waiting(edges))).toEqual({ ok: true, ids });
  });

  test.each<[string, Record<string, string[]>, string[]]>([
    ["that waits for itself", { a: [], b: ["b"] }, ["b"]],
    ["of two", { a: ["b"], b: ["a"] }, ["a", "b"]],
    ["that others wait for", { x: ["a"], a: ["b"], b: ["c"], c: ["a"] }, ["a", "b", "c"]],
  ])("or the circle is named: one %s", (_case, edges, circle) => {
    expect(orderOf(waiting(edges))).toEqual({ ok: false, circle });
  });

  const graphs = fc
    .array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
    .map((lists) =>
      waiting(
        Object.fromEntries(
          lists.map((list, id) => [
            `s${id}`,
            list.filter((other) => other < lists.length).map((other) => `s${other}`),
          ]),
        ),
      ),
    );

  test("whatever waits for what, it is an order or a circle", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const order = orderOf(graph);
        if (order.ok) {
          expect([...order.ids].sort()).toEqual([...graph.keys()].sort());
          order.ids.forEach((id, index) => {
            for (const other of graph.get(id) ?? []) expect(order.ids.indexOf(other)).toBeLessThan(index);
          });
        } else {
          order.circle.forEach((id, index) => {
            const next = order.circle[(index + 1) % order.circle.length] ?? "";
            expect(graph.get(id)).toContain(next);
          });
        }
      }),
    );
  });
});

test("what something needs is all that it waits for, directly or not", () => {
  const graph = waiting({ a: [], b: ["a"], c: ["b"], d: ["a", "d"], e: [] });
  expect([...neededBy(["c"], graph)].sort()).toEqual(["a", "b", "c"]);
  expect([...neededBy(["d"], graph)].sort()).toEqual(["a", "d"]);
  expect([...neededBy([], graph)]).toEqual([]);
});
