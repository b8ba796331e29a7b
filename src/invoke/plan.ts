import { type ArgumentFault, failed, type Result, success } from "../errors.ts";
import { type Rendering, renderTemplate, type TemplateContext } from "../expression/index.ts";
import type { Authentication, BodyBinding, Field, RequestBinding, Template, Upstream } from "../ir.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { quoteValue } from "../schema/index.ts";
import type { PreparedFunction } from "./prepared.ts";
import type { UpstreamRequest } from "./request.ts";
import { buildPath, joinUrl, queryPieces, scalarText } from "./url.ts";

/** A call decided to the end before any I/O: what is computed here, or what is sent and as whom. */
export type Plan =
  | { kind: "answer"; value: JsonValue }
  | {
      kind: "request";
      request: UpstreamRequest;
      authentication: Authentication;
      /** Whether sending it twice does no harm. */
      repeatable: boolean;
    };

/** The operator's word on where an upstream is: the value of a base URL variable, or undefined. */
export type BaseUrlLookup = (variable: string) => string | undefined;

/**
 * Decides what a call does. Pure: the same arguments give the same plan, which a dry run shows and a live call
 * sends.
 * @param values what expressions see (see `callValues`)
 */
export function plan(
  prepared: PreparedFunction,
  args: JsonObject,
  values: ReadonlyMap<string, JsonValue>,
  baseUrlOf: BaseUrlLookup,
): Result<Plan> {
  const { binding, name } = prepared.definition;
  switch (binding.kind) {
    case "declaration":
      return failed({ code: "UNKNOWN_FUNCTION", function: name, known: [] });
    case "compute": {
      const result = prepared.evaluate(binding.expression, values);
      if (result.ok) return success({ kind: "answer", value: result.value });
      return failed({ code: "EXPRESSION_FAILED", where: name, reason: result.reason });
    }
    case "request":
      return planRequest(prepared, binding.request, args, values, baseUrlOf);
  }
}

const REPEATABLE_METHODS = new Set(["GET", "HEAD", "PUT", "DELETE"]);

function planRequest(
  prepared: PreparedFunction,
  binding: RequestBinding,
  args: JsonObject,
  values: ReadonlyMap<string, JsonValue>,
  baseUrlOf: BaseUrlLookup,
): Result<Plan> {
  const { definition, skill } = prepared;
  const upstream = skill.upstreams.find(({ name }) => name === binding.upstream)?.upstream;
  if (upstream === undefined) return failed({ code: "INTERNAL" });
  const renderer = new Renderer(prepared, args, values);
  const path = buildPath(binding.path, args);
  const pieces = binding.query.flatMap(({ name, value, style }) =>
    queryPieces(name, renderer.render(value), style),
  );
  const headers = renderer.headers([...upstream.headers, ...binding.headers]);
  const body = binding.body === null ? null : encodeBody(binding.body, renderer);
  if (renderer.failure !== null) return renderer.failure;
  const faults = [...(path.ok ? [] : [path.fault]), ...renderer.faults];
  if (!path.ok || faults.length > 0)
    return failed({ code: "INVALID_ARGUMENTS", function: definition.name, faults });
  const type: [string, string][] = body === null ? [] : [["content-type", body.type]];
  const { idempotent, readOnly } = definition.annotations;
  return success({
    kind: "request",
    request: {
      method: binding.method,
      url: joinUrl(baseUrl(upstream, baseUrlOf), path.path, pieces),
      headers: [["accept", "application/json, text/*;q=0.9, */*;q=0.5"], ...type, ...headers],
      body: body?.text ?? null,
      timeoutMs: definition.timeoutMs ?? upstream.timeoutMs,
      maxResponseBytes: upstream.maxResponseBytes,
    },
    authentication: skill.constraints.authentication,
    repeatable: REPEATABLE_METHODS.has(binding.method) || idempotent || readOnly,
  });
}

/** Where an upstream is: as the operator's variable says, otherwise as the skill says. */
export function baseUrl({ baseUrl: declared, baseUrlVariable }: Upstream, baseUrlOf: BaseUrlLookup): string {
  return (baseUrlVariable === null ? undefined : baseUrlOf(baseUrlVariable)) ?? declared;
}

/** Renders a request's templates and keeps what went wrong, so that a plan needs to look only once. */
class Renderer {
  readonly faults: ArgumentFault[] = [];
  failure: { ok: false; failure: { code: "EXPRESSION_FAILED"; where: string; reason: string } } | null = null;
  readonly #context: TemplateContext;

  constructor(prepared: PreparedFunction, args: JsonObject, values: ReadonlyMap<string, JsonValue>) {
    this.#context = {
      argument: (name) => args[name] ?? null,
      evaluate: (source) => prepared.evaluate(source, values),
    };
  }

  render(template: Template): JsonValue {
    const rendering: Rendering = renderTemplate(template, this.#context);
    if (rendering.ok) return rendering.value;
    this.failure ??= {
      ok: false,
      failure: { code: "EXPRESSION_FAILED", where: rendering.source, reason: rendering.reason },
    };
    return null;
  }

  headers(fields: readonly Field[]): [string, string][] {
    return fields.flatMap(({ name, value }): [string, string][] => {
      const rendered = this.render(value);
      if (rendered === null) return [];
      const text = Array.isArray(rendered) ? rendered.map(scalarText).join(", ") : scalarText(rendered);
      if (isHeaderText(text)) return [[name.toLowerCase(), text]];
      const expected = "text for a header: visible ASCII characters, spaces and tabs on one line";
      this.faults.push({ path: `/${name}`, rule: "header", expected, got: quoteValue(rendered) });
      return [];
    });
  }
}

/** RFC 9110, section 5.5, without the obsolete bytes above ASCII, which receivers read in different ways. */
function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}

type Body = { text: string; type: string };

const bodyEncoders: { [Encoding in BodyBinding["encode"]]: (value: JsonValue) => Body } = {
  json: (value) => ({ text: JSON.stringify(value), type: "application/json" }),
  form: (value) => ({ text: formText(value), type: "application/x-www-form-urlencoded" }),
  text: (value) => ({ text: scalarText(value), type: "text/plain; charset=utf-8" }),
};

function encodeBody({ encode, value }: BodyBinding, renderer: Renderer): Body {
  return bodyEncoders[encode](renderer.render(value));
}

function formText(value: JsonValue): string {
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return members.flatMap(([name, member]) => queryPieces(name, member, "repeat")).join("&");
}
