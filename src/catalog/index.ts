export { type Bundle, BundledSkills, type PreparedBody, prepareBody } from "./bundle.ts";
export {
  Catalog,
  categoryOf,
  compareEntries,
  type FoundFunction,
  type FoundSkill,
  type ListedRecord,
  type ListedSkill,
  type SkillSource,
  type UserSkills,
} from "./catalog.ts";
export { indexText } from "./index-text.ts";
export { callableFunctions, indexEntryOf, makeRecord, type ToolEncoder } from "./record.ts";
export { toolsBody } from "./tools-body.ts";
