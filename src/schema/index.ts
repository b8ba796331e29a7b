export { checkSchema, knownKeywords, type SchemaFault } from "./check.ts";
export { fillDefaults } from "./defaults.ts";
export { backtrackingPatterns, type PatternSteps } from "./pattern-format.ts";
export { quoteValue } from "./quote.ts";
export { type SchemaValidator, schemaValidator } from "./validator.ts";
export { resolved, type SchemaPath, walkSchema } from "./walk.ts";
