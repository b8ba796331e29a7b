import {
  compileExpression,
  type Evaluation,
  type Expression,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
  type Scope,
} from "../expression/index.ts";
import type { FunctionDefinition, Skill } from "../ir.ts";
import type { JsonObject, JsonValue } from "../json.ts";
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
  readonly #scope: Scope;
  readonly #replyScope: Scope;
  readonly #expressions = new Map<string, Expression>();
  readonly #replyExpressions = new Map<string, Expression>();
  #validator: SchemaValidator | undefined;

  constructor(skill: Skill, definition: FunctionDefinition) {
    this.skill = skill;
    this.definition = definition;
    this.#scope = ruleScope(skill, definition);
    this.#replyScope = joinScopes(this.#scope, RESPONSE_SCOPE);
  }

  get validator(): SchemaValidator {
    this.#validator ??= schemaValidator(this.definition.parameters);
    return this.#validator;
  }

  /** Computes an expression over the arguments of a call. */
  evaluate(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return run(source, this.#scope, this.#expressions, values);
  }

  /** Computes an expression over the arguments and an upstream's reply. */
  evaluateReply(source: string, values: ReadonlyMap<string, JsonValue>): Evaluation {
    return run(source, this.#replyScope, this.#replyExpressions, values);
  }
}

function run(
  source: string,
  scope: Scope,
  compiled: Map<string, Expression>,
  values: ReadonlyMap<string, JsonValue>,
): Evaluation {
  const known = compiled.get(source);
  if (known !== undefined) return known.evaluate(values);
  const compilation = compileExpression(source, scope);
  if (!compilation.ok) return { ok: false, reason: compilation.faults[0]?.message ?? "it is not valid" };
  compiled.set(source, compilation.expression);
  return compilation.expression.evaluate(values);
}

/** Rules of a skill may name any of its functions' parameters; those that this function lacks are null. */
function ruleScope(skill: Skill, definition: FunctionDefinition): Scope {
  const others = skill.functions.flatMap((other) => [...parameterScope(other.parameters).keys()]);
  const lacking = new Map(others.map((name) => [name, "dyn"] as const));
  return joinScopes(lacking, parameterScope(definition.parameters));
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
