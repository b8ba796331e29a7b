import { median } from "../bench/statistics.ts";
import type { Outcome } from "./model/measure.ts";
import type { Run } from "./model/run.ts";
import type { LimiterName, Scenario } from "./model/scenario.ts";

/** What all runs of a limiter in a scenario come to: medians, each by itself. */
export interface Figures {
  over: number;
  refused: number;
  unused: number;
  /** Operations of KV, and calls of Durable Objects, for 1,000 calls. */
  operations: number;
  objectCalls: number;
  /** US dollars for a million calls, by the list prices, without what a plan includes. */
  dollars: number;
  waitMs: { median: number; most: number };
  throttled: number;
}

/** One scenario and how each limiter did in it. */
export interface Result {
  /** What is said of the weather; empty where it is fair. */
  title: string;
  scenario: Scenario;
  figures: Partial<Record<LimiterName, Figures>>;
}

/** A scenario, and who is to be tried in it. */
export interface Trial {
  title: string;
  scenario: Scenario;
  limiters: readonly LimiterName[];
}

/**
 * US dollars for a million: https://developers.cloudflare.com/kv/platform/pricing/ and, for an object's request with one
 * row written and some 2 ms of 128 MB, https://developers.cloudflare.com/durable-objects/platform/pricing/.
 */
const PRICES = { get: 0.5, put: 5, list: 5, object: 0.15 + 1 + 0.002 * 0.125 * 12.5 };

/** Long enough for two windows to turn, and no longer than needed where many calls are made. */
function usualMinutes({ max, load }: Scenario): number {
  return max * load > 10_000 ? 2 : 5;
}

/** All runs of the trials, in their order. */
export function runsOf(
  trials: readonly Trial[],
  { firstSeed, seeds, minutes }: { firstSeed: number; seeds: number; minutes: number | null },
): Run[] {
  return trials.flatMap(({ scenario, limiters }) =>
    limiters.flatMap((limiter) =>
      Array.from({ length: seeds }, (_, index) => ({
        limiter,
        scenario,
        seed: firstSeed + index,
        minutes: minutes ?? usualMinutes(scenario),
      })),
    ),
  );
}

/** What the outcomes of `runsOf` come to. */
export function resultsOf(trials: readonly Trial[], outcomes: readonly Outcome[], seeds: number): Result[] {
  let next = 0;
  return trials.map(({ title, scenario, limiters }) => {
    const figures = limiters.map((limiter) => {
      next += seeds;
      return [limiter, figuresOf(outcomes.slice(next - seeds, next))] as const;
    });
    return { title, scenario, figures: Object.fromEntries(figures) };
  });
}

function figuresOf(outcomes: readonly Outcome[]): Figures {
  const of = (figure: (outcome: Outcome) => number) => median(outcomes.map(figure));
  return {
    over: of(({ over }) => over),
    refused: of(({ refused }) => refused),
    unused: of(({ unused }) => unused),
    operations: of((outcome) => (1_000 * operationsOf(outcome)) / outcome.calls),
    objectCalls: of(({ objectCalls, calls }) => (1_000 * objectCalls) / calls),
    dollars: of((outcome) => dollarsOf(outcome) / outcome.calls),
    waitMs: { median: of(({ waitMs }) => waitMs.median), most: of(({ waitMs }) => waitMs.most) },
    throttled: of(({ operations }) => operations.throttled),
  };
}

function operationsOf({ operations: { gets, puts, lists } }: Outcome): number {
  return gets + puts + lists;
}

/** For so many calls as were made, a million times. */
function dollarsOf({ operations: { gets, puts, lists }, objectCalls }: Outcome): number {
  return gets * PRICES.get + puts * PRICES.put + lists * PRICES.list + objectCalls * PRICES.object;
}
