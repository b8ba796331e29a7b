/**
 * What a gateway needs of the compiler: a part of the worker by itself, loaded with the parsers when the first
 * document arrives. Most instances of a worker never compile one.
 */
export { mergeTexts } from "./compare/merge.ts";
export { changedProtocol } from "./compare/protocol.ts";
export { structuralDifference } from "./compare/structure.ts";
export { unifiedDifference } from "./compare/unified.ts";
export { compileSkill } from "./compile-skill.ts";
export { type Diagnostic, wholeDocument } from "./diagnostic.ts";
export { decodeDocument } from "./document/decode.ts";
export { linkUpload } from "./link/link.ts";
