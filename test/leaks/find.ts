/** Finds secrets in a text. It runs in workerd too, so that it knows neither the secrets nor Node. */

/** A spelling of a secret that is looked for. */
export interface Needle {
  secret: string;
  spelling: string;
  text: string;
}

/** A secret that was found, without its value. */
export interface Leak {
  secret: string;
  spelling: string;
  /** In UTF-16 units from the start of the text. */
  offset: number;
}

/** The secrets that stand in a text. */
export function leaksIn(text: string, needles: readonly Needle[]): Leak[] {
  return needles.flatMap(({ secret, spelling, text: needle }) => {
    const offset = text.indexOf(needle);
    return offset === -1 ? [] : [{ secret, spelling, offset }];
  });
}
