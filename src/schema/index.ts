export { fillDefaults } from "./defaults.ts";
export { quoteValue } from "./quote.ts";
export { type SchemaValidator, schemaValidator } from "./validator.ts";
