export { type CompileOptions, type CompileResult, compileSkill } from "./compile-skill.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  type Paint,
  plainPaint,
  renderDiagnostic,
} from "./diagnostic.ts";
export { type LinkInput, linkSkills } from "./link.ts";
