import {
  type CelType,
  COMMON_SCOPE,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
  type Scope,
} from "../../expression/index.ts";
import type { Annotations, Binding, FunctionDefinition, ResponseRule } from "../../ir.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { MAX_EXAMPLES, MAX_TIMEOUT_MS } from "../../limits.ts";
import { checkCall } from "./examples.ts";
import { expressionAt } from "./expressions.ts";
import { FieldReader, jsonAt, type Place, report } from "./reader.ts";
import { readRequest } from "./request.ts";
import { keyPlace, readParameters, readSchema } from "./schema.ts";
import { DEFAULT_UPSTREAM, NO_RESPONSE_RULE, readResponse, type UpstreamSection } from "./upstream.ts";

/** A function with the place of its name, for what is found out only later. */
export interface FunctionSection {
  definition: FunctionDefinition;
  place: Place;
}

/** Names that every provider accepts: a letter or `_`, then letters, digits, `_` and `-`, 64 in all. */
const FUNCTION_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

const KINDS = ["request", "prompt", "compute", "steps"] as const;

/** Reads one entry of `functions`. Null, with diagnostics, where it has no usable name. */
export function readFunction(
  place: Place,
  name: string,
  upstreams: readonly UpstreamSection[],
  isUpload: boolean,
): FunctionSection | null {
  const fields = FieldReader.at(place, name);
  if (fields === null) return null;
  const functionName = readName(fields);
  const parameters = readParameters(fields, isUpload);
  warnOfShadowing(fields, parameters);
  const scope = parameterScope(parameters);
  const returns = fields.at("returns");
  const binding = readBinding(fields, parameters, scope, upstreams);
  const definition: FunctionDefinition = {
    name: functionName ?? "",
    title: fields.text("title"),
    description: fields.requiredText("description")?.trim() ?? "",
    category: fields.text("category"),
    parameters,
    returns: returns === null ? null : readSchema(returns, fields.nameOf("returns"), isUpload),
    annotations: readAnnotations(fields, binding),
    permission: fields.text("permission"),
    cost: fields.number("cost", 0, 1_000_000, true) ?? 1,
    timeoutMs: fields.milliseconds("timeout", 1, MAX_TIMEOUT_MS),
    deprecated: fields.boolean("deprecated") ?? false,
    examples: readExamples(fields, functionName ?? fields.name, parameters),
    binding,
  };
  fields.finish();
  return functionName === null ? null : { definition, place: fields.at("name") ?? place };
}

function readName(fields: FieldReader): string | null {
  const name = fields.requiredText("name");
  if (name === null || FUNCTION_NAME.test(name)) return name;
  const fix = name
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?![A-Za-z_])/, "_")
    .slice(0, 64);
  const message = `a function's name is a letter or _ and then letters, digits, _ or - (64 at most), not ${JSON.stringify(name)}`;
  report(
    fields.at("name") ?? fields.place,
    "function-name-invalid",
    message,
    /[A-Za-z0-9]/.test(fix) ? `name: ${fix}` : null,
  );
  return null;
}

/** A parameter named like something that expressions have already is not what its name means there. */
function warnOfShadowing(fields: FieldReader, { properties }: JsonObject): void {
  const place = fields.valuePlace("parameters");
  if (place === null || !isJsonObject(properties)) return;
  const taken = fields.has("response") ? joinScopes(COMMON_SCOPE, RESPONSE_SCOPE) : COMMON_SCOPE;
  for (const name of Object.keys(properties)) {
    if (!taken.has(name)) continue;
    const where = RESPONSE_SCOPE.has(name) ? "the expressions of response" : "expressions";
    const message = `in ${where}, ${name} is not this parameter, which is args["${name}"] there`;
    report(keyPlace(place, ["properties"], name), "parameter-shadowed", message);
  }
}

function readBinding(
  fields: FieldReader,
  parameters: JsonObject,
  scope: Scope,
  upstreams: readonly UpstreamSection[],
): Binding {
  const present = KINDS.filter((kind) => fields.has(kind));
  if (present.length > 1) {
    report(
      fields.keyPlace(present[1] ?? ""),
      "function-kinds-several",
      `a function is one of ${KINDS.join(", ")}, not ${present.join(" and ")}`,
    );
  }
  switch (present[0]) {
    case "request":
      return readRequestBinding(fields, parameters, scope, upstreams);
    case "compute": {
      const expression = expressionAt(fields.at("compute"), fields.nameOf("compute"), scope);
      return expression === null ? { kind: "declaration" } : { kind: "compute", expression };
    }
    case undefined:
      report(
        fields.place,
        "function-declaration-only",
        `${fields.name} has none of ${KINDS.join(", ")}: it is only declared and cannot be called`,
      );
      return { kind: "declaration" };
    default:
      report(
        fields.keyPlace(present[0]),
        "function-kind-unsupported",
        `${present[0]} functions are not supported yet`,
      );
      return { kind: "declaration" };
  }
}

function readRequestBinding(
  fields: FieldReader,
  parameters: JsonObject,
  scope: Scope,
  upstreams: readonly UpstreamSection[],
): Binding {
  const inner = fields.mapping("request");
  if (inner === null) return { kind: "declaration" };
  const own = readResponse(fields, scope);
  const schema = fields.valuePlace("parameters");
  const request = readRequest(inner, { schema: parameters, place: schema }, scope, responseSources(own));
  const upstream = upstreams.find((candidate) => candidate.name === request.upstream);
  if (upstream === undefined) reportUnknownUpstream(inner, request.upstream, upstreams);
  const response = overlayResponse(own, upstream?.response ?? NO_RESPONSE_RULE);
  return { kind: "request", request, response };
}

function responseSources({ success, data, error }: ResponseRule): string[] {
  return [success, data, error.code, error.message, error.retryAfter].filter((source) => source !== null);
}

/** What a function says of its replies, and behind that what its upstream says. */
function overlayResponse(own: ResponseRule, inherited: ResponseRule): ResponseRule {
  return {
    success: own.success ?? inherited.success,
    data: own.data ?? inherited.data,
    error: {
      code: own.error.code ?? inherited.error.code,
      message: own.error.message ?? inherited.error.message,
      retryAfter: own.error.retryAfter ?? inherited.error.retryAfter,
    },
  };
}

function reportUnknownUpstream(
  fields: FieldReader,
  name: string,
  upstreams: readonly UpstreamSection[],
): void {
  const known = upstreams.map((upstream) => upstream.name).join(", ");
  if (name === DEFAULT_UPSTREAM && !fields.has("upstream")) {
    const message =
      known === ""
        ? "the document has no upstream to send this to"
        : `${fields.name} says which of ${known} it uses`;
    report(
      fields.place,
      "upstream-missing",
      message,
      known === "" ? "upstream: {base_url: https://…}" : null,
    );
  } else {
    report(
      fields.at("upstream") ?? fields.place,
      "upstream-unknown",
      `there is no upstream ${name}; there are: ${known || "none"}`,
    );
  }
}

/** What the document does not say follows from the kind: a GET only reads, a computation reaches nothing. */
function readAnnotations(fields: FieldReader, binding: Binding): Annotations {
  const given = fields.mapping("annotations");
  const method = binding.kind === "request" ? binding.request.method : null;
  const readOnly = given?.boolean("read_only") ?? (method === null || method === "GET" || method === "HEAD");
  const annotations: Annotations = {
    readOnly,
    destructive: given?.boolean("destructive") ?? (!readOnly && method === "DELETE"),
    idempotent: given?.boolean("idempotent") ?? (readOnly || method === "PUT" || method === "DELETE"),
    openWorld: given?.boolean("open_world") ?? binding.kind === "request",
  };
  given?.finish();
  return annotations;
}

/** Sets of arguments, shown to models as they are. */
function readExamples(fields: FieldReader, functionName: string, parameters: JsonObject): JsonObject[] {
  return fields.items("examples", MAX_EXAMPLES).flatMap(({ place, name }) => {
    const example = jsonAt(place);
    if (!isJsonObject(example)) {
      report(place, "wrong-type", `${name} is a mapping of arguments`);
      return [];
    }
    checkCall(place, name, functionName, parameters, example);
    return [example];
  });
}

/** The scope of a rule over all functions: a parameter that some function lacks may be null there. */
export function sharedScope(functions: readonly FunctionDefinition[]): Scope {
  const scopes = functions.map((definition) => parameterScope(definition.parameters));
  const names = new Set(scopes.flatMap((scope) => [...scope.keys()]));
  const shared = [...names].map((name): [string, CelType] => {
    const types = new Set(scopes.map((scope) => scope.get(name) ?? "dyn"));
    const [type = "dyn"] = types;
    return [name, types.size === 1 ? type : "dyn"];
  });
  return joinScopes(new Map(shared), COMMON_SCOPE);
}
