export { createApp } from "./app.ts";
export type { Gateway, LogEvent, OwnSkills } from "./gateway.ts";
export { openApiDocument } from "./openapi.ts";
