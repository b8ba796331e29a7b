/** How one credential is come by: one entry for each method of authentication. */
import { failed, type Result, success } from "../../errors.ts";
import type { Authentication } from "../../ir.ts";
import type { InvokeDependencies } from "../call.ts";
import type { Credential } from "../upstream/request.ts";
import { isHeaderValue } from "../upstream/send.ts";
import { base64 } from "./base64.ts";
import { buyToken, tokenSecret } from "./token.ts";

/** What coming by a credential touches. */
export interface CredentialDependencies
  extends Pick<InvokeDependencies, "secrets" | "tokens" | "circuits" | "fetch" | "egress" | "now"> {
  /** When the call that needs the credential must be over, in milliseconds since 1970. */
  deadline: number;
  /** Told of every request that is sent for a credential. */
  countRequest(): void;
}

type MethodName = Authentication["method"];
type RuleOf<Name extends MethodName> = Extract<Authentication, { method: Name }>;

interface AuthenticationMethod<Rule> {
  /** The credential with the secret's name in place of its value. */
  masked(rule: Rule): Credential;
  /** The value of the secret, where all that comes of it may go to where a request to the URL takes it. */
  secret(rule: Rule, url: string, dependencies: CredentialDependencies): Result<string>;
  /**
   * The credential that a secret comes to.
   * @param refused the one that the upstream did not accept, where another is asked for
   */
  make(
    rule: Rule,
    secret: string,
    refused: Credential | null,
    dependencies: CredentialDependencies,
  ): Promise<Result<Credential>>;
  /** Whether there may be another credential in place of one that was refused. */
  isRenewable: boolean;
}

const methods: { [Name in MethodName]: AuthenticationMethod<RuleOf<Name>> } = {
  api_key: fromSecret(
    ({ in: place, name, variable }) => inPlace(place, name, `[secret ${variable}]`, []),
    (rule, secret) => sendable(rule, inPlace(rule.in, rule.name, secret, [secret])),
  ),
  bearer: fromSecret(
    ({ variable }) => authorization(`Bearer [secret ${variable}]`, []),
    (rule, secret) => sendable(rule, authorization(`Bearer ${secret}`, [secret])),
  ),
  basic: fromSecret(({ variable }) => authorization(`Basic [secret ${variable}]`, []), basic),
  oauth2_client_credentials: {
    masked: ({ variable }) => authorization(`Bearer [token for the secret ${variable}]`, []),
    secret: tokenSecret,
    make: async (rule, secret, refused, dependencies) => {
      const token = await buyToken(rule, secret, refused?.secrets[0] ?? null, dependencies);
      return token.ok ? success(authorization(`Bearer ${token.value}`, [token.value])) : token;
    },
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
 * The value of a rule's secret for a request to a URL. Fails with SECRET_NOT_SET, and with EGRESS_DENIED where the
 * secret, or the token that it buys, is not for this host.
 */
export function secretOf<Name extends MethodName>(
  rule: RuleOf<Name>,
  url: string,
  dependencies: CredentialDependencies,
): Result<string> {
  return methodOf<Name>(rule).secret(rule, url, dependencies);
}

/**
 * The credential that a rule's secret comes to. Fails with SECRET_UNUSABLE, TOKEN_REFUSED and TOKEN_UNAVAILABLE, and
 * with EGRESS_DENIED where no request may go to the token endpoint.
 * @param refused the one that the upstream did not accept, where another is asked for
 */
export function makeCredential<Name extends MethodName>(
  rule: RuleOf<Name>,
  secret: string,
  refused: Credential | null,
  dependencies: CredentialDependencies,
): Promise<Result<Credential>> {
  return methodOf<Name>(rule).make(rule, secret, refused, dependencies);
}

/** Whether there may be another credential in place of a rule's that was refused. */
export function isRenewable<Name extends MethodName>(rule: RuleOf<Name>): boolean {
  return methodOf<Name>(rule).isRenewable;
}

/** A method whose credential is made of the secret alone. */
function fromSecret<Rule extends { variable: string }>(
  masked: (rule: Rule) => Credential,
  make: (rule: Rule, secret: string) => Result<Credential>,
): AuthenticationMethod<Rule> {
  return {
    masked,
    secret: ({ variable }, url, { secrets }) => secrets.secretFor(variable, url),
    make: async (rule, secret) => make(rule, secret),
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

/** A credential, unless its secret is one that the header it goes in cannot carry. */
function sendable({ variable }: { variable: string }, credential: Credential): Result<Credential> {
  if (credential.headers.every(([, value]) => isHeaderValue(value))) return success(credential);
  const reason = "it has characters that no header can carry, such as a line break or Chinese ones";
  return failed({ code: "SECRET_UNUSABLE", variable, reason });
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
