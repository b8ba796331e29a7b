/** What a provider's regular-expression engine refuses, found by reading the pattern, not by searching it. */

const LOOK_AROUND = /^\(\?(?:=|!|<=|<!)/;
const UNICODE_CLASS = /^\\[pP]\{/;

/**
 * Why an engine without look-around and Unicode property classes refuses a pattern, or null where it accepts
 * it. Escapes and character classes are skipped: `\(?=` and `[(?=]` are plain characters; `(?:…)` and
 * `(?<n>…)` group.
 */
export function lookAroundFault(pattern: string): string | null {
  let inClass = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const rest = pattern.slice(index, index + 4);
    if (UNICODE_CLASS.test(rest))
      return "the provider's regular expressions have no Unicode property classes";
    if (!inClass && LOOK_AROUND.test(rest)) return "the provider's regular expressions have no look-around";
    if (rest.startsWith("\\")) index += 1;
    else if (rest.startsWith("[")) inClass = true;
    else if (rest.startsWith("]")) inClass = false;
  }
  return null;
}
