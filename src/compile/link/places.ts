import type { FilePlace, SourceText, Span } from "../document/source.ts";
import { spanOf } from "../document/yaml.ts";
import type { FunctionSection } from "../protocol/function/function.ts";
import type { FieldReader } from "../protocol/reading/reader.ts";

/** A step of a chain that calls a function. */
export interface StepCall {
  /** The function whose step it is. */
  function: string;
  /** The function that it calls. */
  call: string;
  place: FilePlace;
}

/** Where a document says what other documents are held against. */
export interface SkillPlaces {
  name: FilePlace;
  /** All functions of the skill, in the order of the document. */
  functions: ReadonlyMap<string, FilePlace>;
  calls: readonly StepCall[];
}

/**
 * @param layers the front matter and `meta`, as far as there are any: the first that has a name gives its place
 */
export function skillPlaces(
  source: SourceText,
  layers: readonly (FieldReader | null)[],
  functions: readonly FunctionSection[],
): SkillPlaces {
  const [named] = layers.flatMap((fields) => spanOfField(fields, "name") ?? []);
  const placeIn = (fields: FieldReader, field: string): FilePlace =>
    source.place(spanOfField(fields, field) ?? spanOf(fields.place.block, fields.place.node));
  return {
    name: source.place(named ?? { start: 0, end: 0 }),
    functions: new Map(
      functions.map(({ definition, fields }) => [definition.name, placeIn(fields, "name")] as const),
    ),
    calls: functions.flatMap(({ definition, steps }) =>
      steps.map(({ step, fields }) => ({
        function: definition.name,
        call: step.call,
        place: placeIn(fields, "call"),
      })),
    ),
  };
}

function spanOfField(fields: FieldReader | null, field: string): Span | null {
  const place = fields?.valuePlace(field) ?? null;
  return place === null ? null : spanOf(place.block, place.node);
}
