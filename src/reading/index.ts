export { type LoadedSkill, loadSkill, type ReadableSkill, type Wanted } from "./load-skill.ts";
export { promptLanguages } from "./prompt/languages.ts";
export type { PromptOptions, PromptSkill, PromptTool } from "./prompt/prompt.ts";
export { SectionNames } from "./section-names.ts";
export {
  fitLines,
  oneLine,
  type SkillLine,
  skillListText,
} from "./skill-list.ts";
