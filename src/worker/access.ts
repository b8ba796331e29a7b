/** Who may come in, and with which secrets skills call: the parts of access, put together over one store. */
import {
  Gate,
  HOW_TO_OPEN,
  isEncryptionKey,
  KeyRing,
  type OperatorSecrets,
  placeRefusal,
  secretsOf,
  type TenantSecrets,
  UploadedSkillSecrets,
  viewOf,
} from "../access/index.ts";
import { type Failure, failed, type Result, success } from "../errors.ts";
import type { Gateway } from "../http/index.ts";
import { type BaseUrlLookup, baseUrl } from "../invoke/index.ts";
import type { RateLimit, Skill } from "../ir.ts";
import { DEFAULT_FRESHNESS_MS } from "../limits.ts";
import { TenantRecords } from "../store/index.ts";
import { type Env, sleep, textOf } from "./env.ts";

/** What the operator's variables say of encryption. */
export interface EncryptionSettings {
  /** What secrets are encrypted under, the one for new ones first. */
  keys: readonly string[];
  /** What is wrong with them. Where one is, secrets are neither taken nor sent. */
  faults: readonly string[];
}

/** Reads SECRETS_KEY_NEW and SECRETS_KEY. */
export function encryptionSettings(env: Env): EncryptionSettings {
  const read = ["SECRETS_KEY_NEW", "SECRETS_KEY"].flatMap((variable) => {
    const key = textOf(env, variable);
    return key === undefined ? [] : [{ variable, key }];
  });
  const wrong = read.filter(({ key }) => !isEncryptionKey(key));
  return {
    keys: read.map(({ key }) => key),
    faults: wrong.map(({ variable }) => `${variable} is not 32 bytes in Base64`),
  };
}

/** What access is made of. */
export interface AccessParts {
  storage: KVNamespace | null;
  operatorKey: string | null;
  /** What may be spent with that key. */
  operatorLimits: readonly RateLimit[];
  encryption: EncryptionSettings;
  open: boolean;
  operator: OperatorSecrets;
  baseUrlOf: BaseUrlLookup;
  now(): number;
  report(operation: string, error: unknown): void;
}

/** The part of a gateway that has to do with keys and secrets. */
export function accessFrom(
  parts: AccessParts,
): Pick<
  Gateway,
  "open" | "setup" | "identify" | "keys" | "secrets" | "uploadedSkillSecrets" | "uploadRefusal"
> {
  const { storage, operatorKey, operatorLimits, open, operator } = parts;
  const keys = storage === null ? null : keyRing(storage, parts);
  const secrets = storage === null ? null : tenantSecrets(storage, parts);
  const gate = new Gate({ operatorKey, operatorLimits, keys, open, timingSafeEqual });
  const uploadedSkillSecrets: Gateway["uploadedSkillSecrets"] = async (skill, caller) => {
    const named = [...new Set(secretsOf(skill).map(({ variable }) => variable))];
    const own =
      secrets === null || named.length === 0 ? success(new Map()) : await secrets.open(caller.tenant, named);
    if (!own.ok) return own;
    return success(new UploadedSkillSecrets(caller.tenant, own.value, operator, viewOf(caller)));
  };
  return {
    open,
    setup: operatorKey === null && !open ? HOW_TO_OPEN : null,
    identify: (authorization) => gate.identify(authorization),
    keys: keys ?? NO_KEYS,
    secrets: secrets ?? NO_SECRETS,
    uploadedSkillSecrets,
    uploadRefusal: async (skill, caller) => {
      const usable = await uploadedSkillSecrets(skill, caller);
      return usable.ok ? success(secretRefusal(skill, usable.value, parts.baseUrlOf)) : usable;
    },
  };
}

function keyRing(storage: KVNamespace, { now, report }: AccessParts): KeyRing {
  const records = new TenantRecords({ storage, kind: "key", now, report });
  return new KeyRing({
    records,
    freshnessMs: DEFAULT_FRESHNESS_MS,
    now,
    sleep: (milliseconds) => sleep(milliseconds, null),
    report,
    randomBytes,
    timingSafeEqual,
  });
}

/** The secrets of tenants, made when they are first asked for. */
function tenantSecrets(
  storage: KVNamespace,
  { encryption: { keys, faults }, now, report }: AccessParts,
): Pick<TenantSecrets, "put" | "list" | "delete" | "open"> {
  const records = new TenantRecords({ storage, kind: "secret", now, report });
  let made: TenantSecrets | undefined;
  const secrets = async (): Promise<TenantSecrets> => {
    const { Sealer, TenantSecrets: Secrets } = await import("./on-demand.ts");
    const sealer = Sealer.from(keys, randomBytes);
    made ??= new Secrets({
      records,
      sealer,
      keyFaults: faults,
      freshnessMs: DEFAULT_FRESHNESS_MS,
      now,
      report,
    });
    return made;
  };
  return {
    put: async (tenant, secret) => (await secrets()).put(tenant, secret),
    list: async (tenant) => (await secrets()).list(tenant),
    delete: async (tenant, name) => (await secrets()).delete(tenant, name),
    open: async (tenant, names) => (await secrets()).open(tenant, names),
  };
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean {
  return crypto.subtle.timingSafeEqual(left, right);
}

/** Why a skill's secrets, or the tokens that they buy, may not go where the skill sends them. */
function secretRefusal(skill: Skill, secrets: UploadedSkillSecrets, baseUrlOf: BaseUrlLookup): string | null {
  const needed = secretsOf(skill);
  const urls = skill.upstreams.map(({ upstream }) => baseUrl(upstream, baseUrlOf));
  const refusals = urls.map((url) => placeRefusal({ url, secrets: needed }, secrets));
  return refusals.find((refusal) => refusal !== null) ?? null;
}

const NO_STORE: Failure = {
  code: "FORBIDDEN",
  message: "This gateway has no store bound (STORE), so it keeps no keys and secrets.",
};

const refuse = async (): Promise<Result<never>> => failed(NO_STORE);

const NO_KEYS: Gateway["keys"] = {
  issue: refuse,
  list: refuse,
  show: refuse,
  rotate: refuse,
  revoke: refuse,
};

const NO_SECRETS: Gateway["secrets"] = { put: refuse, list: refuse, delete: refuse };
