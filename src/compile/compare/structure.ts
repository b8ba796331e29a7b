import type { Binding, FunctionDefinition, Skill } from "../../ir.ts";
import { escapePointerToken, isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../../json.ts";
import { MAX_LISTED_DIFFERENCES } from "../../limits.ts";

/** One thing that is different: where it stands (JSON Pointer), and what it was and is; null where it is not there. */
export interface Difference {
  path: string;
  before: JsonValue;
  after: JsonValue;
}

/** What is different about a function. */
export interface FunctionDifference {
  name: string;
  change: "added" | "removed" | "changed";
  differences: Difference[];
}

/** What is different for those who call a skill. */
export interface StructuralDifference {
  /** Of the skill as a whole: hosts, secrets, limits, what it says of itself. */
  skill: Difference[];
  functions: FunctionDifference[];
}

/** What two versions of a skill make different for those who call it; null stands for no skill. */
export function structuralDifference(before: Skill | null, after: Skill | null): StructuralDifference {
  const [old, young] = [functionsOf(before), functionsOf(after)];
  const names = [...new Set([...old.keys(), ...young.keys()])];
  return {
    skill: differences(before === null ? {} : skillView(before), after === null ? {} : skillView(after)),
    functions: names.flatMap((name) => functionDifference(name, old.get(name), young.get(name)) ?? []),
  };
}

function functionDifference(
  name: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): FunctionDifference | null {
  const found = differences(before ?? {}, after ?? {});
  if (before === undefined) return { name, change: "added", differences: found };
  if (after === undefined) return { name, change: "removed", differences: found };
  return found.length === 0 ? null : { name, change: "changed", differences: found };
}

/** What of a skill as a whole matters to those who call it, under the names that documents have for it. */
function skillView(skill: Skill): JsonObject {
  const { constraints } = skill;
  return {
    name: skill.name,
    description: skill.description,
    version: skill.version,
    category: skill.category,
    permission: skill.permission,
    overridable: skill.overridable,
    hosts: jsonObject(skill.upstreams.map(({ name, upstream }) => [name, hostOf(upstream.baseUrl)])),
    upstreams: jsonObject(skill.upstreams.map(({ name, upstream }) => [name, json(upstream)])),
    secrets: constraints.authentication.map(({ variable }) => variable),
    authentication: json(constraints.authentication),
    limits: json(constraints.globalLimits),
    error_handling: json(constraints.errorHandling),
    data_coverage: json(constraints.coverage),
  };
}

function functionsOf(skill: Skill | null): Map<string, JsonObject> {
  const functions = skill?.functions ?? [];
  return new Map(functions.map((definition) => [definition.name, functionView(definition, skill)]));
}

function functionView(definition: FunctionDefinition, skill: Skill | null): JsonObject {
  const limits = skill?.constraints.functionLimits.find((limit) => limit.function === definition.name);
  return {
    description: definition.description,
    parameters: definition.parameters,
    returns: definition.returns,
    annotations: json(definition.annotations),
    limits: json(limits?.limits ?? []),
    permission: definition.permission,
    cost: definition.cost,
    cache: json(definition.cache),
    timeout_ms: definition.timeoutMs,
    deprecated: definition.deprecated,
    ...bindingView(definition.binding),
  };
}

function bindingView(binding: Binding): JsonObject {
  const { kind, ...rest } = binding;
  return { kind, [kind]: json(rest) };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** What has the form of JSON already, as JSON. */
function json(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

/** What is different between two values, each thing at its innermost place; lists are looked at as a whole. */
function differences(before: JsonObject, after: JsonObject): Difference[] {
  const found: Difference[] = [];
  collect(before, after, "", found);
  return found;
}

function collect(before: JsonObject, after: JsonObject, at: string, found: Difference[]): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (found.length >= MAX_LISTED_DIFFERENCES) return;
    const path = `${at}/${escapePointerToken(key)}`;
    const [old, young] = [memberOf(before, key), memberOf(after, key)];
    if (isJsonObject(old) && isJsonObject(young)) collect(old, young, path, found);
    else if (JSON.stringify(old) !== JSON.stringify(young)) found.push({ path, before: old, after: young });
  }
}

function memberOf(object: JsonObject, key: string): JsonValue {
  return Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}
