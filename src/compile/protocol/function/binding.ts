import type { Scope } from "../../../expression/index.ts";
import type { Binding, ResponseRule } from "../../../ir.ts";
import { MAX_DIAGNOSTICS } from "../../../limits.ts";
import { probablyMeant } from "../../../nearest.ts";
import { expressionAt } from "../reading/expressions.ts";
import { report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";
import { reportForeignFields } from "../reading/variants.ts";
import { declaredParameters } from "../schema/parameters.ts";
import { keyPlace } from "../schema/places.ts";
import { DEFAULT_UPSTREAM, NO_RESPONSE_RULE, readResponse, type UpstreamSection } from "../upstream.ts";
import { readPrompt } from "./prompt/prompt.ts";
import { paginationSources, readPagination } from "./request/paginate.ts";
import type { Parameters } from "./request/placement.ts";
import { readRequest } from "./request/request.ts";
import type { StepSection } from "./steps/step.ts";
import { readSteps } from "./steps/steps.ts";

const KINDS = ["request", "prompt", "compute", "steps"] as const;

/** Fields that mean something beside one of the kinds only. */
const COMPANIONS = {
  request: ["response", "paginate"],
  prompt: [],
  compute: [],
  steps: ["result"],
  declaration: [],
} as const;

const DECLARATION: BindingSection = { binding: { kind: "declaration" }, steps: [] };

/** What a function does, and its steps with their places where it has any. */
export interface BindingSection {
  binding: Binding;
  steps: readonly StepSection[];
}

/** Reads what a function does: one of the kinds, or nothing but a declaration. */
export function readBinding(
  fields: FieldReader,
  parameters: Parameters,
  scope: Scope,
  upstreams: readonly UpstreamSection[],
): BindingSection {
  const present = KINDS.filter((kind) => fields.has(kind));
  const [kind = "declaration", another] = present;
  if (another !== undefined) {
    const message = `a function is one of ${KINDS.join(", ")}, not ${present.join(" and ")}`;
    report(fields.keyPlace(another), "function-kinds-several", message);
  } else {
    reportForeignFields(fields, COMPANIONS, kind, "the kind");
    reportForeignKeywords(parameters, kind);
  }
  switch (kind) {
    case "request":
      return { binding: readRequestBinding(fields, parameters, scope, upstreams), steps: [] };
    case "prompt":
      return { binding: readPrompt(fields, parameters), steps: [] };
    case "compute":
      return readCompute(fields, scope);
    case "steps":
      return readSteps(fields, scope);
    case "declaration": {
      const message = `${fields.name} has none of ${KINDS.join(", ")}: it is only declared and cannot be called`;
      report(fields.place, "function-declaration-only", message);
      return DECLARATION;
    }
  }
}

/** Keywords by which parameters speak to one kind of function only. */
const KEYWORDS = new Map([
  ["x-in", "request"],
  ["x-name", "request"],
  ["x-style", "request"],
  ["x-clause-key", "prompt"],
  ["x-clause-template", "prompt"],
]);

function reportForeignKeywords({ schema, place }: Parameters, kind: Binding["kind"]): void {
  if (place === null || kind === "declaration") return;
  const foreign = [...declaredParameters(schema)].flatMap(([name, property]) =>
    [...KEYWORDS]
      .filter(([keyword, owner]) => owner !== kind && property[keyword] !== undefined)
      .map(([keyword, owner]) => ({ name, keyword, owner })),
  );
  for (const { name, keyword, owner } of foreign.slice(0, MAX_DIAGNOSTICS)) {
    const message = `${keyword} belongs to the kind ${owner}, not to ${kind}`;
    report(keyPlace(place, ["properties", name], keyword), "field-of-another-kind", message, "remove it");
  }
}

function readCompute(fields: FieldReader, scope: Scope): BindingSection {
  const expression = expressionAt(fields.at("compute"), fields.nameOf("compute"), scope);
  return expression === null ? DECLARATION : { binding: { kind: "compute", expression }, steps: [] };
}

function readRequestBinding(
  fields: FieldReader,
  parameters: Parameters,
  scope: Scope,
  upstreams: readonly UpstreamSection[],
): Binding {
  const inner = fields.mapping("request");
  if (inner === null) return { kind: "declaration" };
  const own = readResponse(fields, scope);
  const pages = fields.mapping("paginate");
  const paginate = pages === null ? null : readPagination(pages, scope);
  const used = [...responseSources(own), ...paginationSources(paginate)];
  const request = readRequest(inner, parameters, scope, used);
  const upstream = upstreams.find((candidate) => candidate.name === request.upstream);
  if (upstream === undefined) reportUnknownUpstream(inner, request.upstream, upstreams);
  const response = overlayResponse(own, upstream?.response ?? NO_RESPONSE_RULE);
  return { kind: "request", request, response, paginate };
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
  const names = upstreams.map((upstream) => upstream.name);
  const known = names.join(", ");
  if (name !== DEFAULT_UPSTREAM || fields.has("upstream")) {
    const meant = probablyMeant(name, names);
    const message = `there is no upstream ${name}; there are: ${known || "none"}`;
    const place = fields.at("upstream") ?? fields.place;
    report(place, "upstream-unknown", message, meant === null ? null : `upstream: ${meant}`);
  } else if (known === "") {
    const message = "the document has no upstream to send this to";
    report(fields.place, "upstream-missing", message, "upstream: {base_url: https://…}");
  } else report(fields.place, "upstream-missing", `${fields.name} says which of ${known} it uses`);
}
