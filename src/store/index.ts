export { type SkillStorage, type UserSkillOptions, UserSkillStore } from "./user-skills.ts";
