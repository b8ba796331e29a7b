import type { DialectName } from "../vocabulary.ts";

/**
 * The reply of `GET /v1/tools` as JSON text.
 * @param tools the text of a provider's `tools` parameter
 * @param notes what is to be said of options that were asked for; without any, the reply has none
 */
export function toolsBody(
  dialect: DialectName,
  catalogHash: string,
  tools: string,
  notes: readonly unknown[] = [],
): string {
  const said = notes.length === 0 ? "" : `,"notes":${JSON.stringify(notes)}`;
  return `{"format":${JSON.stringify(dialect)},"catalog":${JSON.stringify(catalogHash)},"tools":${tools}${said}}`;
}
