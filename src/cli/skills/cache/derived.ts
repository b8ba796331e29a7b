import type { LinkInput } from "../../../compile/index.ts";
import {
  type CompiledDocument,
  compileDocument,
  type Outcome,
  type SkillDocument,
  summarized,
} from "../document.ts";
import { type CachedCompile, documentKey, knownOutcome, rememberOutcome } from "./outcomes.ts";
import { type CachePlace, openTable } from "./place.ts";

/** A document that compiled, with what was made of its skill. */
export interface DerivedDocument extends LinkInput {
  derived: string;
}

/**
 * Makes of each skill a text, unless that was done before. The texts stand apart from the outcomes, for a check
 * needs none of them.
 * @param derive gives JSON of one line, and looks at nothing but the skill and this project's sources
 */
export function openDerived(
  place: CachePlace,
  root: string,
  derive: (compiled: CompiledDocument) => Promise<string>,
): CachedCompile<DerivedDocument> {
  const outcomes = openTable(place, root, "outcomes");
  const texts = openTable(place, root, "derived");
  return {
    async compile(document) {
      const key = documentKey(document);
      const known = knownOutcome(outcomes, key, document);
      const text = texts.get(key);
      if (known !== null && (known.compiled === null || text !== null)) return withText(known, text);
      const { outcome, derived } = await derivedFrom(document, derive);
      rememberOutcome(outcomes, key, outcome);
      if (derived !== null) texts.set(key, derived);
      return withText(outcome, derived);
    },
    save() {
      outcomes.save();
      texts.save();
    },
  };
}

/** The same without a memory. */
export async function deriveOnce(
  document: SkillDocument,
  derive: (compiled: CompiledDocument) => Promise<string>,
): Promise<Outcome<DerivedDocument>> {
  const { outcome, derived } = await derivedFrom(document, derive);
  return withText(outcome, derived);
}

async function derivedFrom(
  document: SkillDocument,
  derive: (compiled: CompiledDocument) => Promise<string>,
): Promise<{ outcome: Outcome<LinkInput>; derived: string | null }> {
  const whole = compileDocument(document);
  const derived = whole.compiled === null ? null : await derive(whole.compiled);
  return { outcome: summarized(whole), derived };
}

function withText(
  { compiled, diagnostics }: Outcome<LinkInput>,
  derived: string | null,
): Outcome<DerivedDocument> {
  return { compiled: compiled === null || derived === null ? null : { ...compiled, derived }, diagnostics };
}
