import type { ArgumentFault } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { MAX_SCHEMA_DEPTH } from "../../limits.ts";
import type { Wording } from "../wording/wording.ts";
import { FaultList } from "./faults.ts";
import type { SecretMarks } from "./secrets.ts";
import { COST, type ValidationSteps } from "./steps.ts";

/** Whether a value is as a keyword, or a whole schema, has it; what is not is refused at the evaluation. */
export type Check = (evaluation: Evaluation, value: JsonValue) => boolean;

/** The check of one keyword of a schema. */
export interface KeywordCheck {
  keyword: string;
  check: Check;
}

/** Why a further schema applies to a value, as the end of what its faults expect: `, because a is given`. */
export type Reason = (wording: Wording) => string;

/** What an evaluation begins with. */
interface Beginning {
  /** The schemas that the evaluated one stands in, outermost first. */
  owners: readonly JsonObject[];
  steps: ValidationSteps;
  secrets: SecretMarks;
  wording: Wording;
  /** Whether there are keywords that ask which members and items others have seen. */
  marksSeen: boolean;
}

/** One value being checked against one schema: where that stands, and what has been found. */
export class Evaluation {
  /** Why the check was given up, or null; from then on everything fails at once. */
  abandoned: ArgumentFault | null = null;
  /**
   * Members and items of the value at hand that the schema at hand has seen (the annotations of
   * `unevaluatedProperties` and `unevaluatedItems`: Core, sections 11.2 and 11.3), or null where nothing asks.
   */
  seen: Set<string | number> | null;
  readonly #faults: FaultList;
  readonly wording: Wording;
  readonly #steps: ValidationSteps;
  readonly #owners: JsonObject[];
  readonly #path: (string | number)[] = [];
  readonly #reasons: Reason[] = [];
  /** Each of many schemas may ask for the names of a large object again. */
  readonly #names = new Map<JsonObject, readonly string[]>();
  /** The keyword at hand: the one that a check given up is told to have come to. */
  #keyword = "";
  #quiet = 0;

  constructor({ owners, steps, secrets, wording, marksSeen }: Beginning) {
    this.#owners = [...owners];
    this.#steps = steps;
    this.wording = wording;
    this.#faults = new FaultList(wording, secrets);
    this.seen = marksSeen ? new Set() : null;
  }

  /** What has been found, in the schema's order; a check that was given up says so last. */
  get faults(): ArgumentFault[] {
    return this.abandoned === null ? [...this.#faults.found] : [...this.#faults.found, this.abandoned];
  }

  /** Whether one failure settles it: nobody will be told of others. */
  get isSettledByOne(): boolean {
    return this.#quiet > 0 || this.abandoned !== null || this.#faults.isFull;
  }

  /** Checks a value against all keywords of a schema. */
  schema(schema: JsonObject, checks: readonly KeywordCheck[], value: JsonValue): boolean {
    if (this.abandoned !== null) return false;
    if (this.#owners.length >= MAX_SCHEMA_DEPTH) return this.abandon(TOO_DEEP);
    if (!this.pay(COST.schema + checks.length * COST.keyword)) return false;
    const leading = this.#keyword;
    this.#owners.push(schema);
    let holds = true;
    for (const { keyword, check } of checks) {
      this.#keyword = keyword;
      if (check(this, value)) continue;
      holds = false;
      if (this.isSettledByOne) break;
    }
    this.#owners.pop();
    this.#keyword = leading;
    return holds;
  }

  /** Checks a member or an item of the value at hand. */
  within(token: string | number, check: Check, value: JsonValue): boolean {
    const { seen } = this;
    if (seen !== null) this.seen = this.#newSeen();
    this.#path.push(token);
    const holds = check(this, value);
    this.#path.pop();
    this.seen = seen;
    return holds;
  }

  /** Whether a member or an item would do. */
  admitsWithin(token: string | number, check: Check, value: JsonValue): boolean {
    this.#quiet++;
    const holds = this.within(token, check, value);
    this.#quiet--;
    return holds;
  }

  /** Checks the value at hand against a further schema. What that sees counts in any case: if it fails, so does all. */
  applies(check: Check, value: JsonValue): boolean {
    return this.#inPlace(check, value, true);
  }

  /** Whether the value at hand would do by a further schema, which has seen something only if it does. */
  admits(check: Check, value: JsonValue): boolean {
    this.#quiet++;
    const holds = this.#inPlace(check, value, false);
    this.#quiet--;
    return holds;
  }

  /** Runs a check whose faults follow from something that a model should be told with them. */
  because(reason: Reason, check: () => boolean): boolean {
    this.#reasons.push(reason);
    const holds = check();
    this.#reasons.pop();
    return holds;
  }

  #inPlace(check: Check, value: JsonValue, alwaysCounts: boolean): boolean {
    const { seen } = this;
    if (seen === null) return check(this, value);
    this.seen = this.#newSeen();
    const holds = check(this, value);
    const own = this.seen;
    this.seen = seen;
    if (!holds && !alwaysCounts) return false;
    if (seen.size === 0) this.seen = own;
    else this.see(own, own.size);
    return holds;
  }

  #newSeen(): Set<string | number> {
    this.#steps.left -= COST.seen;
    return new Set();
  }

  /** Notes that members or items of the value at hand have been seen. */
  see(tokens: Iterable<string | number>, count: number): void {
    if (this.seen === null || !this.pay(count * COST.seenMember)) return;
    for (const token of tokens) this.seen.add(token);
  }

  /** The names of an object's members, paid for; null where those were too many. */
  namesOf(value: JsonObject): readonly string[] | null {
    const known = this.#names.get(value);
    const names = known ?? Object.keys(value);
    if (known === undefined) this.#names.set(value, names);
    const cost = known === undefined ? COST.namedMember : COST.name;
    return this.pay(names.length * cost) ? names : null;
  }

  /**
   * Says what a keyword of the schema at hand has against the value at hand.
   * @param found what more there is to say of the value
   */
  refuse(keyword: string, value: JsonValue, found = ""): false {
    if (this.isSettledByOne || !this.#payForFault()) return false;
    const fault = { path: this.#path, rule: keyword, owners: this.#owners, reason: this.#reason() };
    this.pay(this.#faults.refused(fault, value, found) * COST.quotedCharacter);
    return false;
  }

  /** Says that a keyword misses a member of the value at hand. */
  refuseMissing(keyword: string, name: string, because = ""): false {
    if (this.isSettledByOne || !this.#payForFault()) return false;
    this.#faults.missing(this.#path, name, keyword, `a value${because}${this.#reason()}`);
    return false;
  }

  #reason(): string {
    return this.#reasons.at(-1)?.(this.wording) ?? "";
  }

  #payForFault(): boolean {
    return this.pay(COST.fault + this.#path.length * COST.pathToken);
  }

  /** Pays for work; false where that was too much, and the check is given up here. */
  pay(steps: number): boolean {
    this.#steps.left -= steps;
    return this.#steps.left >= 0 || this.abandon(TOO_MANY_STEPS);
  }

  /** As `pay`, for work that counts its steps itself; false where it is not done, or comes to false. */
  counts(work: (steps: ValidationSteps) => boolean): boolean {
    const holds = work(this.#steps);
    return this.pay(0) && holds;
  }

  /** Gives the check up at the keyword at hand, for a reason that is about the whole value. */
  abandon(fault: Pick<ArgumentFault, "expected" | "got">): false {
    this.abandoned ??= { path: this.#faults.pathTo(this.#path), rule: this.#keyword, ...fault };
    return false;
  }
}

const TOO_MANY_STEPS = {
  expected: "a value with less in it to check: the steps that a check may take were used up here",
  got: "one that takes more",
};

const TOO_DEEP = {
  expected: `a value that can be checked within ${MAX_SCHEMA_DEPTH} schemas, each in the one before`,
  got: "one that takes more",
};
