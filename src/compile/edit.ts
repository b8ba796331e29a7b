/**
 * A change of a text: what stands from `start` to `end` gives way to `text`. Offsets are UTF-16 units of the
 * text as its file has it, a byte order mark and carriage returns included.
 */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * As many groups of edits as can be made at once. Of groups that meet, the one that begins first is taken; the
 * edits of a group are taken together or not at all.
 */
export function compatibleEdits(groups: readonly (readonly Edit[])[]): Edit[][] {
  const sorted = groups.filter((group) => group.length > 0).map((group) => [...group].sort(byStart));
  const firstOf = (group: readonly Edit[]): number => group[0]?.start ?? 0;
  let taken: Edit[] = [];
  return sorted
    .sort((left, right) => firstOf(left) - firstOf(right))
    .filter((group) => {
      const together = [...taken, ...group].sort(byStart);
      if (together.some((edit, index) => meet(together[index - 1], edit))) return false;
      taken = together;
      return true;
    });
}

function byStart(left: Edit, right: Edit): number {
  return left.start - right.start;
}

/**
 * Whether an edit touches a character that the one before it touches, or inserts at the same place, so that their
 * order would matter.
 */
function meet(before: Edit | undefined, edit: Edit): boolean {
  return before !== undefined && (edit.start < before.end || edit.start === before.start);
}

/** The text with edits made that do not meet, in whatever order they come. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text: replacement } of [...edits].sort(byStart)) {
    parts.push(text.slice(from, start), replacement);
    from = end;
  }
  return parts.join("") + text.slice(from);
}
