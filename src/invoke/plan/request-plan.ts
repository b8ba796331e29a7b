import { isCredentialField } from "../../credential-field.ts";
import { type ArgumentFault, failed, type Result, success } from "../../errors.ts";
import { type Rendering, renderTemplate, type TemplateContext } from "../../expression/index.ts";
import type {
  Authentication,
  Binding,
  BodyBinding,
  Field,
  FunctionDefinition,
  Pagination,
  RequestBinding,
  ResponseRule,
  Template,
} from "../../ir.ts";
import { escapePointerToken, isJsonObject, type JsonObject, type JsonValue, jsonKind } from "../../json.ts";
import { quoteValue } from "../../schema/index.ts";
import { VERSION } from "../../version.ts";
import { HEADER_VALUE } from "../../vocabulary.ts";
import type { PreparedFunction } from "../prepared.ts";
import type { UpstreamRequest } from "../upstream/request.ts";
import { isReservedHeader } from "../upstream/send.ts";
import { type BaseUrlLookup, baseUrl } from "./base-url.ts";
import { buildPath, joinUrl, queryPieces, scalarText } from "./url.ts";

/** A call that is a request to an upstream. */
export interface RequestPlan {
  kind: "request";
  request: UpstreamRequest;
  /** The credentials that are to go with it. */
  authentication: readonly Authentication[];
  /** How the reply is read. */
  response: ResponseRule;
  /** Whether sending it twice does no harm. */
  repeatable: boolean;
  /** How the pages of a list are gathered, or null where the reply is the whole of it. */
  paginate: Pagination | null;
}

type RequestRule = Extract<Binding, { kind: "request" }>;

const REPEATABLE_METHODS = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Decides on a request, with all that is sent but the credentials. */
export function planRequest(
  prepared: PreparedFunction,
  { request: binding, response, paginate }: RequestRule,
  args: JsonObject,
  values: ReadonlyMap<string, JsonValue>,
  baseUrlOf: BaseUrlLookup,
): Result<RequestPlan> {
  const { definition, skill } = prepared;
  const { authentication } = skill.constraints;
  const upstream = skill.upstreams.find(({ name }) => name === binding.upstream)?.upstream;
  // The compiler refuses such a skill, so this is a fault of the program; what it throws gets a line in the
  // log.
  if (upstream === undefined) throw new Error(`${skill.name} has no upstream ${binding.upstream}`);
  const renderer = new Renderer(prepared, args, values);
  const path = buildPath(binding.path, args);
  const pieces = binding.query
    .filter(({ name }) => !isCredentialField(authentication, "query", name))
    .flatMap(({ name, value, style }) => queryPieces(name, renderer.render(value), style));
  const headers = [...upstream.headers, ...binding.headers].filter(
    ({ name }) => !isReservedHeader(name) && !isCredentialField(authentication, "header", name),
  );
  const rendered = renderer.headers(headers);
  const body = renderer.body(binding.body);
  if (renderer.failure !== null) return renderer.failure;
  const faults = [...(path.ok ? [] : [path.fault]), ...renderer.faults];
  if (!path.ok || faults.length > 0)
    return failed({ code: "INVALID_ARGUMENTS", function: definition.name, faults, unlisted: 0 });
  return success({
    kind: "request",
    request: {
      method: binding.method,
      url: joinUrl(baseUrl(upstream, baseUrlOf), path.path, pieces),
      headers: [...new Map([...defaultHeaders(body), ...rendered])],
      body: body?.text ?? null,
      timeoutMs: definition.timeoutMs ?? upstream.timeoutMs,
      maxResponseBytes: upstream.maxResponseBytes,
    },
    authentication,
    response,
    repeatable: isRepeatable(binding, definition),
    paginate,
  });
}

function isRepeatable({ method }: RequestBinding, { annotations }: FunctionDefinition): boolean {
  return REPEATABLE_METHODS.has(method) || annotations.idempotent || annotations.readOnly;
}

/** What a request says of itself where the skill says nothing else. */
function defaultHeaders(body: Body | null): [string, string][] {
  const accept: [string, string] = ["accept", "application/json, text/*;q=0.9, */*;q=0.5"];
  const agent: [string, string] = ["user-agent", `skillgate/${VERSION}`];
  return body === null ? [accept, agent] : [accept, agent, ["content-type", body.type]];
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
    this.#fail(rendering.source, rendering.reason);
    return null;
  }

  /**
   * Headers by lower-case name. One that is null is not sent; a later one of a name takes the place of an
   * earlier one.
   */
  headers(fields: readonly Field[]): [string, string][] {
    return fields.flatMap(({ name, value }): [string, string][] => {
      const rendered = this.render(value);
      const text = headerText(rendered);
      if (text === null) return [];
      if (HEADER_VALUE.test(text)) return [[name.toLowerCase(), text.trim()]];
      // Only a parameter that is the whole header is known to be at fault.
      const path = value.kind === "argument" ? `/${escapePointerToken(value.name)}` : "";
      const expected = `text for the header ${name}: visible ASCII characters, spaces and tabs on one line`;
      this.faults.push({ path, rule: "header", expected, got: quoteValue(rendered) });
      return [];
    });
  }

  /** Null where there is nothing to send, which is also what a body that comes out as null means. */
  body(binding: BodyBinding | null): Body | null {
    const value = binding === null ? null : this.render(binding.value);
    if (binding === null || value === null) return null;
    const body = bodyEncoders[binding.encode](value);
    if (body === null)
      this.#fail("of the body", `a value of type ${jsonKind(value)} cannot be sent as a form`);
    return body;
  }

  #fail(where: string, reason: string): void {
    this.failure ??= { ok: false, failure: { code: "EXPRESSION_FAILED", where, reason } };
  }
}

/** A list is joined by commas (RFC 9110, section 5.6.1); null, and a list without items, is no header. */
function headerText(value: JsonValue): string | null {
  if (!Array.isArray(value)) return value === null ? null : scalarText(value);
  const items = value.filter((item) => item !== null);
  return items.length === 0 ? null : items.map(scalarText).join(", ");
}

type Body = { text: string; type: string };

/** How a value becomes a body; null where an encoding has no form for it. */
const bodyEncoders: { [Encoding in BodyBinding["encode"]]: (value: JsonValue) => Body | null } = {
  json: (value) => ({ text: JSON.stringify(value), type: "application/json" }),
  form: (value) =>
    isJsonObject(value) ? { text: formText(value), type: "application/x-www-form-urlencoded" } : null,
  text: (value) => ({ text: scalarText(value), type: "text/plain; charset=utf-8" }),
};

function formText(members: JsonObject): string {
  return Object.entries(members)
    .flatMap(([name, member]) => queryPieces(name, member, "repeat"))
    .join("&");
}
