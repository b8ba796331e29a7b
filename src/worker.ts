/** Where everything is wired; with the files of `worker/` the only reader of the bindings. */
import { waitUntil } from "cloudflare:workers";
import { bundle } from "#catalog";
import { type Caller, OperatorSecrets, viewOf } from "./access/index.ts";
import {
  BundledSkills,
  Catalog,
  makeRecord,
  searchableEntryOf,
  type ToolEncoder,
  type UserSkills,
} from "./catalog/index.ts";
import { dialects } from "./dialect/index.ts";
import { type Failure, failed, success } from "./errors.ts";
import { createApp, type Gateway, type LogEvent } from "./http/index.ts";
import {
  type BaseUrlLookup,
  baseUrl,
  Circuits,
  type InvokeDependencies,
  parseEgressPolicy,
  type RefreshFault,
  ResultCache,
  ResultPages,
  ReturnsChecks,
  TokenStore,
} from "./invoke/index.ts";
import type { SkillRecord } from "./ir.ts";
import { type JsonObject, jsonObject } from "./json.ts";
import type { Limiting } from "./limiter/index.ts";
import { DEFAULT_FRESHNESS_MS } from "./limits.ts";
import { HeldResultStore, kvStorage, UserSkillStore } from "./store/index.ts";
import { VERSION } from "./version.ts";
import { accessFrom, encryptionSettings } from "./worker/access.ts";
import { type Env, sleep, textOf } from "./worker/env.ts";
import { limitingFrom, limitSettings } from "./worker/limiting.ts";

export { ExactLimits } from "./limiter/exact/object.ts";

let app: ReturnType<typeof createApp> | undefined;

export default {
  /** Bindings do not change within an isolate, so the application is made once, at the first request. */
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
    app ??= createApp(gatewayFrom(env));
    return app.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;

function gatewayFrom(env: Env): Gateway {
  const bundled = new BundledSkills(bundle);
  const now = (): number => Date.now();
  const baseUrlOf: BaseUrlLookup = (variable) => textOf(env, variable);
  const places = bundle.upstreams.map((upstream) => ({ ...upstream, url: baseUrl(upstream, baseUrlOf) }));
  const operator = new OperatorSecrets(places, (variable) => textOf(env, variable));
  const store = env.STORE === undefined ? null : userSkillStore(env.STORE, now);
  const { kind, keyLimits, faults: limitFaults } = limitSettings(env);
  const encryption = encryptionSettings(env);
  const faults = [...limitFaults, ...encryption.faults];
  for (const detail of faults) log({ level: "error", event: "settings-fault", detail });
  const limiting = limitingFrom(env, kind, now, log);
  return {
    version: VERSION,
    bundled,
    stores: { skills: store !== null, limits: kind },
    faults,
    ...accessFrom({
      storage: env.STORE ?? null,
      operatorKey: textOf(env, "SKILLGATE_KEY") ?? null,
      operatorLimits: keyLimits,
      encryption,
      open: textOf(env, "OPEN_ACCESS") === "true",
      operator,
      baseUrlOf,
      now,
      report: reportStoreFault,
    }),
    catalogFor: (caller) =>
      new Catalog(bundled, store === null ? NO_USER_SKILLS : skillsOf(store, caller), viewOf(caller)),
    skills: store ?? READ_ONLY,
    invocation: invocationFrom(env, operator, limiting, baseUrlOf, now),
    resultPages: new ResultPages(now, env.STORE === undefined ? null : heldResults(env.STORE)),
    wrapTools: (dialect, tools) => dialects[dialect].wrapTools(tools),
    encodeTool,
    encodeTools: (dialect, definitions, options) => dialects[dialect].encodeTools(definitions, options),
    toolName: (dialect, functionName) => dialects[dialect].toolName(functionName),
    functionName: (dialect, toolName, known) => dialects[dialect].functionName(toolName, known),
    restoreArguments: (dialect, definition, given) => dialects[dialect].restoreArguments(definition, given),
    memberNames: (dialect, definition) => dialects[dialect].memberNames(definition),
    pathAsGiven: (dialect, definition, given, path) => dialects[dialect].pathAsGiven(definition, given, path),
    authoring: () => import("./worker/on-demand.ts"),
    prompts: () => import("./worker/on-demand.ts"),
    searcher: () => import("./search/index.ts"),
    mayNameBaseUrlVariable,
    log,
    now,
  };
}

const encodeTool: ToolEncoder = (dialect, definition) => dialects[dialect].encodeTool(definition);

/** An upload may name a base URL variable only as the bundled skills do: with the same default. */
function mayNameBaseUrlVariable(variable: string, url: string): boolean {
  return bundle.upstreams.some(
    (upstream) => upstream.baseUrlVariable === variable && upstream.baseUrl === url,
  );
}

function userSkillStore(storage: KVNamespace, now: () => number): UserSkillStore {
  return new UserSkillStore({
    storage: kvStorage(storage),
    freshnessMs: DEFAULT_FRESHNESS_MS,
    now,
    sleep: (milliseconds) => sleep(milliseconds, null),
    waitUntil,
    report: reportStoreFault,
    entryOf: searchableEntryOf,
    upgrade: recompile,
  });
}

/** A module of its own in the bundle too, so that no start waits for the parsers. */
async function recompile(source: string, name: string): Promise<SkillRecord | null> {
  const { compileSkill } = await import("./worker/on-demand.ts");
  const { skill } = compileSkill(source, { file: "SKILL.md", folder: name, mayNameBaseUrlVariable });
  return skill === null ? null : makeRecord(source, skill, encodeTool);
}

function reportStoreFault(operation: string, error: unknown): void {
  log({ level: "error", event: "store-fault", operation, reason: String(error) });
}

function reportRefreshFault({ failure, ...called }: RefreshFault): void {
  log({ level: "warning", event: "refresh-fault", ...called, error_code: failure.code });
}

function heldResults(storage: KVNamespace): HeldResultStore {
  return new HeldResultStore({ storage, waitUntil, report: reportStoreFault });
}

function skillsOf(store: UserSkillStore, { tenant }: Caller): UserSkills {
  return {
    index: () => store.index(tenant),
    skill: (name) => store.skill(tenant, name),
    skills: (names) => store.skills(tenant, names),
  };
}

const NO_USER_SKILLS: UserSkills = {
  index: async () => success([]),
  skill: async () => success(null),
  skills: async () => success(new Map()),
};

const NO_STORE: Failure = {
  code: "FORBIDDEN",
  message: "This gateway has no store bound (STORE), so it keeps no skills of its callers.",
};

const READ_ONLY: Gateway["skills"] = {
  skill: async () => success(null),
  content: async () => success(null),
  change: async () => failed(NO_STORE),
};

function invocationFrom(
  env: Env,
  secrets: OperatorSecrets,
  { limiter, closures }: Limiting,
  baseUrlOf: BaseUrlLookup,
  now: () => number,
): InvokeDependencies {
  return {
    now,
    random: Math.random,
    sleep,
    fetch: (input, init) => fetch(input, init),
    egress: parseEgressPolicy(
      textOf(env, "EGRESS_ALLOW"),
      textOf(env, "EGRESS_DENY"),
      bundledHosts(baseUrlOf),
    ),
    limiter,
    closures,
    baseUrlOf,
    secrets,
    vars: skillVariables(env),
    tokens: new TokenStore(now, { sleep, waitUntil }),
    results: new ResultCache({ now, sleep, waitUntil, report: reportRefreshFault }),
    circuits: new Circuits(now),
    returns: new ReturnsChecks(now),
  };
}

/**
 * Ports other than the default are open to the hosts that bundled skills, or the operator's variables, use
 * them on.
 */
function bundledHosts(baseUrlOf: BaseUrlLookup): string[] {
  const urls = bundle.upstreams.flatMap((upstream) => [
    baseUrl(upstream, baseUrlOf),
    ...upstream.secrets.map(({ tokenUrl }) => tokenUrl).filter((url) => url !== null),
  ]);
  return urls.flatMap((text) => {
    const url = URL.parse(text);
    return url === null || url.port === "" ? [] : [url.host];
  });
}

/**
 * The SKILL_* variables, without those that a bundled skill has for a secret: what expressions see, results
 * show.
 */
function skillVariables(env: Env): JsonObject {
  const secrets = new Set(
    bundle.upstreams.flatMap((upstream) => upstream.secrets.map(({ variable }) => variable)),
  );
  const names = Object.keys(env).filter((name) => name.startsWith("SKILL_") && !secrets.has(name));
  return jsonObject(
    names.flatMap((name) => (typeof env[name] === "string" ? [[name, env[name]] as const] : [])),
  );
}

/** One JSON object a line, as log collectors read it. */
function log(event: LogEvent): void {
  const write =
    event.level === "error" ? console.error : event.level === "warning" ? console.warn : console.log;
  write(JSON.stringify(event));
}
