/** How credentials are come by: one entry for each method of authentication. */
import { sha256Hex } from "../../digest.ts";
import { failed, type Result, success } from "../../errors.ts";
import type { Authentication } from "../../ir.ts";
import type { InvokeDependencies } from "../call.ts";
import { type Credential, NO_CREDENTIAL } from "../upstream/request.ts";
import { send } from "../upstream/send.ts";
import { base64 } from "./base64.ts";
import { type ClientCredentials, readToken, tokenFailure, tokenRequest } from "./token-request.ts";
import type { IssuedToken } from "./token-store.ts";

/** What coming by a credential touches. */
export interface CredentialDependencies
  extends Pick<InvokeDependencies, "secretFor" | "tokenRefusal" | "tokens" | "fetch" | "egress" | "now"> {
  /** Told of every request that is sent for a credential. */
  countRequest(): void;
}

type MethodName = Authentication["method"];
type RuleOf<Name extends MethodName> = Extract<Authentication, { method: Name }>;

interface AuthenticationMethod<Rule> {
  /** The credential with the secret's name in place of its value. */
  masked(rule: Rule): Credential;
  /**
   * The credential for a request to a URL.
   * @param refused the credential that the upstream did not accept, where it is asked for another one
   */
  obtain(
    rule: Rule,
    url: string,
    refused: Credential | null,
    dependencies: CredentialDependencies,
  ): Promise<Result<Credential>>;
  /** Whether there may be another credential in place of one that was refused. */
  isRenewable: boolean;
}

const methods: { [Name in MethodName]: AuthenticationMethod<RuleOf<Name>> } = {
  none: { masked: () => NO_CREDENTIAL, obtain: async () => success(NO_CREDENTIAL), isRenewable: false },
  api_key: fromSecret(
    ({ in: place, name, variable }) => inPlace(place, name, `[secret ${variable}]`, []),
    ({ in: place, name }, secret) => success(inPlace(place, name, secret, [secret])),
  ),
  bearer: fromSecret(
    ({ variable }) => authorization(`Bearer [secret ${variable}]`, []),
    (_rule, secret) => success(authorization(`Bearer ${secret}`, [secret])),
  ),
  basic: fromSecret(({ variable }) => authorization(`Basic [secret ${variable}]`, []), basic),
  oauth2_client_credentials: {
    masked: ({ variable }) => authorization(`Bearer [token for the secret ${variable}]`, []),
    obtain: bearerToken,
    isRenewable: true,
  },
};

/** The type checker can't see that a rule of some method has that very method, which the cast says. */
function methodOf<Name extends MethodName>(rule: RuleOf<Name>): AuthenticationMethod<RuleOf<Name>> {
  return methods[rule.method as Name];
}

/** The credential of a rule as a dry run shows it. */
export function maskedCredential<Name extends MethodName>(rule: RuleOf<Name>): Credential {
  return methodOf<Name>(rule).masked(rule);
}

/**
 * The credential of a rule for a request to a URL. Fails with SECRET_NOT_SET, SECRET_UNUSABLE, EGRESS_DENIED (the
 * secret, or the token that it buys, is not for this host), TOKEN_REFUSED and TOKEN_UNAVAILABLE.
 */
export function obtainCredential<Name extends MethodName>(
  rule: RuleOf<Name>,
  url: string,
  dependencies: CredentialDependencies,
): Promise<Result<Credential>> {
  return methodOf<Name>(rule).obtain(rule, url, null, dependencies);
}

/** Another credential in place of one that the upstream refused; null where there can be no other. */
export async function renewCredential<Name extends MethodName>(
  rule: RuleOf<Name>,
  url: string,
  refused: Credential,
  dependencies: CredentialDependencies,
): Promise<Result<Credential> | null> {
  const method = methodOf<Name>(rule);
  return method.isRenewable ? method.obtain(rule, url, refused, dependencies) : null;
}

/** A method whose credential is made of the secret alone. */
function fromSecret<Rule extends { variable: string }>(
  masked: (rule: Rule) => Credential,
  make: (rule: Rule, secret: string) => Result<Credential>,
): AuthenticationMethod<Rule> {
  return {
    masked,
    obtain: async (rule, url, _refused, { secretFor }) => {
      const secret = secretFor(rule.variable, url);
      return secret.ok ? make(rule, secret.value) : secret;
    },
    isRenewable: false,
  };
}

function inPlace(place: "header" | "query", name: string, value: string, secrets: string[]): Credential {
  const field = [name, value] as const;
  return place === "header"
    ? { headers: [field], query: [], secrets }
    : { headers: [], query: [field], secrets };
}

function authorization(value: string, secrets: string[]): Credential {
  return { headers: [["authorization", value]], query: [], secrets };
}

/**
 * `name:password` in UTF-8 and Base64. A name has no colon, because the first one ends it, and neither part has control
 * characters (RFC 7617, sections 2 and 2.1).
 */
export function basic({ username, variable }: RuleOf<"basic">, secret: string): Result<Credential> {
  const unusable = (reason: string) => failed({ code: "SECRET_UNUSABLE", variable, reason });
  if (username?.includes(":") === true) return unusable("the user name that goes with it has a colon");
  const pair = username === null ? secret : `${username}:${secret}`;
  const colon = pair.indexOf(":");
  if (colon === -1) return unusable("it is not `name:password`");
  if (/\p{Cc}/u.test(pair)) return unusable("it has control characters");
  const encoded = base64(pair);
  return success(authorization(`Basic ${encoded}`, [secret, pair.slice(colon + 1), encoded]));
}

/** The secret goes to the token endpoint's host only, and the token only to the upstream's. */
async function bearerToken(
  rule: ClientCredentials,
  url: string,
  refused: Credential | null,
  dependencies: CredentialDependencies,
): Promise<Result<Credential>> {
  const { variable, tokenUrl, clientId, scopes, audience } = rule;
  const refusal = dependencies.tokenRefusal(variable, url);
  if (refusal !== null)
    return failed({
      code: "EGRESS_DENIED",
      host: URL.parse(url)?.host ?? "an unreadable URL",
      reason: refusal,
    });
  const secret = dependencies.secretFor(variable, tokenUrl);
  if (!secret.ok) return secret;
  const key = JSON.stringify([tokenUrl, clientId, await sha256Hex(secret.value), scopes, audience]);
  const refusedToken = refused?.secrets[0] ?? null;
  const token = await dependencies.tokens.token(key, refusedToken, () =>
    issueToken(rule, secret.value, dependencies),
  );
  return token.ok ? success(authorization(`Bearer ${token.value}`, [token.value])) : token;
}

const ONE_REQUEST = { signal: null, maxRedirects: 0, admitRedirect: () => success(null) };

/**
 * Asks for a token. The request is everybody's who waits for the token, so no single caller's leaving ends it, and no
 * redirect is followed: the secret is for this address alone.
 */
async function issueToken(
  rule: ClientCredentials,
  secret: string,
  { fetch, egress, now, countRequest }: CredentialDependencies,
): Promise<Result<IssuedToken>> {
  const { request, credential } = tokenRequest(rule, secret);
  countRequest();
  const reply = await send(request, credential, { fetch, egress, ...ONE_REQUEST });
  return reply.ok ? readToken(rule, reply.value, now()) : failed(tokenFailure(rule, reply.failure));
}
