import { describe, expect, test } from "vitest";
import { said, withBlock } from "../../../compiled.ts";

interface Case {
  upstream?: string;
  properties?: string;
  request?: string;
  paginate?: string;
  authentication: string;
}

/** A skill with a credential; its upstream is on line 6, its properties on 10, its request on 11, `paginate` on 12. */
function skillWith({
  upstream = "",
  properties = "{}",
  request = "",
  paginate,
  authentication,
}: Case): string {
  return withBlock(
    [
      `upstream: {base_url: https://x.example${upstream}}`,
      "functions:",
      "  - name: f",
      "    description: d",
      `    parameters: {properties: ${properties}}`,
      `    request: {method: GET, path: /x${request}}`,
      ...(paginate === undefined ? [] : [`    paginate: {${paginate}}`]),
      `constraints: {authentication: [{method: ${authentication}, env_variable: K}]}`,
    ].join("\n"),
  );
}

const QUERY = "api_key, query: key";
const HEADER = "api_key, header: X-Key";

describe("nothing but the credential travels under its name", () => {
  test.each<[string, Case, string[]]>([
    ["a query field", { request: ", query: {key: x}", authentication: QUERY }, ["credential-taken 11:46"]],
    ["a parameter", { properties: "{key: {}}", authentication: QUERY }, ["credential-taken 10:31"]],
    [
      "a parameter's name on the wire",
      { properties: "{k: {x-name: key}}", authentication: QUERY },
      ["credential-taken 10:43"],
    ],
    [
      "the parameter that turns pages",
      { paginate: "kind: offset, parameter: key, max_pages: 3", authentication: QUERY },
      ["credential-taken 12:41"],
    ],
    [
      "a header, in other capitals",
      { request: ", headers: {x-key: x}", authentication: HEADER },
      ["credential-taken 11:48"],
    ],
    [
      "a header of the upstream",
      { upstream: ", headers: {X-KEY: x}", authentication: HEADER },
      ["credential-taken 6:51"],
    ],
    [
      "a parameter sent as a header",
      { properties: "{k: {x-in: header, x-name: X-Key}}", authentication: HEADER },
      ["credential-taken 10:57"],
    ],
    ["a query field of a header's name", { request: ", query: {X-Key: x}", authentication: HEADER }, []],
    ["a query field in other capitals", { request: ", query: {Key: x}", authentication: QUERY }, []],
    [
      "names of several credentials",
      {
        upstream: ", headers: {X-KEY: x}",
        request: ", query: {key: x, Key: x}",
        authentication:
          "bearer, env_variable: J}, {method: api_key, query: key, env_variable: L}, {method: api_key, header: X-Key",
      },
      ["credential-taken 6:51", "credential-taken 11:46"],
    ],
    ["any field beside a bearer", { request: ", query: {key: x}", authentication: "bearer" }, []],
  ])("%s", (_case, parts, diagnostics) => {
    expect(said(skillWith(parts))).toEqual(diagnostics);
  });
});
