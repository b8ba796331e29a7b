export { createLimiting, type Limiting, type LimitingOptions } from "./choice/create.ts";
export { type ChosenLimiter, chooseLimiter, type LimiterKind, limiterKinds } from "./choice/kind.ts";
export { createExactLimiter, type ExactLimiter } from "./exact/limiter.ts";
export type { ExactCounters } from "./exact/standing.ts";
export type { CounterPage, CounterStore, ExchangeOptions, StoreFault } from "./kv/exchange.ts";
export type { ListedKey } from "./kv/keys.ts";
export { createKvLimiter } from "./kv/limiter.ts";
export type { Decision, Limit, Limiter, LimitState } from "./limiter.ts";
export { createMemoryLimiter } from "./memory.ts";
