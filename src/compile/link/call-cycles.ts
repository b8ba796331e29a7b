import type { FilePlace } from "../document/source.ts";
import type { StepCall } from "./places.ts";

/** A place in a file. */
export interface CallSite {
  file: string;
  place: FilePlace;
}

type Call = StepCall & CallSite;

/**
 * The circles in which functions call each other through their steps, each once, as the calls that lead round
 * it. Each begins at its function that comes first in the alphabet, and is the shortest that does. Where there
 * is no circle, the time that it takes grows with the number of calls alone.
 */
export function callCycles(calls: readonly Call[]): Call[][] {
  const onward = withoutDeadEnds(calls, ({ function: from, call: to }) => ({ from, to }));
  const round = withoutDeadEnds(onward, ({ function: to, call: from }) => ({ from, to }));
  const byCaller = Map.groupBy(round, (call) => call.function);
  return [...byCaller.keys()].sort().flatMap((name) => {
    const cycle = shortestCycle(name, byCaller);
    return cycle === null ? [] : [cycle];
  });
}

/** Leaves out, again and again, what leads to where nothing leads on: none of it is part of a circle. */
function withoutDeadEnds(
  calls: readonly Call[],
  directionOf: (call: Call) => { from: string; to: string },
): Call[] {
  const ways = calls.map((call) => ({ call, ...directionOf(call) }));
  const waysTo = Map.groupBy(ways, ({ to }) => to);
  const onward = new Map<string, number>();
  for (const { from } of ways) onward.set(from, (onward.get(from) ?? 0) + 1);
  const dead = new Set([...waysTo.keys()].filter((name) => !onward.has(name)));
  for (const end of dead) {
    for (const { from } of waysTo.get(end) ?? []) {
      const left = (onward.get(from) ?? 0) - 1;
      onward.set(from, left);
      if (left === 0) dead.add(from);
    }
  }
  return ways.filter(({ to }) => !dead.has(to)).map(({ call }) => call);
}

/** Goes from call to call, the nearest first, over functions that come after the first one in the alphabet. */
function shortestCycle(first: string, byCaller: ReadonlyMap<string, readonly Call[]>): Call[] | null {
  const reachedBy = new Map<string, Call>();
  const reached = [first];
  for (const name of reached) {
    for (const call of byCaller.get(name) ?? []) {
      const next = call.call;
      if (next === first) return [...wayTo(name, reachedBy), call];
      if (next < first || reachedBy.has(next)) continue;
      reachedBy.set(next, call);
      reached.push(next);
    }
  }
  return null;
}

/** The calls that lead to a function, from the beginning on. */
function wayTo(name: string, reachedBy: ReadonlyMap<string, Call>): Call[] {
  const way: Call[] = [];
  for (let call = reachedBy.get(name); call !== undefined; call = reachedBy.get(call.function))
    way.push(call);
  return way.reverse();
}
