export {
  type Compilation,
  compileExpression,
  type Evaluation,
  type Expression,
} from "./expression.ts";
export {
  type ArgumentUse,
  argumentsUsed,
  type ComparedText,
  functionsNamed,
  type MemberRead,
  stepsRead,
} from "./reads.ts";
export {
  COMMON_SCOPE,
  ELEMENT_SCOPE,
  isExpressionName,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
  type Scope,
  STEPS_SCOPE,
  sharedScope,
} from "./scope.ts";
export {
  type EmbeddedExpression,
  type Rendering,
  renderTemplate,
  splitTemplate,
  type TemplateContext,
  templateExpressions,
  templateFromText,
} from "./template.ts";
export type { ExpressionFault } from "./tree/prepare.ts";
export type { CelType } from "./types.ts";
