/**
 * What a gateway needs of the compiler: a part of the worker by itself, loaded with the parsers when the first
 * document arrives. Most instances of a worker never compile one.
 */
export { compileSkill } from "./compile-skill.ts";
export { wholeDocument } from "./diagnostic.ts";
export { decodeDocument } from "./document/decode.ts";
export { linkUpload } from "./link/link.ts";
