export { type Bundle, BundledSkills, bytesOf, type PreparedBody, prepareBody } from "./bundle.ts";
export {
  Catalog,
  type FoundFunction,
  type FoundSkill,
  type ListedRecord,
  type Naming,
  type UserSkills,
} from "./catalog.ts";
export type { ListedSkill, SkillSource } from "./lines.ts";
export { MadeBodies } from "./made-bodies.ts";
export { categoryOf, compareEntries } from "./order.ts";
export { isStale, mayOverride, type OwnSkill, type SkillFileEntry } from "./overlay.ts";
export { BUNDLED_ONLY } from "./readings.ts";
export {
  callableFunctions,
  indexEntryOf,
  makeRecord,
  permissionsOf,
  searchableEntryOf,
  type ToolEncoder,
} from "./record.ts";
export {
  type SelectedFunction,
  type Selection,
  selectFunctions,
  selectsAll,
} from "./selection.ts";
export { toolsBody } from "./tools-body.ts";
export { type View, WHOLE_VIEW } from "./view.ts";
