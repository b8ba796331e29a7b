import type { JsonObject } from "../../../src/json.ts";

/** What the worker that compares validators is asked to do. */
export interface ValidationTask {
  /** The gateway's own, or that of `@cfworker/json-schema`. */
  validator: "own" | "cfworker";
  schema: JsonObject;
  value: JsonObject;
  /** How often a validator is made of a copy of the schema, and how often each checks the value. */
  makes: number;
  checks: number;
}
