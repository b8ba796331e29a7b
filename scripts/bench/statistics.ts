/** The arithmetic of the benchmarks: what repeated measurements come to. */

/** One round: the same thing measured for two parties, one right after the other. */
export interface Round {
  subject: number;
  baseline: number;
}

/** How the subject stands to its baseline: as a factor, or as what it adds. */
export type Relation = "ratio" | "difference";

/** What all rounds come to. Each median is taken by itself: the quotient of two of them may be another one. */
export interface Summary {
  subject: number;
  baseline: number;
  /** Of the rounds' own ratios or differences, as are the least and the most. */
  compared: number;
  least: number;
  most: number;
}

/** The value in the middle; of an even number of values, halfway between the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("There is no median of no values.");
  return (lower + upper) / 2;
}

/**
 * The medians of all rounds. Subject and baseline are compared within each round, where both met the same machine;
 * what slows a whole round down then cancels out.
 */
export function summarise(rounds: readonly Round[], relation: Relation): Summary {
  const compared = rounds.map((round) => compare(round, relation));
  return {
    subject: median(rounds.map(({ subject }) => subject)),
    baseline: median(rounds.map(({ baseline }) => baseline)),
    compared: median(compared),
    least: Math.min(...compared),
    most: Math.max(...compared),
  };
}

function compare({ subject, baseline }: Round, relation: Relation): number {
  return relation === "ratio" ? subject / baseline : subject - baseline;
}
