import {
  compileExpression,
  ELEMENT_SCOPE,
  type Evaluation,
  type Expression,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
  type Scope,
  STEPS_SCOPE,
  sharedScope,
} from "../expression/index.ts";
import type { FunctionDefinition, Skill } from "../ir.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type SchemaValidator, schemaValidator } from "../schema/index.ts";

/** What every expression of a call may name besides the function's parameters. */
interface CallScope {
  /** `call` in expressions. */
  call: { id: string; time: number; skill: string; function: string };
  /** `vars` in expressions: the operator's SKILL_* variables, never secrets. */
  vars: JsonObject;
}

/** A function made ready to be called: its validator and expressions are made at first use and then kept. */
export class PreparedFunction {
  readonly skill: Skill;
  readonly definition: FunctionDefinition;
  /** Parameters of other functions of the skill that this one lacks. */
  readonly foreignParameters: ReadonlySet<string>;
  readonly #arguments: Evaluator;
  readonly #reply: Evaluator;
  readonly #steps: Evaluator;
  readonly #element: Evaluator;
  #validator: SchemaValidator | undefined;

  constructor(skill: Skill, definition: FunctionDefinition) {
    this.skill = skill;
    this.definition = definition;
    this.foreignParameters = foreignParameters(skill, definition);
    const scope = parameterScope(definition.parameters);
    this.#arguments = new Evaluator(scope);
    this.#reply = new Evaluator(joinScopes(scope, RESPONSE_SCOPE));
    this.#steps = new Evaluator(joinScopes(scope, STEPS_SCOPE));
    this.#element = new Evaluator(joinScopes(scope, STEPS_SCOPE, ELEMENT_SCOPE));
  }

  get validator(): SchemaValidator {
    this.#validator ??= schemaValidator(this.definition.parameters);
    return this.#validator;
  }

  /** Computes an expression over the arguments of a call. */
  evaluate(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return this.#arguments.evaluate(source, values);
  }

  /** Computes a rule that the skill has for all its functions. */
  evaluateRule(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return rulesOf(this.skill).evaluate(source, values);
  }

  /** Computes an expression over the arguments and an upstream's reply. */
  evaluateReply(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return this.#reply.evaluate(source, values);
  }

  /** Computes an expression over the arguments and the results of a chain's steps. */
  evaluateSteps(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return this.#steps.evaluate(source, values);
  }

  /** As `evaluateSteps`, with the element of a list that a step is run for. */
  evaluateElement(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return this.#element.evaluate(source, values);
  }
}

/** The expressions of one scope, each compiled once. */
class Evaluator {
  readonly #scope: Scope;
  readonly #compiled = new Map<string, Expression>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  evaluate(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known.evaluate(values);
    const compilation = compileExpression(source, this.#scope);
    if (!compilation.ok) return { ok: false, reason: compilation.faults[0]?.message ?? "it is not valid" };
    this.#compiled.set(source, compilation.expression);
    return compilation.expression.evaluate(values);
  }
}

const rules = new WeakMap<Skill, Evaluator>();

/** The rules of a skill, in the scope that they were checked in. */
function rulesOf(skill: Skill): Evaluator {
  let known = rules.get(skill);
  if (known === undefined) {
    known = new Evaluator(sharedScope(skill.functions.map(({ parameters }) => parameters)));
    rules.set(skill, known);
  }
  return known;
}

/** The parameters that only other functions of the skill have. */
function foreignParameters(skill: Skill, definition: FunctionDefinition): ReadonlySet<string> {
  const own = new Set(parameterNames(definition));
  return new Set(skill.functions.flatMap(parameterNames).filter((name) => !own.has(name)));
}

function parameterNames({ parameters: { properties } }: FunctionDefinition): string[] {
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

const prepared = new WeakMap<FunctionDefinition, PreparedFunction>();

/** The prepared form of a function; the same one for as long as the definition lives. */
export function prepare(skill: Skill, definition: FunctionDefinition): PreparedFunction {
  const known = prepared.get(definition);
  if (known !== undefined) return known;
  const made = new PreparedFunction(skill, definition);
  prepared.set(definition, made);
  return made;
}

/** The values that expressions of a call see, by name. */
export function callValues(args: JsonObject, scope: CallScope): Map<string, JsonValue> {
  const values = new Map(Object.entries(args));
  values.set("args", args);
  values.set("call", { ...scope.call });
  values.set("vars", scope.vars);
  return values;
}
