export { type HeldResultOptions, HeldResultStore, type ResultStorage } from "./held-results.ts";
export { type RecordStorage, type TenantRecordOptions, TenantRecords } from "./tenant-records.ts";
export { type SkillStorage, type UserSkillOptions, UserSkillStore } from "./user-skills.ts";
