/** A provider's format for tools as data; the only thing that a provider's file has to state. */
import type { FunctionDefinition } from "../ir.ts";
import type { JsonObject } from "../json.ts";
import type { DialectName } from "../vocabulary.ts";
import type { ToolRules } from "./check.ts";
import type { SchemaTarget } from "./lowering/target.ts";
import type { NameRule } from "./names.ts";
import type { StrictBudget } from "./strict-budget.ts";

/** What there is to say about a function, ready to be put into a provider's shape. */
export interface ToolContent {
  name: string;
  description: string;
  parameters: JsonObject;
  definition: FunctionDefinition;
  /** Whether the provider is to hold the model to the schema; null where nobody asked for that. */
  strict: boolean | null;
  /** Arguments by way of example, for a provider that has a field for them. */
  examples: readonly JsonObject[];
  /** Whether the tool is loaded when a search finds it. */
  deferred: boolean;
}

export interface ProviderFormat {
  name: DialectName;
  toolNames: NameRule;
  schemas: SchemaTarget;
  rules: ToolRules;
  /** How tools are held to their schema; a text says why no tool of this provider claims to be. */
  strict: StrictForm | string;
  /** Whether tools have a field for examples; elsewhere they are told in the description. */
  hasExamples: boolean;
  /** How tools are loaded on demand; a text says why they cannot be. */
  deferral: Deferral | string;
  /** The most tools that a request may have, where the provider states a number. */
  maxTools: number | null;
  /** Puts a tool into the provider's shape. */
  tool: (content: ToolContent) => JsonObject;
  /** Puts the JSON texts of tools into the provider's `tools` parameter. */
  wrap: (tools: readonly string[]) => string;
}

/** How a provider's tools are held to their schema. */
export interface StrictForm {
  /** It renames and retypes what the plain form does, so that calls of both are read in the same way. */
  schemas: SchemaTarget;
  rules: ToolRules;
  /** JSON Pointer of the claim inside the tool. */
  claimAt: string;
  /** What all strict tools of a request may use up together; null where there is no such limit. */
  budget: StrictBudget | null;
}

/** How a provider's tools are loaded on demand. */
export interface Deferral {
  /** The provider's own tool that finds the deferred ones, without which they are refused or never found. */
  search: JsonObject;
  /** Whether the provider takes examples in their field beside it. */
  allowsExamples: boolean;
}
