export { checkSchema, knownKeywords } from "./check.ts";
export { fillDefaults } from "./defaults.ts";
export { backtrackingPatterns, type PatternSteps } from "./pattern-format.ts";
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
