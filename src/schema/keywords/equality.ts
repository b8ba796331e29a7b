import { isJsonObject, type JsonValue } from "../../json.ts";
import { COST } from "../evaluation/steps.ts";

/** Pays for work; false where that was too much. */
type Pay = (steps: number) => boolean;

/** A text that equal values, and no others, have in common (Core, section 4.2.2): members have no order. */
export function identityOf(value: JsonValue): string {
  return paidIdentityOf(value, () => true) ?? "";
}

/** As `identityOf`, each part paid for before it is read; null where that was too much. */
export function paidIdentityOf(value: JsonValue, pay: Pay): string | null {
  if (Array.isArray(value)) return identityOfList(value, pay);
  if (isJsonObject(value)) return identityOfObject(value, pay);
  const characters = typeof value === "string" ? value.length : 0;
  return pay(COST.identityPart + characters * COST.identityCharacter) ? JSON.stringify(value) : null;
}

function identityOfList(list: readonly JsonValue[], pay: Pay): string | null {
  if (!pay(COST.identityPart)) return null;
  let text = "";
  for (const item of list) {
    const identity = paidIdentityOf(item, pay);
    if (identity === null) return null;
    text += `${identity},`;
  }
  return `[${text}]`;
}

function identityOfObject(value: { [name: string]: JsonValue }, pay: Pay): string | null {
  const names = Object.keys(value);
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  if (!pay((names.length + 1) * COST.identityPart + characters * COST.identityCharacter)) return null;
  if (names.length > 1) names.sort();
  let text = "";
  for (const name of names) {
    const identity = paidIdentityOf(value[name] ?? null, pay);
    if (identity === null) return null;
    text += `${JSON.stringify(name)}:${identity},`;
  }
  return `{${text}}`;
}
