import type { Hono } from "hono";
import type { Market } from "../market/market.ts";

/** What an upstream is given to play its part. */
export interface UpstreamSetting {
  market: Market;
  /** The same seed makes the same world: weather, rates, posts. */
  seed: number;
  /** The one key that it accepts. */
  apiKey: string;
  /** 0 for no limit. */
  requestsPerMinute: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** A service that bundled skills call. */
export interface Upstream {
  name: string;
  /** Where its paths begin; "/" where they begin as the real ones do. */
  basePath: string;
  /** The variables that point skills here, each with its base URL's path. */
  baseUrls: Readonly<Record<string, string>>;
  /** The variable of the secret that its key is, or null where it asks for none. */
  keyVariable: string | null;
  create(setting: UpstreamSetting): Hono;
}
