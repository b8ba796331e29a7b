import type { Annotations, Binding } from "../../../ir.ts";
import { report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";

/** What a document says of a function's effects; null where it does not. */
export type GivenAnnotations = { [Name in keyof Annotations]: boolean | null };

/** Reads `annotations`. */
export function readAnnotations(fields: FieldReader): GivenAnnotations {
  const given = fields.mapping("annotations");
  const annotations = {
    readOnly: given?.boolean("read_only") ?? null,
    destructive: given?.boolean("destructive") ?? null,
    idempotent: given?.boolean("idempotent") ?? null,
    openWorld: given?.boolean("open_world") ?? null,
  };
  given?.finish();
  if (given !== null && annotations.readOnly === true && annotations.destructive === true) {
    const message = "a function that is read-only destroys nothing";
    report(given.keyPlace("destructive"), "values-contradict", message);
  }
  return annotations;
}

/**
 * Fills in what the document does not say, which follows from what the function does: a GET only reads, a
 * computation and a prompt reach nothing.
 * @param called what the steps of a chain call; null for a function that the document does not define
 */
export function completeAnnotations(
  given: GivenAnnotations,
  binding: Binding,
  called: readonly (Annotations | null)[],
): Annotations {
  if (binding.kind === "steps") return chainAnnotations(given, called);
  const method = binding.kind === "request" ? binding.request.method : null;
  const readOnly = given.readOnly ?? (method === null || method === "GET" || method === "HEAD");
  return {
    readOnly,
    destructive: given.destructive ?? (!readOnly && method === "DELETE"),
    idempotent: given.idempotent ?? (readOnly || method === "PUT" || method === "DELETE"),
    openWorld: given.openWorld ?? binding.kind === "request",
  };
}

/** A chain does what its steps do; one of them that is not known may do anything but destroy. */
function chainAnnotations(given: GivenAnnotations, called: readonly (Annotations | null)[]): Annotations {
  const readOnly = given.readOnly ?? called.every((callee) => callee?.readOnly === true);
  return {
    readOnly,
    destructive: given.destructive ?? (!readOnly && called.some((callee) => callee?.destructive === true)),
    idempotent: given.idempotent ?? readOnly,
    openWorld: given.openWorld ?? called.some((callee) => callee === null || callee.openWorld),
  };
}
