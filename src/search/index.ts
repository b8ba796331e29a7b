export { SkillSearch } from "./skill-search.ts";
