import type { Upstream } from "../../ir.ts";

/** The operator's word on where an upstream is: the value of a base URL variable, or undefined. */
export type BaseUrlLookup = (variable: string) => string | undefined;

/** Where an upstream is: as the operator's variable says, otherwise as the skill says. */
export function baseUrl(
  { baseUrl: declared, baseUrlVariable }: Pick<Upstream, "baseUrl" | "baseUrlVariable">,
  baseUrlOf: BaseUrlLookup,
): string {
  return (baseUrlVariable === null ? undefined : baseUrlOf(baseUrlVariable)) ?? declared;
}
