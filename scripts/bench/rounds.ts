/** How long and how often to measure, and whom to tell how far it is. */
export interface Settings {
  rounds: number;
  /** The length of one measurement under load. */
  seconds: number;
  progress(text: string): void;
}

/** Measures the subject and its baseline by turns, so that what disturbs the machine for a while disturbs both. */
export async function byTurns<Sample>(
  rounds: number,
  measure: { subject: () => Promise<Sample>; baseline: () => Promise<Sample> },
  onRound: (round: number, of: number) => void,
): Promise<{ subject: Sample; baseline: Sample }[]> {
  const samples: { subject: Sample; baseline: Sample }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    onRound(round, rounds);
    const subject = await measure.subject();
    samples.push({ subject, baseline: await measure.baseline() });
  }
  return samples;
}
