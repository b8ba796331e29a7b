/** Who may decide about calls in the model. */
export const limiterNames = ["naive", "kv", "exact", "auto"] as const;
export type LimiterName = (typeof limiterNames)[number];

/** All about a run but the limiter and the seed. */
export interface Scenario {
  isolates: number;
  /** Calls a minute that the limit allows. */
  max: number;
  /** Calls a minute that are made, as a multiple of the limit. */
  load: number;
  weather: Weather;
}

/** What isolates and store have to cope with. */
export interface Weather {
  /** What an operation of the store takes, and a call of a Durable Object. */
  latencyMs: number;
  /** Isolates are spread evenly over so many places. */
  places: number;
  /** How long a write takes to show in another place. */
  delayMs: number;
  /** Isolates' clocks differ from the true one by up to so much, either way. */
  skewMs: number;
  /** Calls come so many at once, to one isolate. */
  burst: number;
  /** How much more an isolate gets than the next one: 1 is evenly. */
  slope: number;
  /** The share of the store's operations that fail. */
  failures: number;
}

/** One place, 30 ms, no bursts, sound clocks. */
export const FAIR: Weather = {
  latencyMs: 30,
  places: 1,
  delayMs: 0,
  skewMs: 0,
  burst: 1,
  slope: 1,
  failures: 0,
};

/** A name and what is otherwise than in fair weather. */
export const roughWeather: readonly (readonly [string, Partial<Weather>])[] = [
  ["bursts of 20 calls", { burst: 20 }],
  ["each isolate half as busy as the one before", { slope: 2 }],
  ["clocks up to 2 s wrong", { skewMs: 2_000 }],
  ["a store of 200 ms", { latencyMs: 200 }],
  ["1 in 50 operations fails", { failures: 0.02 }],
  ["3 places, 1 s apart", { places: 3, delayMs: 1_000 }],
  ["3 places, 60 s apart", { places: 3, delayMs: 60_000 }],
];
