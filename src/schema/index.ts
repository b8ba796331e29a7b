export { checkSchema, knownKeywords, type SchemaFault } from "./check.ts";
export { fillDefaults } from "./defaults.ts";
export { quoteValue } from "./quote.ts";
export { type SchemaValidator, schemaValidator } from "./validator.ts";
export { type SchemaPath, walkSchema } from "./walk.ts";
