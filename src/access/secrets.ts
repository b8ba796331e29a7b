import { failed, type Result, success } from "../errors.ts";
import type { RateLimit, Skill } from "../ir.ts";

/**
 * Where a bundled skill calls, as the operator has it, and the variable of the secret that goes with it, if
 * any.
 */
export interface SecretPlace {
  url: string;
  secret: string | null;
  limits: readonly RateLimit[];
}

/** The operator's secrets, and the hosts that each may go to: those of the bundled skills that name it. */
export class OperatorSecrets {
  readonly #hosts = new Map<string, Set<string>>();
  readonly #limits = new Map<string, RateLimit[]>();
  readonly #lookUp: (variable: string) => string | undefined;

  /**
   * @param places where bundled skills call, and with which secret
   * @param lookUp a secret's value; asked only for names that a bundled skill uses
   */
  constructor(places: readonly SecretPlace[], lookUp: (variable: string) => string | undefined) {
    this.#lookUp = lookUp;
    for (const { url, secret, limits } of places) {
      if (secret === null) continue;
      const hosts = this.#hosts.get(secret) ?? new Set();
      const host = URL.parse(url)?.host;
      if (host !== undefined) hosts.add(host);
      this.#hosts.set(secret, hosts);
      const place = placeOf(secret, host);
      this.#limits.set(place, [...(this.#limits.get(place) ?? []), ...limits]);
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
      ? failed({ code: "SECRET_NOT_SET", variable })
      : success(value);
  }

  /** What the bundled skills that use a secret allow to be sent with it to a URL's host in all. */
  limitsOf(variable: string, url: string): readonly RateLimit[] {
    return this.#limits.get(placeOf(variable, URL.parse(url)?.host)) ?? [];
  }

  /** Why a secret may not go to a URL, or null where it may. */
  refusal(variable: string, url: string): string | null {
    const host = URL.parse(url)?.host;
    if (host !== undefined && this.#hosts.get(variable)?.has(host) === true) return null;
    return `the secret ${variable} is not for this host`;
  }
}

function placeOf(variable: string, host: string | undefined): string {
  return `${variable} ${host ?? ""}`;
}

/** The secret that a skill's credential needs, or null. */
export function secretOf({ constraints: { authentication } }: Skill): string | null {
  return authentication.method === "none" ? null : authentication.variable;
}
