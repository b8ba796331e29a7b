export { type Caller, type GateOptions, identify } from "./gate.ts";
export { OperatorSecrets, type SecretPlace, secretsOf } from "./secrets.ts";
