import { isMap, isSeq } from "yaml";
import { credentialField } from "../../../credential-field.ts";
import type { Authentication } from "../../../ir.ts";
import { MAX_CREDENTIALS } from "../../../limits.ts";
import { kindOf, report } from "../reading/place.ts";
import { FieldReader } from "../reading/reader.ts";
import { readCredential } from "./authentication.ts";

interface ReadCredential {
  fields: FieldReader;
  credential: Authentication;
}

/**
 * Reads `authentication`: one credential, or a list of those that go together. Their order in the document means
 * nothing: they come back in that of their methods, names and secrets.
 */
export function readCredentials(constraints: FieldReader): Authentication[] {
  const read: ReadCredential[] = [];
  const entries = entriesOf(constraints);
  for (const fields of entries) {
    const credential = readCredential(fields);
    if (credential === "none") reportNone(fields, entries.length);
    else if (credential !== null) read.push({ fields, credential });
  }
  reportSharedFields(read);
  return read.map(({ credential }) => credential).sort(compareCredentials);
}

function entriesOf(constraints: FieldReader): FieldReader[] {
  const place = constraints.at("authentication");
  if (place === null) return [];
  const name = constraints.nameOf("authentication");
  if (isMap(place.node)) return [FieldReader.at(place, name)].filter((fields) => fields !== null);
  if (!isSeq(place.node)) {
    report(place, "wrong-type", `${name} is a mapping, or a list of such, not ${kindOf(place.node)}`);
    return [];
  }
  const items = constraints.items("authentication");
  const overMany = items[MAX_CREDENTIALS];
  if (items.length === 0)
    report(place, "credentials-empty", `${name} lists no credential`, "authentication: {method: none}");
  if (overMany !== undefined)
    report(overMany.place, "too-many-credentials", `${name} has at most ${MAX_CREDENTIALS} credentials`);
  return items
    .slice(0, MAX_CREDENTIALS)
    .map((item) => FieldReader.at(item.place, item.name))
    .filter((fields) => fields !== null);
}

/** All of a list goes with each request: it is no choice of which one may be to send nothing. */
function reportNone(fields: FieldReader, count: number): void {
  if (count === 1) return;
  const message = `${fields.name} says that there is no credential, and the others of the list that there is one`;
  report(fields.place, "credential-beside-none", message, "remove it");
}

/** Says of credentials that would travel where an earlier one does, so that only one of them could. */
function reportSharedFields(read: readonly ReadCredential[]): void {
  const taken = new Map<string, string>();
  for (const { fields, credential } of read) {
    const { in: where, name } = credentialField(credential);
    const field = `${where === "header" ? "the header" : "the query parameter"} ${name}`;
    const earlier = taken.get(field);
    if (earlier === undefined) {
      taken.set(field, fields.name);
      continue;
    }
    const place = fields.valuePlace(where) ?? fields.place;
    report(place, "credential-sent-twice", `${fields.name} travels in ${field}, as ${earlier} does already`);
  }
}

/** By code units, which are the same everywhere; what asks another server for a token comes after what is at hand. */
function compareCredentials(left: Authentication, right: Authentication): number {
  const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
