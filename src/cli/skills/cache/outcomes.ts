import { hash } from "node:crypto";
import type { Diagnostic, LinkInput } from "../../../compile/index.ts";
import { type CompileDocument, compileSummary, type Outcome, type SkillDocument } from "../document.ts";
import { type CachePlace, openTable } from "./place.ts";
import type { SealedTable } from "./sealed-table.ts";

/** Compiling with a memory. */
export interface CachedCompile<Compiled extends LinkInput> {
  compile: CompileDocument<Compiled>;
  /** Keeps what was compiled for the next time. */
  save(): void;
}

/**
 * Compiles documents below a folder unless that was done before, with this compiler, to the same bytes under the
 * same name with the same files beside them. All those bytes are read and hashed each time; no date is trusted.
 */
export function openOutcomes(place: CachePlace, root: string): CachedCompile<LinkInput> {
  const table = openTable(place, root, "outcomes");
  return {
    compile(document) {
      const key = documentKey(document);
      return knownOutcome(table, key, document) ?? rememberOutcome(table, key, compileSummary(document));
    },
    save: () => table.save(),
  };
}

/** A key that is the same for two documents only where compiling looks at the same. */
export function documentKey({ file, folder, bytes, beside }: SkillDocument): string {
  const files = beside?.map((one) => [one.path, one.bytes === null ? null : hash("sha256", one.bytes)]);
  return hash("sha256", JSON.stringify([file, folder, hash("sha256", bytes), files ?? null]));
}

type Places = LinkInput["places"];

/** An outcome as JSON has it. */
interface KeptOutcome {
  compiled: {
    name: string;
    places: Omit<Places, "functions"> & { functions: [string, Places["name"]][] };
  } | null;
  diagnostics: readonly Diagnostic[];
}

/** What became of a document before, or null where that is not known. */
export function knownOutcome(
  table: SealedTable,
  key: string,
  { file }: SkillDocument,
): Outcome<LinkInput> | null {
  const text = table.get(key);
  if (text === null) return null;
  const { compiled, diagnostics }: KeptOutcome = JSON.parse(text);
  if (compiled === null) return { compiled, diagnostics };
  const { name, places } = compiled;
  const functions = new Map(places.functions);
  return { compiled: { file, skill: { name }, places: { ...places, functions } }, diagnostics };
}

/** @returns the outcome */
export function rememberOutcome(
  table: SealedTable,
  key: string,
  outcome: Outcome<LinkInput>,
): Outcome<LinkInput> {
  table.set(key, JSON.stringify(keptFrom(outcome)));
  return outcome;
}

function keptFrom({ compiled, diagnostics }: Outcome<LinkInput>): KeptOutcome {
  if (compiled === null) return { compiled, diagnostics };
  const { skill, places } = compiled;
  const functions = [...places.functions];
  return { compiled: { name: skill.name, places: { ...places, functions } }, diagnostics };
}
