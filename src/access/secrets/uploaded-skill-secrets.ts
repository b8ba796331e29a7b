import { failed, type Result } from "../../errors.ts";
import type { RateLimit } from "../../ir.ts";
import type { CallerView } from "../caller.ts";
import { hostOf } from "./hosts.ts";
import type { OperatorSecrets } from "./operator.ts";
import type { OpenSecret } from "./tenant-secrets.ts";

/**
 * What a skill that a tenant uploaded may do with secrets. Of each name it uses the tenant's own where there is one, for
 * the hosts that this one is bound to and no others, and else the operator's, for the hosts of the bundled skills that
 * name it and for callers who may use one of those. The two are never mixed: a token that one of them bought goes
 * only where that one's tokens may go.
 */
export class UploadedSkillSecrets {
  readonly #tenant: string;
  readonly #own: ReadonlyMap<string, OpenSecret>;
  readonly #operator: OperatorSecrets;
  readonly #view: CallerView;

  /** @param own the secrets of the tenant's own, by name */
  constructor(
    tenant: string,
    own: ReadonlyMap<string, OpenSecret>,
    operator: OperatorSecrets,
    view: CallerView,
  ) {
    this.#tenant = tenant;
    this.#own = own;
    this.#operator = operator;
    this.#view = view;
  }

  /** The value of a secret for a request to a URL. */
  secretFor(variable: string, url: string): Result<string> {
    const refusal = this.refusal(variable, url);
    if (refusal !== null)
      return failed({ code: "EGRESS_DENIED", host: hostOf(url) ?? "an unreadable URL", reason: refusal });
    return this.#own.get(variable)?.value ?? this.#operator.secretFor(variable, url);
  }

  /** Why a secret may not go to a URL, or null where it may. */
  refusal(variable: string, url: string): string | null {
    const own = this.#own.get(variable);
    if (own !== undefined) return ownRefusal(variable, own, url);
    if (this.#operator.refusal(variable, url) !== null)
      return `the secret ${variable} is not for this host; PUT /v1/secrets/${variable} sets one that is`;
    return this.#operator.isUsableBy(variable, this.#view)
      ? null
      : `the secret ${variable} is for skills that this key may not use`;
  }

  /** Why a token that a secret buys may not go to a URL, or null where it may. */
  tokenRefusal(variable: string, url: string): string | null {
    const own = this.#own.get(variable);
    return own === undefined ? this.#operator.tokenRefusal(variable, url) : ownRefusal(variable, own, url);
  }

  /** What the operator allows to be sent with a secret of its own; a tenant's is limited by its skill alone. */
  limitsOfSecret(variable: string, url: string): readonly RateLimit[] {
    return this.#own.has(variable) ? [] : this.#operator.limitsOfSecret(variable, url);
  }

  /** Whose a secret is: the tenant, or null for the operator. */
  holderOf(variable: string): string | null {
    return this.#own.has(variable) ? this.#tenant : null;
  }
}

function ownRefusal(variable: string, { hosts }: OpenSecret, url: string): string | null {
  const host = hostOf(url);
  return host !== null && hosts.has(host)
    ? null
    : `the secret ${variable} is bound to ${[...hosts].join(", ")}`;
}
