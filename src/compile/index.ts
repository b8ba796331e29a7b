export { type CompileOptions, type CompileResult, compileSkill } from "./compile-skill.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  type Paint,
  plainPaint,
  renderDiagnostic,
  wholeDocument,
} from "./diagnostic.ts";
export { functionClashes, type LinkInput, linkSkills } from "./link.ts";
