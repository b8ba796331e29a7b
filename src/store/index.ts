export { type HeldResultOptions, HeldResultStore, type ResultStorage } from "./held-results.ts";
export { kvStorage, type SkillStorage } from "./storage.ts";
export type { UserSkillOptions } from "./tenant/options.ts";
export type { OwnSkill, SkillChange, SkillState, SkillVersion, StoredFile } from "./tenant/own-skill.ts";
export type { Decide, Decision, Written } from "./tenant/tenant-skills.ts";
export { type RecordStorage, type TenantRecordOptions, TenantRecords } from "./tenant-records.ts";
export { UserSkillStore } from "./user-skills.ts";
