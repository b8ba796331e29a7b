import { failed, type Result, success } from "../../errors.ts";
import type { RateLimit, SecretUse, Skill } from "../../ir.ts";
import type { CallerView } from "../caller.ts";

/** Where a bundled skill calls, as the operator has it, and the secrets that it needs there. */
export interface SecretPlace {
  /** The bundled skill's name, and every permission that it and its functions ask for. */
  skill: string;
  permissions: readonly string[];
  url: string;
  secrets: readonly SecretUse[];
  limits: readonly RateLimit[];
}

/** The operator's secrets, and the hosts that each may go to: those of the bundled skills that name it. */
export class OperatorSecrets {
  readonly #hosts = new HostTable();
  readonly #tokenHosts = new HostTable();
  readonly #limits = new Map<string, RateLimit[]>();
  readonly #users = new Map<string, Pick<SecretPlace, "skill" | "permissions">[]>();
  readonly #lookUp: (variable: string) => string | undefined;

  /**
   * @param places where bundled skills call, and with which secret
   * @param lookUp a secret's value; asked only for names that a bundled skill uses
   */
  constructor(places: readonly SecretPlace[], lookUp: (variable: string) => string | undefined) {
    this.#lookUp = lookUp;
    for (const { skill, permissions, url, secrets, limits } of places) {
      for (const { variable, tokenUrl } of secrets) {
        this.#hosts.add(variable, tokenUrl ?? url);
        if (tokenUrl !== null) this.#tokenHosts.add(variable, url);
      }
      for (const variable of new Set(secrets.map((secret) => secret.variable))) {
        this.#users.set(variable, [...(this.#users.get(variable) ?? []), { skill, permissions }]);
        const place = placeOf(variable, URL.parse(url)?.host);
        this.#limits.set(place, [...(this.#limits.get(place) ?? []), ...limits]);
      }
    }
  }

  /** The value of a secret for a request to a URL. */
  secretFor(variable: string, url: string): Result<string> {
    const refusal = this.refusal(variable, url);
    if (refusal !== null) {
      const host = URL.parse(url)?.host ?? "an unreadable URL";
      return failed({ code: "EGRESS_DENIED", host, reason: refusal });
    }
    const value = this.#lookUp(variable);
    return value === undefined || value === ""
      ? failed({ code: "SECRET_NOT_SET", variables: [variable] })
      : success(value);
  }

  /**
   * Whether a caller may use a secret in a skill of its own: where it may use a bundled one that has it, with all that
   * this one can do. Otherwise an upload would be the way round a permission.
   */
  isUsableBy(variable: string, view: CallerView): boolean {
    return (this.#users.get(variable) ?? []).some(
      ({ skill, permissions }) =>
        view.admits(skill) && permissions.every((permission) => view.refusal(permission) === null),
    );
  }

  /** What the bundled skills that use a secret allow to be sent with it to a URL's host in all. */
  limitsOfSecret(variable: string, url: string): readonly RateLimit[] {
    return this.#limits.get(placeOf(variable, URL.parse(url)?.host)) ?? [];
  }

  /** Whose the secrets are: nobody's but the operator's. */
  holderOf(): null {
    return null;
  }

  /** Why a secret may not go to a URL, or null where it may. */
  refusal(variable: string, url: string): string | null {
    return this.#hosts.has(variable, url) ? null : `the secret ${variable} is not for this host`;
  }

  /** Why a token that a secret buys may not go to a URL, or null where it may. */
  tokenRefusal(variable: string, url: string): string | null {
    return this.#tokenHosts.has(variable, url)
      ? null
      : `a token for the secret ${variable} is not for this host`;
  }
}

/** The hosts that something may go to, by the secret's variable. */
class HostTable {
  readonly #hosts = new Map<string, Set<string>>();

  add(variable: string, url: string): void {
    const host = URL.parse(url)?.host;
    if (host !== undefined) this.#hosts.set(variable, (this.#hosts.get(variable) ?? new Set()).add(host));
  }

  has(variable: string, url: string): boolean {
    const host = URL.parse(url)?.host;
    return host !== undefined && this.#hosts.get(variable)?.has(host) === true;
  }
}

function placeOf(variable: string, host: string | undefined): string {
  return `${variable} ${host ?? ""}`;
}

/** The secrets that a skill's credentials need, in the order of these. */
export function secretsOf({ constraints: { authentication } }: Skill): SecretUse[] {
  return authentication.map((rule) => ({
    variable: rule.variable,
    tokenUrl: rule.method === "oauth2_client_credentials" ? rule.tokenUrl : null,
  }));
}

/** Where secrets, and the tokens that they buy, may go. */
export interface SecretBounds {
  refusal(variable: string, url: string): string | null;
  tokenRefusal(variable: string, url: string): string | null;
}

/** Why secrets, or the tokens that they buy, may not go where a skill sends them; null where all of them may. */
export function placeRefusal(
  { secrets, url }: Pick<SecretPlace, "secrets" | "url">,
  bounds: SecretBounds,
): string | null {
  for (const { variable, tokenUrl } of secrets) {
    const refusal = bounds.refusal(variable, tokenUrl ?? url);
    if (refusal !== null) return `${tokenUrl ?? url}: ${refusal}`;
    const tokenRefusal = tokenUrl === null ? null : bounds.tokenRefusal(variable, url);
    if (tokenRefusal !== null) return `${url}: ${tokenRefusal}`;
  }
  return null;
}
