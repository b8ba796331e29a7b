/** The credentials of a call: all that its skill has go together with each request. */
import { failed, type Result, success } from "../../errors.ts";
import type { Authentication } from "../../ir.ts";
import type { Credential } from "../upstream/request.ts";
import {
  type CredentialDependencies,
  isRenewable,
  makeCredential,
  maskedCredential,
  secretOf,
} from "./methods.ts";

/** Credentials as one, which the sender adds and drops as one. */
export function joinCredentials(credentials: readonly Credential[]): Credential {
  return {
    headers: credentials.flatMap(({ headers }) => headers),
    query: credentials.flatMap(({ query }) => query),
    secrets: credentials.flatMap(({ secrets }) => secrets),
  };
}

/** The credentials of rules as a dry run shows them. */
export function maskedCredentials(rules: readonly Authentication[]): Credential {
  return joinCredentials(rules.map((rule) => maskedCredential(rule)));
}

/**
 * The credentials of rules for a request to a URL, in the order of the rules; nothing is asked of a token endpoint
 * while a secret is missing. Fails with SECRET_NOT_SET (which names all that are missing), SECRET_UNUSABLE,
 * EGRESS_DENIED (a secret, or the token that it buys, is not for this host), TOKEN_REFUSED and TOKEN_UNAVAILABLE.
 */
export function obtainCredentials(
  rules: readonly Authentication[],
  url: string,
  dependencies: CredentialDependencies,
): Promise<Result<Credential[]>> {
  return make(rules, url, [], dependencies);
}

/**
 * Credentials in place of those that the upstream refused: it does not say which of them, so each is another one that
 * can be. Null where none can.
 */
export async function renewCredentials(
  rules: readonly Authentication[],
  url: string,
  refused: readonly Credential[],
  dependencies: CredentialDependencies,
): Promise<Result<Credential[]> | null> {
  return rules.some((rule) => isRenewable(rule)) ? make(rules, url, refused, dependencies) : null;
}

async function make(
  rules: readonly Authentication[],
  url: string,
  refused: readonly Credential[],
  dependencies: CredentialDependencies,
): Promise<Result<Credential[]>> {
  const secrets = secretsOf(rules, url, dependencies);
  if (!secrets.ok) return secrets;
  const made: Credential[] = [];
  for (const [index, { rule, secret }] of secrets.value.entries()) {
    const credential = await makeCredential(rule, secret, refused[index] ?? null, dependencies);
    if (!credential.ok) return credential;
    made.push(credential.value);
  }
  return success(made);
}

/** The secrets of all rules: the operator who has to set several learns of all of them at once. */
function secretsOf(
  rules: readonly Authentication[],
  url: string,
  dependencies: CredentialDependencies,
): Result<{ rule: Authentication; secret: string }[]> {
  const found: { rule: Authentication; secret: string }[] = [];
  const missing = new Set<string>();
  for (const rule of rules) {
    const secret = secretOf(rule, url, dependencies);
    if (secret.ok) found.push({ rule, secret: secret.value });
    else if (secret.failure.code !== "SECRET_NOT_SET") return secret;
    else for (const variable of secret.failure.variables) missing.add(variable);
  }
  return missing.size === 0 ? success(found) : failed({ code: "SECRET_NOT_SET", variables: [...missing] });
}
