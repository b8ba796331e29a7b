export { backtrackingPatterns } from "./backtracking.ts";
export { checkSchema, knownKeywords } from "./check.ts";
export { fillDefaults } from "./defaults.ts";
export type { ValidationSteps } from "./evaluation/steps.ts";
export { quoteValue } from "./quote.ts";
export { type SchemaValidator, schemaValidator } from "./validator.ts";
export {
  pointerOfReference,
  pointerTo,
  resolved,
  type SchemaFault,
  type SchemaPath,
  subschemas,
  walkSchema,
} from "./walk.ts";
