/** How skills are compiled as they arrive; loaded with the compiler when the first of them does. */
import { type Caller, secretsOf } from "../access/index.ts";
import type { Catalog, ListedSkill } from "../catalog/index.ts";
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
  const overcharge = await overchargeOf(skill, caller, gateway);
  if (!overcharge.ok) return overcharge;
  if (overcharge.value !== null) return refuse([wholeDocument("value-out-of-range", FILE, overcharge.value)]);
  const owners = await ownersBeside(name, catalog);
  if (!owners.ok) return owners;
  const linked = linkUpload({ file: FILE, skill, places }, owners.value);
  if (linked.some(isError)) return refuse(linked.filter(isError));
  return success({ source, skill, warnings: [...diagnostics, ...linked].map(wireDiagnostic) });
}

/**
 * Why a skill may not say what its calls cost: what the operator's secret allows is everybody's, and a request with it is
 * one, so such a call is counted as one whatever it says. Null where it does not say more.
 */
async function overchargeOf(skill: Skill, caller: Caller, gateway: Gateway): Promise<Result<string | null>> {
  const costly = skill.functions.find(({ cost }) => cost > 1);
  if (costly === undefined) return success(null);
  const secrets = await gateway.uploadedSkillSecrets(skill, caller);
  if (!secrets.ok) return secrets;
  const shared = secretsOf(skill).find(({ variable }) => secrets.value.holderOf(variable) === null);
  if (shared === undefined) return success(null);
  const { variable } = shared;
  return success(
    `the function ${costly.name} says cost: ${costly.cost}, but a call with the operator's secret ${variable} costs 1; ` +
      `leave cost out, or set a secret of your own with PUT /v1/secrets/${variable}`,
  );
}

/** The functions of all other skills, each with the skill that has it, or null where the caller does not see it. */
async function ownersBeside(name: string, catalog: Catalog): Promise<Result<Map<string, string | null>>> {
  const [whole, shown] = await Promise.all([catalog.whole().list(), catalog.list()]);
  if (!whole.ok) return whole;
  if (!shown.ok) return shown;
  const namesIn = (listed: readonly ListedSkill[]) =>
    listed
      .filter((entry) => entry.name !== name)
      .flatMap((entry) => entry.functions.map((definition) => [definition.name, entry.name] as const));
  const seen = new Set(namesIn(shown.value).map(([functionName]) => functionName));
  return success(
    new Map(namesIn(whole.value).map(([one, owner]) => [one, seen.has(one) ? owner : null] as const)),
  );
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function wireDiagnostic({ code, severity, line, column, message, fix }: Diagnostic): JsonValue {
  return { code, severity, line, column, message, fix };
}
