import type {
  AskedSecret,
  Caller,
  Grant,
  IssuedKey,
  KeyRecord,
  ListedSecret,
  Rotation,
  SecretLine,
  UploadedSkillSecrets,
} from "../access/index.ts";
import type { BundledSkills, Catalog, ToolEncoder } from "../catalog/index.ts";
import type { EncodedTools, ToolOptions } from "../dialect/index.ts";
import type { Result } from "../errors.ts";
import type { InvokeDependencies, ResultPages } from "../invoke/index.ts";
import type { FunctionDefinition, Skill } from "../ir.ts";
import type { JsonObject } from "../json.ts";
import type { LimiterKind } from "../limiter/index.ts";
import type * as Prompts from "../reading/prompt/prompt.ts";
import type * as Search from "../search/index.ts";
import type { Decide, OwnSkill, Written } from "../store/index.ts";
import type { DialectName } from "../vocabulary.ts";
import type * as Authoring from "./authoring/index.ts";

/** What the routes need of the rest of the program; `worker.ts` makes it from the bindings. */
export interface Gateway {
  version: string;
  bundled: BundledSkills;
  /** Which stores are used, for `/health`. */
  stores: { skills: boolean; limits: LimiterKind };
  /** What is wrong with the operator's settings, in sentences that tell no secret. */
  faults: readonly string[];
  /** Whether no key is asked for. */
  open: boolean;
  /** What the operator has still to do before anybody comes in; null where that is nothing. */
  setup: string | null;
  identify(authorization: string | null): Promise<Result<Caller>>;
  catalogFor(caller: Caller): Catalog;
  skills: OwnSkills;
  keys: KeyAdministration;
  secrets: SecretAdministration;
  invocation: InvokeDependencies;
  resultPages: ResultPages;
  /** Puts tools, as JSON texts, into the form of a provider's `tools` parameter. */
  wrapTools(dialect: DialectName, tools: readonly string[]): string;
  encodeTool: ToolEncoder;
  /** Functions as a provider's tools, with options that concern all of them together. */
  encodeTools(
    dialect: DialectName,
    definitions: readonly FunctionDefinition[],
    options: ToolOptions,
  ): EncodedTools;
  /** The name under which a provider knows a function. */
  toolName(dialect: DialectName, functionName: string): string;
  /**
   * The function, out of `known` ones, that a provider's tool of this name stands for; null where it is
   * none's.
   */
  functionName(dialect: DialectName, toolName: string, known: ReadonlySet<string>): string | null;
  /** Arguments as the function declares them, from those that fit the provider's form of it. */
  restoreArguments(dialect: DialectName, definition: FunctionDefinition, given: JsonObject): JsonObject;
  /** What the provider calls members of a function's arguments, by their own names, where those are others. */
  memberNames(dialect: DialectName, definition: FunctionDefinition): ReadonlyMap<string, string>;
  /** A path into the arguments as they were given, from one into the restored ones. */
  pathAsGiven(dialect: DialectName, definition: FunctionDefinition, given: JsonObject, path: string): string;
  /** All that writing skills takes, the compiler included, which is loaded when it is first asked for. */
  authoring(): Promise<typeof Authoring>;
  /** What a skill that the caller's tenant uploaded may do with secrets. */
  uploadedSkillSecrets(skill: Skill, caller: Caller): Promise<Result<UploadedSkillSecrets>>;
  /** How prompts are written, which is loaded when it is first asked for. */
  prompts(): Promise<typeof Prompts>;
  /** The search, which is loaded when it is first asked for. */
  searcher(): Promise<typeof Search>;
  /**
   * Why a skill that somebody uploads may not be stored, beyond what its document says; null where it may.
   */
  uploadRefusal(skill: Skill, caller: Caller): Promise<Result<string | null>>;
  mayNameBaseUrlVariable(variable: string, baseUrl: string): boolean;
  log(event: LogEvent): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The skills that tenants put themselves, with their files and former versions. */
export interface OwnSkills {
  /** A skill by name; null where the tenant has none. */
  skill(tenant: string, name: string): Promise<Result<OwnSkill | null>>;
  /** What a file or a former version holds, by its digest; null where it is not there. */
  content(tenant: string, name: string, digest: string): Promise<Result<Uint8Array | null>>;
  /** Changes a skill as is decided in its turn, when nobody else in this isolate changes one of the tenant's. */
  change<Said>(
    tenant: string,
    name: string,
    author: string,
    decide: Decide<Said>,
  ): Promise<Result<Written<Said>>>;
}

/** Issues, shows and ends the keys of tenants. */
export interface KeyAdministration {
  issue(tenant: string, grant: Grant, by: Caller): Promise<Result<IssuedKey>>;
  list(tenant: string): Promise<Result<KeyRecord[]>>;
  show(tenant: string, id: string): Promise<Result<KeyRecord>>;
  rotate(tenant: string, id: string, rotation: Rotation): Promise<Result<IssuedKey>>;
  revoke(tenant: string, id: string): Promise<Result<KeyRecord>>;
}

/** Sets, lists and removes the secrets of tenants; nothing here gives a value back. */
export interface SecretAdministration {
  put(tenant: string, secret: AskedSecret): Promise<Result<SecretLine & { created: boolean }>>;
  list(tenant: string): Promise<Result<ListedSecret[]>>;
  delete(tenant: string, name: string): Promise<Result<null>>;
}

/** A line of the log; never arguments, never secrets. */
export interface LogEvent {
  level: "info" | "warning" | "error";
  event: string;
  request_id?: string;
  [field: string]: unknown;
}
