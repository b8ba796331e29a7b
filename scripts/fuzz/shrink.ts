/** How often a shorter text may be tried: most of what can go goes early. */
const MAX_TRIALS = 2_000;

/**
 * A short text with the same fault: pieces are left out, large ones first, lines before characters, as long as the
 * fault stays.
 * @param isFaulty whether a text has the fault; the one given has
 */
export function shrunk(text: string, isFaulty: (text: string) => boolean): string {
  let trials = MAX_TRIALS;
  const tried = (parts: string[]): boolean => trials-- > 0 && isFaulty(parts.join(""));
  const lines = withoutNeedless(text.split(/(?<=\n)/), tried);
  return withoutNeedless([...lines.join("")], tried).join("");
}

function withoutNeedless(parts: string[], isFaulty: (parts: string[]) => boolean): string[] {
  let kept = parts;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const shorter = kept.toSpliced(at, size);
      if (shorter.length < kept.length && isFaulty(shorter)) kept = shorter;
      else at += size;
    }
  }
  return kept;
}
