export { type HeldResultOptions, HeldResultStore, type ResultStorage } from "./held-results.ts";
export { type SkillStorage, type UserSkillOptions, UserSkillStore } from "./user-skills.ts";
