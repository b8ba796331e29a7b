export {
  argumentsUsed,
  type Compilation,
  compileExpression,
  type Evaluation,
  type Expression,
} from "./expression.ts";
export {
  type CelType,
  COMMON_SCOPE,
  joinScopes,
  parameterScope,
  RESPONSE_SCOPE,
  type Scope,
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
export type { ArgumentUse, ExpressionFault } from "./tree.ts";
