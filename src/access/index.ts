export { type Caller, type GateOptions, identify } from "./gate.ts";
export { OperatorSecrets, type SecretPlace, secretOf, tokenUrlOf } from "./secrets.ts";
