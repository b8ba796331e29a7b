import {
  EXACT_BASE_PAUSE_MS,
  EXACT_DEADLINE_MS,
  EXACT_MAX_PAUSE_MS,
  MAX_FAULTY_OBJECTS,
} from "../../limits.ts";
import { decide, stateOf } from "../decide.ts";
import type { Decision, Limit, LimitState } from "../limiter.ts";
import { CounterTable, type Entry } from "../table.ts";
import { advance, type Counter, emptyCounter, giveBack, spend } from "../window.ts";
import { type AskedLimit, decideOn, type ExactCounters, type Standing, statesOn } from "./standing.ts";

/** Something that went wrong with an object. The calls concerned were decided all the same. */
export interface ObjectFault {
  group: string;
  operation: "ask" | "tell";
  reason: string;
  /** Questions to this object that failed in a row; 0 for something that it was only told. */
  inARow: number;
}

/** How objects are reached, and by what clock. */
export interface ExactPlacesOptions {
  /** The object that counts a group; making a stub asks nothing yet. */
  place: (group: string) => ExactCounters;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Ends after so many milliseconds, or as soon as the signal fires. */
  sleep: (milliseconds: number, signal: AbortSignal | null) => Promise<void>;
  /** Keeps background work alive after the reply. The work never rejects. */
  waitUntil: (work: Promise<void>) => void;
  /** Takes note of a fault, in the log for instance. */
  report: (fault: ObjectFault) => void;
}

/** A decision, how the limits stood before it, and who made it. */
export interface Answer {
  from: "object" | "isolate";
  decision: Decision;
  before: LimitState[];
}

/** What came of a question: a reply, or none in time, which may still come. */
type Reply = { standing: Standing } | { standing: null; late: Promise<Settled> | null };

/** A question that has ended in whatever way. */
type Settled = { ok: true; standing: Standing } | Rejection;

/** Why an operation of an object failed. */
interface Rejection {
  ok: false;
  reason: string;
  /** Whether the object has more to do than it can; to ask it again makes that worse. */
  isOverloaded: boolean;
}

interface Trouble {
  inARow: number;
  /** The object is left alone until then. */
  until: number;
}

/** The objects as one isolate sees them, with what it falls back on where they fail. No method rejects. */
export class ExactPlaces {
  readonly #options: ExactPlacesOptions;
  readonly #troubles = new Map<string, Trouble>();
  /** The counters as the objects last told them, and what was counted here since. */
  readonly #known = new CounterTable<Entry>(({ window }, now) => ({
    window,
    own: emptyCounter(window, now),
  }));

  constructor(options: ExactPlacesOptions) {
    this.#options = options;
  }

  /** Asks the object of a group to admit a call, and decides here where it does not answer. */
  async admit(group: string, limits: readonly Limit[], cost: number, hold: string | null): Promise<Answer> {
    const asked = limits.map(askedOf);
    const reply = await this.#ask(group, (place) => place.admit({ limits: asked, cost, hold }));
    if (reply.standing !== null) {
      const decision = decideOn(limits, reply.standing, cost);
      this.#learn(limits, reply.standing, decision.admitted ? cost : 0);
      return { from: "object", decision, before: statesOn(limits, reply.standing) };
    }
    const answer = this.#decideHere(limits, cost);
    if (!answer.decision.admitted && hold === null) this.#undoLater(group, limits, cost, reply.late);
    return answer;
  }

  /** How the limits of a group stand. */
  async look(group: string, limits: readonly Limit[]): Promise<LimitState[]> {
    const asked = limits.map(askedOf);
    const { standing } = await this.#ask(group, (place) => place.look(asked));
    if (standing === null) return this.#stateHere(limits);
    this.#learn(limits, standing, 0);
    return statesOn(limits, standing);
  }

  /** Gives back, here and in the object, what an admitted call spent. */
  giveBack(group: string, limits: readonly Limit[], cost: number): void {
    this.forget(limits, cost);
    // Once: an object that has done it without a word would do it twice.
    this.tell(group, 1, (place) => place.giveBack(limits.map(askedOf), cost));
  }

  /** Gives back here alone. */
  forget(limits: readonly Limit[], cost: number): void {
    this.#change(limits, (counter) => giveBack(counter, cost));
  }

  /** Tells an object something in the background, as often as it takes, up to so many times. */
  tell(group: string, tries: number, say: (place: ExactCounters) => Promise<void>): void {
    this.#options.waitUntil(this.#tell(group, tries, say));
  }

  async #tell(group: string, tries: number, say: (place: ExactCounters) => Promise<void>): Promise<void> {
    const { place, sleep, report } = this.#options;
    for (let tried = 1; tried <= tries; tried += 1) {
      const told = await settled(() => say(place(group)));
      if (told.ok) return;
      report({ group, operation: "tell", reason: told.reason, inARow: 0 });
      if (tried < tries) await sleep(EXACT_BASE_PAUSE_MS * tried, null);
    }
  }

  /** Asks an object, unless it has just failed, and waits no longer than a call may. */
  async #ask(group: string, question: (place: ExactCounters) => Promise<Standing>): Promise<Reply> {
    const { place, now, sleep, waitUntil } = this.#options;
    if (isLeftAlone(this.#troubles.get(group), now())) return { standing: null, late: null };
    const asked = settled(() => question(place(group))).then(
      (told): Settled => (told.ok ? { ok: true, standing: told.value } : told),
    );
    const inTime = new AbortController();
    const tooLate = sleep(EXACT_DEADLINE_MS, inTime.signal).then(() => null);
    const outcome = await Promise.race([asked, tooLate]);
    inTime.abort();
    if (outcome?.ok === true) {
      this.#troubles.delete(group);
      return outcome;
    }
    this.#failed(group, outcome ?? TOO_LATE);
    if (outcome === null) waitUntil(asked.then(() => undefined));
    return { standing: null, late: outcome === null ? asked : null };
  }

  #failed(group: string, { reason, isOverloaded }: Rejection): void {
    const inARow = (this.#troubles.get(group)?.inARow ?? 0) + 1;
    const pauseMs = pauseAfter(inARow, isOverloaded);
    const [oldest] = this.#troubles.keys();
    if (this.#troubles.size >= MAX_FAULTY_OBJECTS && oldest !== undefined) this.#troubles.delete(oldest);
    this.#troubles.set(group, { inARow, until: this.#options.now() + pauseMs });
    this.#options.report({ group, operation: "ask", reason, inARow });
  }

  /** A call that was refused here while its object was slow may be counted there; it is given back when that shows. */
  #undoLater(group: string, limits: readonly Limit[], cost: number, late: Promise<Settled> | null): void {
    if (late === null) return;
    const undone = late.then((asked) => {
      if (!asked.ok || !decideOn(limits, asked.standing, cost).admitted) return;
      return this.#tell(group, 1, (place) => place.giveBack(limits.map(askedOf), cost));
    });
    this.#options.waitUntil(undone);
  }

  #decideHere(limits: readonly Limit[], cost: number): Answer {
    const now = this.#now();
    const usages = limits.map((limit) => ({ limit, counter: this.#entry(limit, now).own }));
    const before = usages.map((usage) => stateOf(usage, now));
    const decision = decide(usages, cost, now);
    if (decision.admitted) this.#change(limits, (counter) => spend(counter, cost));
    return { from: "isolate", decision, before };
  }

  #stateHere(limits: readonly Limit[]): LimitState[] {
    const now = this.#now();
    return limits.map((limit) => stateOf({ limit, counter: this.#entry(limit, now).own }, now));
  }

  #learn(limits: readonly Limit[], { counters, now }: Standing, cost: number): void {
    for (const [index, limit] of limits.entries()) {
      const counter = counters[index];
      if (counter !== undefined) this.#entry(limit, now).own = spend(counter, cost);
    }
  }

  #change(limits: readonly Limit[], change: (counter: Counter) => Counter): void {
    const now = this.#now();
    // Limits may share a counter; what is done to counters is done once to each.
    for (const entry of new Set(limits.map((limit) => this.#entry(limit, now))))
      entry.own = change(entry.own);
  }

  #entry(limit: Limit, now: number): Entry {
    const entry = this.#known.entry(limit, now);
    entry.own = advance(entry.own, limit.window, now);
    return entry;
  }

  #now(): number {
    return Math.floor(this.#options.now());
  }
}

function askedOf({ bucket, max, window }: Limit): AskedLimit {
  return { bucket, max, window };
}

/** An object that does not answer in time is taken to be overloaded: each call that asks it would wait in vain. */
const TOO_LATE: Rejection = {
  ok: false,
  reason: `no answer within ${EXACT_DEADLINE_MS} ms`,
  isOverloaded: true,
};

/** An object that was only replaced, as by a deployment, is there again at once: its first fault makes no pause. */
function pauseAfter(faultsInARow: number, isOverloaded: boolean): number {
  const doublings = isOverloaded ? faultsInARow - 1 : faultsInARow - 2;
  return doublings < 0 ? 0 : Math.min(EXACT_MAX_PAUSE_MS, EXACT_BASE_PAUSE_MS * 2 ** doublings);
}

/** A pause that would last longer than any does comes from a clock that was set back. */
function isLeftAlone(trouble: Trouble | undefined, now: number): boolean {
  if (trouble === undefined) return false;
  const left = trouble.until - now;
  return left > 0 && left <= EXACT_MAX_PAUSE_MS;
}

/** Runs an operation of an object and turns its rejection into a value. */
async function settled<T>(operation: () => Promise<T>): Promise<{ ok: true; value: T } | Rejection> {
  try {
    return { ok: true, value: await operation() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "no reason given";
    // The platform says so on the error itself.
    const isOverloaded = error instanceof Error && "overloaded" in error && error.overloaded === true;
    return { ok: false, reason, isOverloaded };
  }
}
