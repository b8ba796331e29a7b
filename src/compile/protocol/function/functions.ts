import type { Annotations } from "../../../ir.ts";
import { MAX_FUNCTIONS_PER_SKILL } from "../../../limits.ts";
import { spanOf } from "../../document/yaml.ts";
import { type Place, report } from "../reading/place.ts";
import type { FieldReader } from "../reading/reader.ts";
import type { UpstreamSection } from "../upstream.ts";
import { completeAnnotations } from "./annotations.ts";
import { type FunctionSection, readFunction } from "./function.ts";
import { checkStepCalls } from "./steps/calls.ts";

/** Reads the functions of a document, and what they say of each other. Of two of one name the first is kept. */
export function readFunctions(
  items: ReturnType<FieldReader["items"]>,
  upstreams: readonly UpstreamSection[],
  isUpload: boolean,
): FunctionSection[] {
  const found = items.flatMap(({ place, name }) => readFunction(place, name, upstreams, isUpload) ?? []);
  const overMany = found[MAX_FUNCTIONS_PER_SKILL];
  if (overMany !== undefined) {
    const message = `a skill has at most ${MAX_FUNCTIONS_PER_SKILL} functions`;
    report(namePlace(overMany), "too-many-functions", message);
  }
  const sections = new Map<string, FunctionSection>();
  for (const section of found) {
    const { name } = section.definition;
    const first = sections.get(name);
    if (first === undefined) sections.set(name, section);
    else reportDuplicate(section, first);
  }
  return settle(sections);
}

function reportDuplicate(section: FunctionSection, first: FunctionSection): void {
  const { block, node, diagnostics } = namePlace(first);
  const line = diagnostics.lineOf(spanOf(block, node).start);
  const message = `the function ${section.definition.name} is defined on line ${line} already`;
  report(namePlace(section), "function-duplicate", message);
}

function namePlace({ fields }: FunctionSection): Place {
  return fields.at("name") ?? fields.place;
}

/** Says what chains and rules mean now that all functions are known. */
function settle(sections: ReadonlyMap<string, FunctionSection>): FunctionSection[] {
  const effects = new Effects(sections);
  const settled = [...sections.values()].map((section): FunctionSection => {
    const annotations = effects.of(section);
    return { ...section, definition: { ...section.definition, annotations } };
  });
  const definitions = new Map(settled.map(({ definition }) => [definition.name, definition]));
  for (const section of settled) {
    checkStepCalls(section.steps, definitions);
    checkReadOnly(section);
  }
  return settled;
}

/** What functions do to the world, chains by what their steps call. */
class Effects {
  readonly #sections: ReadonlyMap<string, FunctionSection>;
  readonly #known = new Map<string, Annotations>();
  /** The chains whose steps are being looked at: one that comes back to itself is not known. */
  readonly #open = new Set<string>();

  constructor(sections: ReadonlyMap<string, FunctionSection>) {
    this.#sections = sections;
  }

  of({ definition, given, steps }: FunctionSection): Annotations {
    const { name, binding } = definition;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#open.add(name);
    const called = steps.map(({ step }) => this.#called(step.call));
    this.#open.delete(name);
    const annotations = completeAnnotations(given, binding, called);
    this.#known.set(name, annotations);
    return annotations;
  }

  #called(name: string): Annotations | null {
    const section = this.#sections.get(name);
    return section === undefined || this.#open.has(name) ? null : this.of(section);
  }
}

/** What is kept, or fetched again for the next page, must change nothing. */
function checkReadOnly({ definition, fields }: FunctionSection): void {
  const { annotations, binding, cache, name } = definition;
  if (annotations.readOnly || binding.kind === "declaration") return;
  const fix = "annotations: {read_only: true}";
  const because = "is only for a function that is read-only, and";
  if (cache !== null)
    report(fields.keyPlace("cache"), "read-only-needed", `a cache ${because} ${name} is not`, fix);
  if (binding.kind === "request" && binding.paginate !== null)
    report(fields.keyPlace("paginate"), "read-only-needed", `paginate ${because} ${name} is not`, fix);
}
