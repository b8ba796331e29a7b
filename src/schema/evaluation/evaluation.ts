import type { ArgumentFault } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import {
  MAX_FAULTS,
  MAX_QUOTED_IN_FAULTS,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_EVALUATIONS,
  MAX_SCHEMA_REFERENCES,
  NAMES_FOR_ONE_EVALUATION,
} from "../../limits.ts";
import { quoteValue } from "../quote.ts";
import { describeRule } from "../rules.ts";
import { pointerTo } from "../walk.ts";
import type { SecretMarks } from "./secrets.ts";

/** Whether a value is as a keyword, or a whole schema, has it; what is not is refused at the evaluation. */
export type Check = (evaluation: Evaluation, value: JsonValue) => boolean;

/**
 * How many more steps a check may take: patterns take characters times instructions, `uniqueItems` takes the
 * characters of its items.
 */
export interface PatternSteps {
  left: number;
}

/** What an evaluation begins with. */
interface Beginning {
  /** The schemas that the evaluated one stands in, outermost first. */
  owners: readonly JsonObject[];
  steps: PatternSteps;
  secrets: SecretMarks;
  /** Whether there are keywords that ask which members and items others have seen. */
  marksSeen: boolean;
}

/** One value being checked against one schema: where that stands, and what has been found. */
export class Evaluation {
  readonly faults: ArgumentFault[] = [];
  /** Why the check was given up, or null; from then on everything fails at once. */
  abandoned: ArgumentFault | null = null;
  /**
   * Members and items of the value at hand that the schema at hand has seen (the annotations of
   * `unevaluatedProperties` and `unevaluatedItems`: Core, sections 11.2 and 11.3), or null where nothing asks.
   */
  seen: Set<string | number> | null;
  readonly #steps: PatternSteps;
  readonly #secrets: SecretMarks;
  readonly #owners: JsonObject[];
  readonly #path: (string | number)[] = [];
  #referencesLeft = MAX_SCHEMA_REFERENCES;
  #evaluationsLeft = MAX_SCHEMA_EVALUATIONS;
  #quiet = 0;
  #quotable = MAX_QUOTED_IN_FAULTS;

  constructor({ owners, steps, secrets, marksSeen }: Beginning) {
    this.#owners = [...owners];
    this.#steps = steps;
    this.#secrets = secrets;
    this.seen = marksSeen ? new Set() : null;
  }

  /** Whether one failure settles it: nobody will be told of others. */
  get isSettledByOne(): boolean {
    return this.#quiet > 0 || this.abandoned !== null || this.#isFull;
  }

  get #isFull(): boolean {
    return this.faults.length >= MAX_FAULTS || this.#quotable <= 0;
  }

  /** Checks a value against all keywords of a schema. */
  schema(schema: JsonObject, checks: readonly Check[], value: JsonValue): boolean {
    if (this.abandoned !== null) return false;
    if (this.#owners.length >= MAX_SCHEMA_DEPTH) return this.abandon(TOO_DEEP);
    if (!this.pay(1)) return false;
    this.#owners.push(schema);
    let holds = true;
    for (const check of checks) {
      if (check(this, value)) continue;
      holds = false;
      if (this.isSettledByOne) break;
    }
    this.#owners.pop();
    return holds;
  }

  /** Checks a member or an item of the value at hand. */
  within(token: string | number, check: Check, value: JsonValue): boolean {
    const { seen } = this;
    if (seen !== null) this.seen = new Set();
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

  #inPlace(check: Check, value: JsonValue, alwaysCounts: boolean): boolean {
    const { seen } = this;
    if (seen === null) return check(this, value);
    const own = new Set<string | number>();
    this.seen = own;
    const holds = check(this, value);
    if (holds || alwaysCounts) for (const token of own) seen.add(token);
    this.#evaluationsLeft -= own.size;
    this.seen = seen;
    return holds;
  }

  /** Says what a keyword of the schema at hand has against the value at hand. */
  refuse(keyword: string, value: JsonValue): false {
    if (this.isSettledByOne) return false;
    const expected = describeRule(keyword, this.#owners.at(-1) ?? {});
    const got = this.#quoted(value, this.#secrets.mayHold(keyword, value, this.#owners));
    this.faults.push({ path: pointerTo(this.#path), rule: keyword, expected, got });
    return false;
  }

  /** Quoting takes as long as the whole value is, which each of the schemas around it may refuse again. */
  #quoted(value: JsonValue, isSecret: boolean): string {
    if (typeof value === "object" && value !== null && !isSecret)
      this.#quotable -= JSON.stringify(value).length;
    return quoteValue(value, isSecret);
  }

  /** Says that a keyword misses a member of the value at hand. */
  refuseMissing(keyword: string, name: string, expected: string): false {
    if (this.isSettledByOne) return false;
    this.faults.push({ path: pointerTo([...this.#path, name]), rule: keyword, expected, got: "nothing" });
    return false;
  }

  /** Pays for checks of schemas; false where those were too many. */
  pay(count: number): boolean {
    this.#evaluationsLeft -= count;
    return this.#evaluationsLeft >= 0 || this.abandon(TOO_MANY_EVALUATIONS);
  }

  /** Pays for looking names up or going through members: a few are part of the check, thousands are not. */
  payForNames(count: number): boolean {
    return this.pay(Math.floor(count / NAMES_FOR_ONE_EVALUATION));
  }

  /** Pays for following a reference; false where that was one too many. */
  follow(): boolean {
    return this.#referencesLeft-- > 0 || this.abandon(TOO_MANY_REFERENCES);
  }

  /** Pays for patterns and comparisons; false where there are fewer steps left, and `fault` says so. */
  spend(count: number, fault: Omit<ArgumentFault, "path">): boolean {
    this.#steps.left -= count;
    return this.#steps.left >= 0 || this.abandon(fault);
  }

  /** Gives the check up, for a reason that is about the whole value. */
  abandon(fault: Omit<ArgumentFault, "path">): false {
    this.abandoned ??= { path: "", ...fault };
    return false;
  }
}

const TOO_MANY_REFERENCES = {
  rule: "$ref",
  expected: `a value that can be checked by following ${MAX_SCHEMA_REFERENCES} references`,
  got: "one that takes more",
};

const TOO_MANY_EVALUATIONS = {
  rule: "allOf",
  expected: `a value that can be checked by ${MAX_SCHEMA_EVALUATIONS} checks of its parts`,
  got: "one that takes more",
};

const TOO_DEEP = {
  rule: "$ref",
  expected: `a value that can be checked within ${MAX_SCHEMA_DEPTH} schemas, each in the one before`,
  got: "one that takes more",
};
