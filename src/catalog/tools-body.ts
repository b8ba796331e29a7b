import type { DialectName } from "../vocabulary.ts";

/** The reply of `GET /v1/tools` as JSON text; `tools` is the text of a provider's `tools` parameter. */
export function toolsBody(dialect: DialectName, catalogHash: string, tools: string): string {
  return `{"format":${JSON.stringify(dialect)},"catalog":${JSON.stringify(catalogHash)},"tools":${tools}}`;
}
