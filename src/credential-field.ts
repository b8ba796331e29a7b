import type { Authentication } from "./ir.ts";

/** Where a credential travels. */
export interface CredentialField {
  in: "header" | "query";
  /** A header's in lower case; a query parameter's as it is. */
  name: string;
}

/** Where a credential travels: its own header or query parameter, or `Authorization` (RFC 9110, section 11.6.2). */
export function credentialField(rule: Authentication): CredentialField {
  if (rule.method !== "api_key") return { in: "header", name: "authorization" };
  return { in: rule.in, name: rule.in === "header" ? rule.name.toLowerCase() : rule.name };
}

/** Whether a header or query parameter has the name that one of the credentials travels under. */
export function isCredentialField(
  rules: readonly Authentication[],
  place: CredentialField["in"],
  name: string,
): boolean {
  const wanted = place === "header" ? name.toLowerCase() : name;
  return rules.map(credentialField).some((field) => field.in === place && field.name === wanted);
}
