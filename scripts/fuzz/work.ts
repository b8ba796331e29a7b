import { type Profiler, Session } from "node:inspector";

/**
 * Counts work as the engine does for its precise coverage: how often each block of code ran, in functions that
 * were first loaded after the counter was opened. Nothing is timed, so the same work counts the same (within a
 * few per cent: what is prepared at a first use counts there) on any machine, however busy.
 */
export class WorkCounter {
  readonly #session = new Session();
  readonly #counts: (url: string) => boolean;

  /** @param counts which scripts count, by their addresses */
  constructor(counts: (url: string) => boolean) {
    this.#counts = counts;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** How many blocks have run since this was last asked. */
  take(): number {
    let blocks = 0;
    for (const { url, functions } of this.#coverage()) {
      if (!this.#counts(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    }
    return blocks;
  }

  #coverage(): Profiler.ScriptCoverage[] {
    let coverage: Profiler.ScriptCoverage[] | null = null;
    // The session is one of this very thread, which answers before `post` comes back.
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error;
      coverage = answer.result;
    });
    if (coverage === null) throw new Error("The engine gave no count.");
    return coverage;
  }

  close(): void {
    this.#session.disconnect();
  }
}
