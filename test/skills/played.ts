import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../scripts/sandbox/server.ts";
import { sandboxVariables } from "../../scripts/sandbox/upstreams/index.ts";
import { type Failure, success } from "../../src/errors.ts";
import type { Skill } from "../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";
import { compiled } from "../compile/compiled.ts";
import { Surroundings } from "../invoke/surroundings.ts";

/** A bundled skill in front of a sandbox that plays its upstreams and has the same clock. */
export interface PlayedSkill {
  skill: Skill;
  sandbox: Sandbox;
  surroundings: Surroundings;
  /** The data of a call that went well. */
  data(name: string, args: JsonObject): Promise<JsonValue>;
  /** The failure of one that did not. */
  failure(name: string, args: JsonObject): Promise<Failure>;
}

const KEY = "the-key";

export async function played(name: string, options: SandboxOptions = {}, key = KEY): Promise<PlayedSkill> {
  const file = join(import.meta.dirname, `../../skills/${name}/SKILL.md`);
  const { skill } = compiled(readFileSync(file, "utf8"), { folder: name });
  if (skill === null) throw new Error(`the skill ${name} does not compile`);
  const surroundings = new Surroundings(skill, { baseUrl: "https://unused.test" });
  const { now } = surroundings.dependencies;
  const sandbox = await startSandbox({ apiKey: KEY, now, ...options });
  onTestFinished(() => sandbox.close());
  const variables = sandboxVariables(sandbox.url, key);
  Object.assign(surroundings.dependencies, {
    baseUrlOf: (variable: string) => variables[variable],
  });
  Object.assign(surroundings.dependencies.secrets, {
    secretFor: (variable: string) => success(variables[variable]),
  });
  return {
    skill,
    sandbox,
    surroundings,
    async data(called, args) {
      const result = await surroundings.call(skill, called, args);
      if (result.ok) return result.value.data;
      throw new Error(`${called} failed: ${JSON.stringify(result.failure)}`);
    },
    async failure(called, args) {
      const result = await surroundings.call(skill, called, args);
      if (!result.ok) return result.failure;
      throw new Error(`${called} went well: ${JSON.stringify(result.value.data)}`);
    },
  };
}
