export {
  type Caller,
  DEFAULT_TENANT,
  EVERYTHING,
  hasScope,
  missingScope,
  OPERATOR,
  TENANT_NAME,
  viewOf,
} from "./caller.ts";
export { Gate, type GateOptions, HOW_TO_OPEN } from "./gate.ts";
export { type KeyLimits, parseKeyLimits } from "./key-limits.ts";
export { type AskedGrant, grantWithin, rotationRefusal, tenantRefusal } from "./keys/grants.ts";
export type { Grant, KeyRecord } from "./keys/key-record.ts";
export { type IssuedKey, KeyRing, type Rotation } from "./keys/key-ring.ts";
export type { Records } from "./records.ts";
export { isEncryptionKey } from "./secrets/encryption-key.ts";
export { canonicalHost } from "./secrets/hosts.ts";
export { OperatorSecrets, placeRefusal, type SecretPlace, secretsOf } from "./secrets/operator.ts";
// Loaded apart from the rest, so that a start does not load it.
export type { AskedSecret, ListedSecret, SecretLine, TenantSecrets } from "./secrets/tenant-secrets.ts";
export { UploadedSkillSecrets } from "./secrets/uploaded-skill-secrets.ts";
