/** What the source of an expression reads, found without running it. */
import { type ASTNode, ParseError } from "@marcbachmann/cel-js";
import { parseIn } from "./environment.ts";
import { COMMON_SCOPE } from "./scope.ts";
import {
  type ArgumentUse,
  argumentUse,
  type ComparedText,
  comparedTexts,
  type MemberRead,
  memberReads,
} from "./tree/reads.ts";

export type { ArgumentUse, ComparedText, MemberRead };

/** Which arguments an expression takes; none where it is not even well-formed. */
export function argumentsUsed(source: string): ArgumentUse {
  return found(source, argumentUse) ?? { names: new Set(), all: false };
}

/** Where an expression reads `steps`, and which member of it; nowhere where it is not even well-formed. */
export function stepsRead(source: string): MemberRead[] {
  return whereRead("steps", source, (ast) => memberReads(ast, "steps"));
}

/** The names of functions that an expression compares `call.function` with, as far as they are written out. */
export function functionsNamed(source: string): ComparedText[] {
  return whereRead("call", source, (ast) => comparedTexts(ast, "call", "function"));
}

/** Most expressions do not even hold the variable's name, and are not parsed for it. */
function whereRead<Found>(variable: string, source: string, find: (ast: ASTNode) => Found[]): Found[] {
  return source.includes(variable) ? (found(source, find) ?? []) : [];
}

/** What is found in an expression; null where it is not well-formed. */
function found<Found>(source: string, find: (ast: ASTNode) => Found): Found | null {
  try {
    return find(parseIn(COMMON_SCOPE, source).ast);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return null;
  }
}
