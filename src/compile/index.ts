export { type CompileOptions, type CompileResult, compileSkill } from "./compile-skill.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  mechanicalFixes,
  type Severity,
  wholeDocument,
} from "./diagnostic.ts";
export { decodeDocument } from "./document/decode.ts";
export { applyEdits, compatibleEdits, type Edit } from "./edit.ts";
export { fixSkill } from "./fix.ts";
export type { KeywordLocator } from "./link/keywords.ts";
export { type LinkInput, linkSkills, linkUpload } from "./link/link.ts";
export type { SkillPlaces } from "./link/places.ts";
export type { SkillFile } from "./prose/skill-folder.ts";
export { type Paint, plainPaint, renderDiagnostic } from "./render.ts";
