import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxVariables, upstreams } from "../../../scripts/sandbox/upstreams/index.ts";
import { readSkills } from "../../../src/cli/skills/read.ts";

const { compiled } = await readSkills(join(import.meta.dirname, "../../../skills"));
const skills = compiled.map(({ skill }) => skill);
const variables = sandboxVariables("http://sandbox.test", "the-key");

test.each(skills.flatMap((skill) => skill.upstreams.map(({ upstream }) => upstream)))(
  "$baseUrl is played, at a path that ends as its own",
  ({ baseUrl, baseUrlVariable }) => {
    const url = variables[baseUrlVariable ?? ""] ?? "";
    expect(new URL(url).pathname).toMatch(new RegExp(`${new URL(baseUrl).pathname}$`));
  },
);

test.each(skills.flatMap(({ constraints }) => constraints.authentication))(
  "the secret of $variable is the sandbox's key",
  ({ variable }) => {
    expect(variables[variable]).toBe("the-key");
  },
);

test("no two upstreams begin at the same path or share a variable", () => {
  const paths = upstreams.map(({ basePath }) => basePath);
  const names = upstreams.flatMap(({ baseUrls, keyVariable }) => [...Object.keys(baseUrls), keyVariable]);
  const named = names.filter((name) => name !== null);
  expect([new Set(paths).size, new Set(named).size]).toEqual([paths.length, named.length]);
});
