export { type EgressPolicy, parseEgressPolicy } from "./guard.ts";
export {
  type Call,
  type CallLimit,
  type CallLimiter,
  dryRun,
  type InvokeDependencies,
  invoke,
  type Outcome,
} from "./invoke.ts";
export { type BaseUrlLookup, baseUrl } from "./plan.ts";
