import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const root = join(import.meta.dirname, "../..");

/** What documents are made of, and what breaks them. */
const pieces = [
  ..."\n \t:-#`~>|[]{}&*!%@,?'\"\\$.",
  ..."\n---\n|\n```yaml\n|\n```\n|: |- |${|}|<<: |&a |*a|>-\n|\r\n|\uFEFF|\u200B|\u{E0041}|\uD800|潮|😀".split(
    "|",
  ),
  ..."name: |description: |meta:\n|functions:\n|  - |parameters: |type: object|$ref: '#'|pattern: '('|compute: ".split(
    "|",
  ),
  ..."request: |null|true|1e999|.inf|0x1F|__proto__|constructor|default: |required: [|examples: [|when: |matches('(a+)+$')".split(
    "|",
  ),
];

export const documents = [
  "skills/tickdb-market-data/SKILL.md",
  ...readdirSync(join(root, "test/fixtures/compile"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `test/fixtures/compile/${name}`),
].map((path) => readFileSync(join(root, path), "utf8"));

interface Mutation {
  /** Where, from 0 (the beginning) to 1 (the end). */
  at: number;
  remove: number;
  insert: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(80)),
  insert: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 5 })),
});

/** Real documents with something broken. */
export const mutated = fc
  .tuple(fc.constantFrom(...documents), fc.array(mutation, { minLength: 1, maxLength: 6 }))
  .map(([text, mutations]) => mutations.reduce(applied, text));

function applied(text: string, { at, remove, insert }: Mutation): string {
  const offset = Math.floor(at * text.length);
  return text.slice(0, offset) + insert + text.slice(offset + remove);
}

/** A soup of what documents are made of. */
export const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(""));
