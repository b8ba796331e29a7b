import { atPointer, isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";
import { schemaValidator } from "../../src/schema/index.ts";

/** A reply as it came over HTTP. */
export interface Received {
  status: number;
  type: string | null;
  text: string;
}

/** An OpenAPI document, to hold real replies against. */
export class Description {
  readonly document: JsonObject;

  constructor(document: JsonObject) {
    this.document = document;
  }

  /** What is not as the document says of a reply, in sentences; nothing of a path that it does not have. */
  faults(method: string, path: string, reply: Received): string[] {
    const operation = this.operation(method, path);
    if (operation === null) return [];
    const response = member(operation, "responses", String(reply.status));
    if (!isJsonObject(response)) return [`${method} ${path} is not said to answer ${reply.status}`];
    if (reply.text === "") return [];
    const type = reply.type?.split(";")[0] ?? "";
    const schema = member(response, "content", type, "schema");
    if (!isJsonObject(schema)) return [`${method} ${path} is not said to answer ${reply.status} in ${type}`];
    const body: JsonValue = type === "application/json" ? JSON.parse(reply.text) : reply.text;
    return [...this.#schemaFaults(schema, body), ...undescribedCode(response, body)];
  }

  /** The operation that a path belongs to, or null. */
  operation(method: string, path: string): JsonObject | null {
    const paths = member(this.document, "paths");
    const template = isJsonObject(paths)
      ? Object.keys(paths).find((known) => matches(known, path))
      : undefined;
    const operation = template === undefined ? undefined : member(paths, template, method.toLowerCase());
    return isJsonObject(operation) ? operation : null;
  }

  #schemaFaults(schema: JsonObject, body: JsonValue): string[] {
    const { $ref } = schema;
    const meant = typeof $ref === "string" ? atPointer(this.document, $ref.slice(1)) : schema;
    if (!isJsonObject(meant)) return [`${$ref} is not there`];
    const faults = schemaValidator(meant).validate(body);
    return faults.map(({ path, expected, got }) => `${path}: expected ${expected}, got ${got}`);
  }
}

/** A value within objects, undefined where there is none. */
export function member(value: JsonValue | undefined, ...keys: string[]): JsonValue | undefined {
  let current = value;
  for (const key of keys)
    current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  return current;
}

function matches(template: string, path: string): boolean {
  const expected = template.split("/");
  // The path of a file is one parameter, which has slashes of its own.
  const isOfFile = template.endsWith("/{path}");
  const given = isOfFile ? path.split("/", expected.length) : path.split("/");
  return (
    expected.length === given.length &&
    expected.every((segment, index) =>
      segment.startsWith("{") ? given[index] !== "" : segment === given[index],
    )
  );
}

/** A failure's code stands in the description of its status. */
function undescribedCode({ description }: JsonObject, body: JsonValue): string[] {
  const code = member(body, "error_code");
  if (typeof code !== "string") return [];
  return String(description).split(", ").includes(code) ? [] : [`${code} is not said to be possible`];
}
