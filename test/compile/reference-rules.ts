import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, visit } from "yaml";

/**
 * The rules of the reference implementation of agentskills.io (skills-ref: parser and validator), written anew to
 * compare with. They are narrower than this compiler's: no field beyond six, no flow collections, a name that is
 * the folder's.
 */

const FIELDS = ["name", "description", "license", "allowed-tools", "metadata", "compatibility"];
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;

/** Why the reference refuses a document, or null where it accepts it. */
export function referenceRefusal(text: string, folder: string): string | null {
  const fields = referenceFields(text.replace(/\r\n?/g, "\n"));
  if (typeof fields === "string") return fields;
  if (Object.keys(fields).some((key) => !FIELDS.includes(key))) return "a field of another name";
  return (
    nameRefusal(fields.name, folder) ??
    textRefusal("description", fields.description, MAX_DESCRIPTION) ??
    ("compatibility" in fields
      ? lengthRefusal("compatibility", fields.compatibility, MAX_COMPATIBILITY)
      : null)
  );
}

/** The fields of the front matter, which the reference cuts out between the first two runs of three hyphens. */
function referenceFields(text: string): Record<string, unknown> | string {
  if (!text.startsWith("---")) return "no front matter at the very beginning";
  const end = text.indexOf("---", 3);
  if (end === -1) return "front matter without an end";
  const document = parseDocument(text.slice(3, end), {
    schema: "failsafe",
    uniqueKeys: true,
    logLevel: "silent",
  });
  if (document.errors.length > 0) return "no YAML";
  const { contents } = document;
  if (!isMap(contents)) return "no mapping";
  if (isBeyondStrictYaml(contents)) return "YAML beyond the strict kind";
  const fields: unknown = document.toJS();
  return isRecord(fields) ? fields : "no mapping";
}

/** StrictYAML has no flow collections but empty ones, no aliases, anchors or tags. */
function isBeyondStrictYaml(contents: Node): boolean {
  let isBeyond = false;
  visit(contents, {
    Node(_key, node) {
      const isFlow = (isMap(node) || isSeq(node)) && node.flow === true && node.items.length > 0;
      const isMarked =
        !isAlias(node) &&
        (node.anchor !== undefined || (isScalar(node) && node.tag?.startsWith("!") === true));
      if (isFlow || isMarked || isAlias(node)) isBeyond = true;
    },
  });
  return isBeyond;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameRefusal(value: unknown, folder: string): string | null {
  const empty = textRefusal("name", value, Number.POSITIVE_INFINITY);
  if (empty !== null || typeof value !== "string") return empty;
  const name = value.trim().normalize("NFKC");
  if ([...name].length > MAX_NAME) return "a name that is too long";
  if (name !== name.toLowerCase()) return "a name in capitals";
  if (!/^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(name)) return "a name with other signs";
  return folder.normalize("NFKC") === name ? null : "a name that is not the folder's";
}

function textRefusal(field: string, value: unknown, most: number): string | null {
  if (typeof value !== "string" || value.trim() === "") return `no ${field}`;
  return lengthRefusal(field, value, most);
}

function lengthRefusal(field: string, value: unknown, most: number): string | null {
  if (typeof value !== "string") return `a ${field} that is no text`;
  return [...value].length > most ? `a ${field} that is too long` : null;
}
