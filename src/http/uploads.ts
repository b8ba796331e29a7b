/** How skills are compiled as they arrive; loaded with the compiler when the first of them does. */
import type { Caller } from "../access/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Diagnostic } from "../compile/index.ts";
import { compileSkill, decodeDocument, linkUpload, wholeDocument } from "../compile/upload.ts";
import { failed, type Result, success } from "../errors.ts";
import type { Skill } from "../ir.ts";
import type { JsonValue } from "../json.ts";
import type { Gateway } from "./gateway.ts";

/** What an upload is called in its diagnostics; it has no path of its own. */
const FILE = "SKILL.md";

/** An upload that compiles; what is wrong with it all the same are warnings. */
export interface CompiledUpload {
  source: string;
  skill: Skill;
  warnings: JsonValue[];
}

/**
 * Compiles an upload and checks what the document alone cannot tell: its name, its functions, its secrets.
 */
export async function compileUpload(
  name: string,
  bytes: Uint8Array,
  { caller, catalog }: { caller: Caller; catalog: Catalog },
  gateway: Gateway,
): Promise<Result<CompiledUpload>> {
  const refuse = (faults: readonly Diagnostic[]) =>
    failed({ code: "INVALID_SKILL", skill: name, diagnostics: faults.map(wireDiagnostic) });
  const source = decodeDocument(bytes, FILE);
  if (typeof source !== "string") return refuse([source]);
  const { skill, places, diagnostics } = compileSkill(source, {
    file: FILE,
    folder: name,
    mayNameBaseUrlVariable: gateway.mayNameBaseUrlVariable,
  });
  if (skill === null || places === null) return refuse(diagnostics.filter(isError));
  if (skill.name !== name) {
    const message = `the document names the skill ${skill.name}, the address names it ${name}`;
    return refuse([wholeDocument("name-mismatch", FILE, message)]);
  }
  const refusal = await gateway.uploadRefusal(skill, caller);
  if (!refusal.ok) return refusal;
  if (refusal.value !== null) return refuse([wholeDocument("secret-not-bound", FILE, refusal.value)]);
  const listed = await catalog.whole().list();
  if (!listed.ok) return listed;
  const owners = new Map(
    listed.value
      .filter((entry) => entry.name !== name)
      .flatMap((entry) => entry.functions.map((definition) => [definition.name, entry.name] as const)),
  );
  const linked = linkUpload({ file: FILE, skill, places }, owners);
  if (linked.some(isError)) return refuse(linked.filter(isError));
  return success({ source, skill, warnings: [...diagnostics, ...linked].map(wireDiagnostic) });
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function wireDiagnostic({ code, severity, line, column, message, fix }: Diagnostic): JsonValue {
  return { code, severity, line, column, message, fix };
}
