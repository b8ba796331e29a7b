import { type Caller, secretsOf } from "../../access/index.ts";
import type { Catalog, ListedSkill } from "../../catalog/index.ts";
import {
  changedProtocol,
  compileSkill,
  type Diagnostic,
  decodeDocument,
  linkUpload,
  wholeDocument,
} from "../../compile/upload.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { Skill, SkillRecord } from "../../ir.ts";
import type { JsonValue } from "../../json.ts";
import type { Gateway } from "../gateway.ts";
import { DOCUMENT } from "./bundle/bundle.ts";

/** What is compiled, and for whom. */
export interface Upload {
  name: string;
  document: Uint8Array | string;
  /** The paths of the files beside it. */
  files: readonly string[];
  /** The bundled skill of that name, or null. */
  bundled: SkillRecord | null;
}

export interface CompiledUpload {
  source: string;
  skill: Skill;
  warnings: JsonValue[];
}

/**
 * Compiles an upload and checks what the document alone cannot tell: its name, its functions, its secrets, and whether
 * the bundled skill of that name may be changed so.
 */
export async function compileUpload(
  { name, document, files, bundled }: Upload,
  { caller, catalog }: { caller: Caller; catalog: Catalog },
  gateway: Gateway,
): Promise<Result<CompiledUpload>> {
  const refuse = (faults: readonly Diagnostic[]) =>
    failed({ code: "INVALID_SKILL", skill: name, diagnostics: faults.map(wireDiagnostic) });
  const source = typeof document === "string" ? document : decodeDocument(document, DOCUMENT);
  if (typeof source !== "string") return refuse([source]);
  const { skill, places, diagnostics } = compileSkill(source, {
    file: DOCUMENT,
    folder: name,
    mayNameBaseUrlVariable: gateway.mayNameBaseUrlVariable,
    files: files.length === 0 ? null : files.map((path) => ({ path, text: null })),
  });
  if (skill === null || places === null) return refuse(diagnostics.filter(isError));
  if (skill.name !== name) {
    const message = `the document names the skill ${skill.name}, the address names it ${name}`;
    return refuse([wholeDocument("name-mismatch", DOCUMENT, message)]);
  }
  const forbidden = forbiddenChange(skill, bundled);
  if (forbidden !== null) return forbidden;
  const refusal = await gateway.uploadRefusal(skill, caller);
  if (!refusal.ok) return refusal;
  if (refusal.value !== null) return refuse([wholeDocument("secret-not-bound", DOCUMENT, refusal.value)]);
  const overcharge = await overchargeOf(skill, caller, gateway);
  if (!overcharge.ok) return overcharge;
  if (overcharge.value !== null)
    return refuse([wholeDocument("value-out-of-range", DOCUMENT, overcharge.value)]);
  const owners = await ownersBeside(name, catalog);
  if (!owners.ok) return owners;
  const linked = linkUpload({ file: DOCUMENT, skill, places }, owners.value);
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

/** Why a skill may not stand in the place of a bundled one; null where it may, or there is none. */
function forbiddenChange(skill: Skill, bundled: SkillRecord | null): Result<never> | null {
  if (bundled === null || bundled.skill.overridable === "all") return null;
  const { name } = skill;
  if (bundled.skill.overridable === "none") {
    const message = `The bundled skill ${name} cannot be overridden (overridable: false).`;
    return failed({ code: "OVERRIDE_FORBIDDEN", skill: name, message, details: [] });
  }
  const changed = changedProtocol(bundled.skill, skill);
  if (changed.length === 0) return null;
  const message = `Of the bundled skill ${name} only the prose can be overridden (overridable: prose), and this changes its ${changed.join(", ")}.`;
  return failed({ code: "OVERRIDE_FORBIDDEN", skill: name, message, details: changed });
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function wireDiagnostic({ code, severity, line, column, message, fix }: Diagnostic): JsonValue {
  return { code, severity, line, column, message, fix };
}
