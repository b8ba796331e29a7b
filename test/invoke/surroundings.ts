import { OperatorSecrets, secretsOf } from "../../src/access/index.ts";
import { failed, type Result, success } from "../../src/errors.ts";
import {
  type Call,
  type Callable,
  type CallLimit,
  Circuits,
  dryRun,
  type FunctionLookup,
  type InvokeDependencies,
  invoke,
  LimitReport,
  type Outcome,
  parseEgressPolicy,
  type RefreshFault,
  ResultCache,
  ReturnsChecks,
  TokenStore,
} from "../../src/invoke/index.ts";
import type { RateLimit, Skill } from "../../src/ir.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../src/json.ts";
import { createLimiting } from "../../src/limiter/index.ts";

/** Where calls are made in tests, and what may be different there. */
export interface Setting {
  /** Where every base URL variable points. */
  baseUrl: string;
  /** The operator's secrets; a skill's own is bound to `baseUrl`. */
  secrets?: Record<string, string>;
  /** EGRESS_ALLOW */
  allow?: string;
  /**
   * What the clock gains while a pause of so many milliseconds is made; the same unless it says otherwise.
   */
  pause?: (milliseconds: number) => number;
  /** More skills that the caller sees; their secrets are bound to where they call. */
  others?: readonly Skill[];
  /** What the operator's own skills allow to be sent with the secret. */
  operatorLimits?: readonly RateLimit[];
}

/** Noon, so that no window of a limit turns within a test. */
const NOON = Date.UTC(2026, 1, 28, 12);

/**
 * Everything that a call touches: the real parts, a clock that only pauses move, and a record of what was
 * asked.
 */
export class Surroundings {
  /** The pauses between attempts, in milliseconds. */
  readonly pauses: number[] = [];
  /** What the limiter was asked, call by call. */
  readonly admissions: { limits: readonly CallLimit[]; cost: number }[] = [];
  /** Of each admission, whether the reply may wait for what isolates share. */
  readonly waits: boolean[] = [];
  /** What the limiter was given back. */
  readonly releases: { limits: readonly CallLimit[]; cost: number }[] = [];
  /** What whoever calls may spend. */
  budget: readonly CallLimit[] = [];
  /** How the limits stand that calls have met. */
  limits = new LimitReport();
  /** Work under way that goes on when its call is over. */
  readonly background = new Set<Promise<unknown>>();
  /** What failed there. */
  readonly faults: RefreshFault[] = [];
  readonly dependencies: InvokeDependencies;
  readonly #skills: readonly Skill[];
  #now = NOON;

  constructor(
    skill: Skill,
    {
      baseUrl,
      secrets = {},
      allow = "*,loopback",
      pause = (ms) => ms,
      others = [],
      operatorLimits = [],
    }: Setting,
  ) {
    this.#skills = [skill, ...others];
    const { limiter, closures } = createLimiting("memory", {
      store: null,
      object: null,
      newId: () => "isolate-1",
      now: () => this.#now,
      sleep: async () => {},
      waitUntil: () => {},
      report: () => {},
    });
    const places = this.#skills.flatMap((one) =>
      one.upstreams.map(({ upstream }) => ({
        url: upstream.baseUrlVariable === null ? upstream.baseUrl : baseUrl,
        skill: one.name,
        permissions: [],
        secrets: secretsOf(one),
        limits: operatorLimits,
      })),
    );
    const operator = new OperatorSecrets(places, (name) => secrets[name]);
    // Nobody here loses patience: the clock moves when a test says so.
    const platform = {
      sleep: () => new Promise<void>(() => {}),
      waitUntil: (work: Promise<unknown>) => {
        this.background.add(work);
        void work.then(() => this.background.delete(work));
      },
    };
    this.dependencies = {
      now: () => this.#now,
      random: () => 0.5,
      sleep: async (milliseconds) => {
        this.pauses.push(milliseconds);
        this.#now += pause(milliseconds);
      },
      fetch,
      egress: parseEgressPolicy(allow, undefined),
      limiter: {
        admit: (limits, cost, mayWait) => {
          this.admissions.push({ limits, cost });
          this.waits.push(mayWait);
          return limiter.admit(limits, cost);
        },
        release: (limits, cost) => {
          this.releases.push({ limits, cost });
          limiter.release(limits, cost);
        },
        look: (limits) => limiter.look(limits),
      },
      closures,
      baseUrlOf: () => baseUrl,
      secrets: operator,
      vars: jsonObject(),
      tokens: new TokenStore(() => this.#now, platform),
      results: new ResultCache({
        ...platform,
        now: () => this.#now,
        report: (fault) => this.faults.push(fault),
      }),
      circuits: new Circuits(() => this.#now),
      returns: new ReturnsChecks(() => this.#now),
    };
  }

  call(
    skill: Skill,
    name: string,
    args: JsonValue,
    signal: AbortSignal | null = null,
    tenant = "tenant-1",
    caller: Partial<Pick<Call, "view" | "uploaded" | "find">> = {},
  ): Promise<Result<Outcome>> {
    return invoke({ ...this.#callOf(skill, name, args, signal), tenant, ...caller }, this.dependencies);
  }

  dryRun(skill: Skill, name: string, args: JsonValue): Promise<Result<JsonObject>> {
    return dryRun(this.#callOf(skill, name, args, null), this.dependencies);
  }

  /** Waits for all work in the background. */
  async settled(): Promise<void> {
    while (this.background.size > 0) await Promise.all(this.background);
  }

  /** Lets time pass. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #callOf(skill: Skill, name: string, args: JsonValue, signal: AbortSignal | null): Call {
    const definition = skill.functions.find((candidate) => candidate.name === name);
    if (definition === undefined) throw new Error(`no function ${name}`);
    const callable = { skill, digest: skill.name, definition, uploaded: null };
    const find: FunctionLookup = async (wanted) => this.#find(wanted);
    return {
      ...callable,
      id: "request-1",
      arguments: args,
      tenant: "tenant-1",
      view: "",
      budget: this.budget,
      limits: this.limits,
      find,
      signal,
    };
  }

  #find(name: string): Result<Callable> {
    const found = this.#skills.flatMap((skill) =>
      skill.functions
        .filter((candidate) => candidate.name === name)
        .map((definition) => ({ skill, digest: skill.name, definition, uploaded: null })),
    );
    const [first] = found;
    return first === undefined
      ? failed({ code: "UNKNOWN_FUNCTION", function: name, known: [] })
      : success(first);
  }
}
