/**
 * Modules of libraries that the worker bundles but never calls, and what stands in for them. The bundler cannot tell
 * that they are not called, because the library's own classes name them: `yaml` knows how to write documents and
 * which tags YAML 1.1 had, and `@lezer/markdown` how to colour them. Here documents are only read, in YAML 1.2.
 * Whatever calls a stand-in fails at once.
 */
const absent = 'const absent = () => { throw new Error("left out of the worker"); };';

function functions(...names: string[]): string {
  return `${absent} export { ${names.map((name) => `absent as ${name}`).join(", ")} };`;
}

function values(text: string, ...names: string[]): string {
  return names.map((name) => `export const ${name} = ${text};`).join("\n");
}

const YAML = "yaml/browser/dist";

export const leftOut: ReadonlyMap<string, string> = new Map([
  [`${YAML}/stringify/stringify.js`, functions("stringify", "createStringifyContext")],
  [`${YAML}/stringify/stringifyCollection.js`, functions("stringifyCollection")],
  [`${YAML}/stringify/stringifyPair.js`, functions("stringifyPair")],
  [`${YAML}/stringify/stringifyString.js`, functions("stringifyString")],
  [`${YAML}/stringify/stringifyDocument.js`, functions("stringifyDocument")],
  [`${YAML}/stringify/stringifyNumber.js`, functions("stringifyNumber")],
  [`${YAML}/schema/yaml-1.1/schema.js`, values("[]", "schema")],
  [`${YAML}/schema/yaml-1.1/binary.js`, values("{}", "binary")],
  [`${YAML}/schema/yaml-1.1/omap.js`, `${values("{}", "omap")} export class YAMLOMap {}`],
  [
    `${YAML}/schema/yaml-1.1/pairs.js`,
    `${values("{}", "pairs")} ${functions("resolvePairs", "createPairs")}`,
  ],
  [`${YAML}/schema/yaml-1.1/set.js`, `${values("{}", "set")} export class YAMLSet {}`],
  [`${YAML}/schema/yaml-1.1/timestamp.js`, values("{}", "intTime", "floatTime", "timestamp")],
  [
    "@lezer/highlight/dist/index.js",
    "const any = new Proxy(() => any, { get: () => any }); export { any as tags, any as Tag }; export const styleTags = () => () => null;",
  ],
]);
