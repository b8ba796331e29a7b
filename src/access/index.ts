export { type Caller, type GateOptions, identify } from "./gate.ts";
export { type KeyLimits, parseKeyLimits } from "./key-limits.ts";
export { OperatorSecrets, type SecretPlace, secretsOf } from "./secrets.ts";
