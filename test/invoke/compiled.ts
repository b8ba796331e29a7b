import { type CompileResult, compileSkill } from "../../src/compile/index.ts";
import { type PreparedFunction, prepare } from "../../src/invoke/prepared.ts";
import type { FunctionDefinition, RequestBinding, Skill } from "../../src/ir.ts";
import type { JsonObject, JsonValue } from "../../src/json.ts";

/** What a test says of a skill with one function; everything else is the smallest thing that compiles. */
export interface Sketch {
  /** The properties of the function's parameters. */
  parameters?: JsonObject;
  required?: string[];
  /** `GET /x` of the upstream unless said otherwise. */
  request?: JsonObject;
  /** Put in place of `request`. */
  compute?: string;
  response?: JsonObject;
  /** More members of the function. */
  also?: JsonObject;
  /** More members of the one upstream, or several by name. */
  upstream?: JsonObject;
  upstreams?: JsonObject;
  constraints?: JsonObject;
}

/** Compiles a sketch as the document that an author would write. */
export function compiled(sketch: Sketch): Skill {
  const { skill, diagnostics } = compile(sketch);
  if (skill !== null) return skill;
  throw new Error(diagnostics.map(({ message }) => message).join("\n"));
}

function compile(sketch: Sketch): CompileResult {
  const { parameters = {}, required = [], request = {}, compute, response, also } = sketch;
  const protocol = {
    ...(sketch.upstreams === undefined
      ? { upstream: { base_url: "https://api.test/v1", ...sketch.upstream } }
      : { upstreams: sketch.upstreams }),
    functions: [
      {
        name: "ask",
        description: "Asks the upstream for what a test wants.",
        parameters: { type: "object", properties: parameters, required },
        ...(compute === undefined ? { request: { method: "GET", path: "/x", ...request } } : { compute }),
        ...(response === undefined ? {} : { response }),
        ...also,
      },
    ],
    ...(sketch.constraints === undefined ? {} : { constraints: sketch.constraints }),
  };
  const text = [
    "---",
    "name: demo",
    "description: A small skill that stands for any other in tests.",
    "---",
    "```json",
    JSON.stringify(protocol, null, 2),
    "```",
  ].join("\n");
  return compileSkill(text, { file: "SKILL.md", folder: "demo", mayNameBaseUrlVariable: () => true });
}

/**
 * A sketch with its credentials put in after compiling: the compiler refuses fields that travel under the name of one,
 * and a plan must not depend on it.
 */
export function authenticated(sketch: Sketch, authentication: JsonValue): Skill {
  const skill = compiled(sketch);
  const { constraints } = compiled({ constraints: { authentication } });
  return { ...skill, constraints: { ...skill.constraints, authentication: constraints.authentication } };
}

export function functionOf(skill: Skill): FunctionDefinition {
  const [definition] = skill.functions;
  if (definition === undefined) throw new Error("the skill has no function");
  return definition;
}

export function requestOf(sketch: Sketch): RequestBinding {
  const { binding } = functionOf(compiled(sketch));
  if (binding.kind !== "request") throw new Error("the function sends no request");
  return binding.request;
}

export function prepared(sketch: Sketch): PreparedFunction {
  const skill = compiled(sketch);
  return prepare(skill, functionOf(skill));
}

/** Parameters without any rule, by name. */
export function anyOf(...names: string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, {}]));
}

/** Parameters that travel in a place of their own, by name. */
export function placed(place: string, names: readonly string[], more: JsonObject = {}): JsonObject {
  const schema: JsonValue = { "x-in": place, ...more };
  return Object.fromEntries(names.map((name) => [name, schema]));
}
