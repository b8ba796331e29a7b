export type { CounterPage, CounterStore, ExchangeOptions, StoreFault } from "./exchange.ts";
export type { ListedKey } from "./keys.ts";
export { createKvLimiter } from "./kv.ts";
export type { Decision, Limit, Limiter, LimitState } from "./limiter.ts";
export { createMemoryLimiter } from "./memory.ts";
