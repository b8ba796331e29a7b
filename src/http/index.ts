export { createApp } from "./app.ts";
export type { Gateway, LogEvent, SkillWriter } from "./gateway.ts";
export { openApiDocument } from "./openapi.ts";
