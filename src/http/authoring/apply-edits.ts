import { type ArgumentFault, failed, type Result, success } from "../../errors.ts";
import { MAX_SKILL_BYTES } from "../../limits.ts";
import { quoteValue } from "../../schema/index.ts";
import type { Edit } from "../requests.ts";

/**
 * Makes edits one after the other, each in what the ones before made. A text that is not there, or (unless all are
 * meant) there more than once, is refused, and then nothing is edited.
 */
export function applyEdits(document: string, edits: readonly Edit[]): Result<string> {
  let text = document;
  for (const [index, edit] of edits.entries()) {
    const edited = applyEdit(text, edit, index);
    if (!edited.ok) return edited;
    text = edited.value;
  }
  return success(text);
}

function applyEdit(text: string, { find, replace, all }: Edit, index: number): Result<string> {
  const first = text.indexOf(find);
  if (first === -1) return unfit(index, find, "absent");
  // Also where it lies over itself, as aa does twice in aaa.
  if (!all && text.includes(find, first + 1)) return unfit(index, find, "ambiguous");
  const pieces = all ? text.split(find) : [text.slice(0, first), text.slice(first + find.length)];
  // Known before it is made: a short text replaced by a long one everywhere would be larger than memory.
  const length = text.length + (pieces.length - 1) * (replace.length - find.length);
  if (length > MAX_SKILL_BYTES)
    return failed({ code: "PAYLOAD_TOO_LARGE", what: "The edited skill", limitBytes: MAX_SKILL_BYTES });
  return success(pieces.join(replace));
}

const said = {
  absent: { message: "is not in the document", expected: "a text that the document has" },
  ambiguous: {
    message: "is in the document more than once",
    expected: "a text that the document has once, or all: true",
  },
} as const;

function unfit(index: number, find: string, rule: keyof typeof said): Result<never> {
  const { message, expected } = said[rule];
  const fault: ArgumentFault = { path: `/edits/${index}/find`, rule, expected, got: quoteValue(find) };
  return failed({
    code: "INVALID_REQUEST",
    message: `What edit ${index + 1} looks for ${message}.`,
    faults: [fault],
  });
}
