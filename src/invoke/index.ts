export { type CachePlatform, type RefreshFault, ResultCache } from "./cache/results.ts";
export type {
  Call,
  Callable,
  CallLimit,
  CallLimiter,
  CallLimitState,
  CallSecrets,
  FunctionLookup,
  InvokeDependencies,
  Outcome,
  PagesReport,
  StepReport,
  UploadedSkill,
} from "./call.ts";
export { TokenStore } from "./credential/token-store.ts";
export { dryRun } from "./dry-run.ts";
export { admitTogether, invoke, invokeTogether } from "./invoke.ts";
export { type ListedFunctions, type ListedLimits, listLimits } from "./limits/listing.ts";
export { LimitReport } from "./limits/report.ts";
export { type BaseUrlLookup, baseUrl } from "./plan/base-url.ts";
export {
  type GivenPage,
  type HeldResults,
  type ResultPage,
  ResultPages,
} from "./result/result-pages.ts";
export { ReturnsChecks, type ReturnsReport } from "./result/returns.ts";
export { type Share, startShare } from "./run.ts";
export { Circuits } from "./upstream/circuits.ts";
export type { UpstreamClosures } from "./upstream/closing.ts";
export { type EgressPolicy, parseEgressPolicy } from "./upstream/guard.ts";
