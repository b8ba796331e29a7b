export { type Caller, type GateOptions, identify } from "./gate.ts";
export { OperatorSecrets, secretOf } from "./secrets.ts";
