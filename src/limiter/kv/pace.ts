/** How fast something goes on: an average in which the past fades. */
export interface Pace {
  /** Calls a millisecond, as of `at`. */
  readonly rate: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** After so long, what was weighs a third. */
const MEMORY_MS = 20_000;

/** The pace of what has not begun. */
export function emptyPace(now: number): Pace {
  return { rate: 0, at: now };
}

/** The pace with `amount` more at `now`. */
export function paced(pace: Pace, amount: number, now: number): Pace {
  return { rate: paceAt(pace, now) + amount / MEMORY_MS, at: now };
}

/** The pace as it stands at `now`, in calls a millisecond. A clock that was set back lets nothing fade. */
export function paceAt({ rate, at }: Pace, now: number): number {
  return rate * Math.exp(-Math.max(0, now - at) / MEMORY_MS);
}
