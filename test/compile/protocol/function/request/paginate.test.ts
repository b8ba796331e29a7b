import { describe, expect, test } from "vitest";
import type { Pagination } from "../../../../../src/ir.ts";
import { MAX_PAGES } from "../../../../../src/limits.ts";
import { compiled, said, withBlock } from "../../../compiled.ts";

/** A function that pages like this; `paginate` is on line 12 behind column 15. */
function skillWith(paginate: string, method = "GET", more = ""): string {
  return withBlock(
    [
      "upstream: {base_url: https://x.example}",
      "functions:",
      "  - name: f",
      "    description: d",
      "    parameters: {properties: {a: {type: integer}, page: {type: integer}}}",
      `    request: {method: ${method}, path: /x}`,
      `    paginate: {${paginate}}${more}`,
    ].join("\n"),
  );
}

function paginationOf(yaml: string): Pagination | null {
  const { skill, diagnostics } = compiled(skillWith(yaml));
  expect(diagnostics).toEqual([]);
  const binding = skill?.functions[0]?.binding;
  return binding?.kind === "request" ? binding.paginate : null;
}

describe("pages are gathered", () => {
  test.each<[string, string, Pagination]>([
    [
      "by a cursor",
      "kind: cursor, parameter: cursor, next: body.next, max_pages: 5",
      { kind: "cursor", parameter: "cursor", next: "body.next", maxPages: 5 },
    ],
    [
      "by their numbers, which a parameter may begin",
      "kind: page, parameter: page, max_pages: 5",
      { kind: "page", parameter: "page", first: 1, more: null, maxPages: 5 },
    ],
    [
      "by their numbers from 0 on, for as long as there are more",
      "kind: page, parameter: p, first: 0, more: status == 200 && body.page < args.a, max_pages: 1",
      { kind: "page", parameter: "p", first: 0, more: "status == 200 && body.page < args.a", maxPages: 1 },
    ],
    [
      "by the items seen",
      `kind: offset, parameter: offset, more: 'headers["x-more"] == "1"', max_pages: ${MAX_PAGES}`,
      { kind: "offset", parameter: "offset", more: 'headers["x-more"] == "1"', maxPages: MAX_PAGES },
    ],
    ["by links", "kind: link, max_pages: 2", { kind: "link", maxPages: 2 }],
  ])("%s", (_case, yaml, pagination) => {
    expect(paginationOf(yaml)).toEqual(pagination);
  });

  test("a parameter that only they name is not sent", () => {
    const text = skillWith("kind: offset, parameter: offset, more: body.total > a, max_pages: 2");
    const { skill, diagnostics } = compiled(text);
    expect(diagnostics).toEqual([]);
    expect(skill?.functions[0]?.binding).toMatchObject({ request: { query: [{ name: "page" }] } });
  });
});

describe("pages that could never be gathered", () => {
  test.each([
    ["of no kind", "max_pages: 2", ["missing-field 12:15"]],
    ["of an unknown kind", "kind: token, max_pages: 2", ["not-one-of 12:22"]],
    ["without an end", "kind: link", ["missing-field 12:15"]],
    ["too many", `kind: link, max_pages: ${MAX_PAGES + 1}`, ["value-out-of-range 12:39"]],
    ["by a cursor that is sent nowhere", "kind: cursor, next: body.n, max_pages: 2", ["missing-field 12:15"]],
    [
      "by a cursor that comes from nowhere",
      "kind: cursor, parameter: c, max_pages: 2",
      ["missing-field 12:15"],
    ],
    [
      "by a cursor that is misspelt",
      "kind: cursor, parameter: c, next: boddy.n, max_pages: 2",
      ["expression-invalid 12:50"],
    ],
    [
      "for as long as a number says",
      "kind: page, parameter: p, more: status, max_pages: 2",
      ["expression-not-boolean 12:48"],
    ],
    [
      "with the field of another kind",
      "kind: link, next: body.n, max_pages: 2",
      ["field-of-another-kind 12:28"],
    ],
  ])("%s are said", (_case, yaml, diagnostics) => {
    expect(said(skillWith(yaml))).toEqual(diagnostics);
  });

  test("of what is not read-only are said, unless the document says that it is", () => {
    const link = "kind: link, max_pages: 2";
    expect(said(skillWith(link, "POST"))).toEqual(["read-only-needed 12:5"]);
    expect(said(skillWith(link, "POST", "\n    annotations: {read_only: true}"))).toEqual([]);
  });

  test("of what sends no request are said", () => {
    const yaml =
      "functions:\n  - {name: f, description: d, compute: 1 + 1, paginate: {kind: link, max_pages: 2}}";
    expect(said(withBlock(yaml))).toEqual(["field-of-another-kind 7:47"]);
  });
});
