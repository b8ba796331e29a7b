import { beforeAll, describe, expect, test } from "vitest";
import { bundle } from "#catalog";
import type { FunctionDefinition, SkillRecord } from "../../src/ir.ts";
import type { JsonObject } from "../../src/json.ts";
import { schemaValidator } from "../../src/schema/index.ts";
import { call, objectOf } from "./ask.ts";
import { calm } from "./upstream.ts";

/** Tests that ran before may have left faults in the sandbox. */
beforeAll(calm);

/** Every skill that the worker under test carries. */
const skills = Object.values(bundle.records).map((text) => (JSON.parse(text) as SkillRecord).skill);
const functions = skills.flatMap(({ functions: own }) => own);

interface Shown {
  name: string;
  parameters: JsonObject;
  definition: FunctionDefinition;
}

/** Every call that the examples of the skills show, and every set of arguments that a function shows. */
const shown: Shown[] = [
  ...skills.flatMap(({ examples }) => examples.flatMap(({ calls }) => calls)),
  ...functions.flatMap(({ name, examples }) =>
    examples.map((parameters) => ({ function: name, parameters })),
  ),
].flatMap(({ function: name, parameters }) => {
  const definition = functions.find((candidate) => candidate.name === name);
  return definition === undefined ? [] : [{ name, parameters, definition }];
});

describe("what the bundled skills show as examples", () => {
  test.each(functions.map(({ name }) => name))("has a call of %s", (name) => {
    expect(shown.map((example) => example.name)).toContain(name);
  });

  test.each(shown)("works, and gives what it promises: $name $parameters", async (example) => {
    const { json } = await call(example.name, example.parameters);
    expect(objectOf(json)).toHaveProperty("data");
    const { returns } = example.definition;
    const faults = returns === null ? [] : schemaValidator(returns).validate(objectOf(json).data ?? null);
    expect(faults).toEqual([]);
  });

  test.each(skills.filter(({ upstreams }) => upstreams.length > 0))(
    "stands beside a promise of what comes back: $name",
    ({ functions: own }) => {
      const silent = own.filter(({ returns, binding }) => returns === null && binding.kind !== "prompt");
      expect(silent.map(({ name }) => name)).toEqual([]);
    },
  );
});
