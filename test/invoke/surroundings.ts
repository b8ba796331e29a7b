import { OperatorSecrets, secretOf } from "../../src/access/index.ts";
import type { Result } from "../../src/errors.ts";
import {
  type Call,
  type CallLimit,
  dryRun,
  type InvokeDependencies,
  invoke,
  type Outcome,
  parseEgressPolicy,
} from "../../src/invoke/index.ts";
import type { RateLimit, Skill } from "../../src/ir.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../src/json.ts";
import { createMemoryLimiter } from "../../src/limiter/index.ts";

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
  /** What the limiter was given back. */
  readonly releases: { limits: readonly CallLimit[]; cost: number }[] = [];
  readonly dependencies: InvokeDependencies;
  #now = NOON;

  constructor(
    skill: Skill,
    { baseUrl, secrets = {}, allow = "*,loopback", pause = (ms) => ms, operatorLimits = [] }: Setting,
  ) {
    const limiter = createMemoryLimiter(() => this.#now);
    const places = skill.upstreams.map(({ upstream }) => ({
      url: upstream.baseUrlVariable === null ? upstream.baseUrl : baseUrl,
      secret: secretOf(skill),
      limits: operatorLimits,
    }));
    const operator = new OperatorSecrets(places, (name) => secrets[name]);
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
        admit: (limits, cost) => {
          this.admissions.push({ limits, cost });
          return limiter.admit(limits, cost);
        },
        release: (limits, cost) => {
          this.releases.push({ limits, cost });
          limiter.release(limits, cost);
        },
      },
      baseUrlOf: () => baseUrl,
      secretFor: (variable, url) => operator.secretFor(variable, url),
      limitsOfSecret: (variable, url) => operator.limitsOf(variable, url),
      vars: jsonObject(),
    };
  }

  call(
    skill: Skill,
    name: string,
    args: JsonValue,
    signal: AbortSignal | null = null,
  ): Promise<Result<Outcome>> {
    return invoke(callOf(skill, name, args, signal), this.dependencies);
  }

  dryRun(skill: Skill, name: string, args: JsonValue): Result<JsonObject> {
    return dryRun(callOf(skill, name, args, null), this.dependencies);
  }
}

function callOf(skill: Skill, name: string, args: JsonValue, signal: AbortSignal | null): Call {
  const definition = skill.functions.find((candidate) => candidate.name === name);
  if (definition === undefined) throw new Error(`no function ${name}`);
  return { id: "request-1", skill, definition, arguments: args, signal };
}
