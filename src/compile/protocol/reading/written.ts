/**
 * Where a character of a YAML text stands in the way that it was written: quotes, escapes, indentation and
 * the line breaks that became blanks are in between. Offsets are UTF-16 units.
 * @param written the scalar as it stands in the source, from its first sign on
 * @param value what it reads as
 */
export function offsetInSource(written: string, value: string, offset: number): number {
  const style = styleOf(written);
  let at = contentStart(written);
  for (let index = 0; index < offset && at < written.length; index++) {
    at = characterAt(written, value[index] ?? "", at, style);
    at += lengthAt(written, at, style);
  }
  const next = value[offset];
  return next === undefined ? at : characterAt(written, next, at, style);
}

type Style = "double" | "single" | "block" | "plain";

function styleOf(written: string): Style {
  const [first] = written;
  if (first === '"') return "double";
  if (first === "'") return "single";
  return first === "|" || first === ">" ? "block" : "plain";
}

function contentStart(written: string): number {
  const style = styleOf(written);
  if (style === "block") return written.indexOf("\n") + 1;
  return style === "plain" ? 0 : 1;
}

/**
 * Where a character of the value is, from a place on: one that is no blank has line breaks and indentation
 * before it.
 */
function characterAt(written: string, character: string, from: number, style: Style): number {
  if (isEscape(written, from, style) || /\s/.test(character)) return from;
  let at = from;
  while (/\s/.test(written[at] ?? "")) at++;
  return at;
}

function isEscape(written: string, at: number, style: Style): boolean {
  if (style === "double") return written[at] === "\\";
  return style === "single" && written.startsWith("''", at);
}

/** What YAML reads as the text that it is, without quotes. */
const PLAIN_TEXT = /^(?!(?:null|true|false)$)[\p{L}_][\p{L}\p{M}\p{N}_-]*$/iu;

/**
 * A text in the quotes that another is written in, so that a JSON block stays JSON.
 * @returns null where the other is a block or takes several lines
 */
export function writtenLike(written: string, text: string): string | null {
  const style = styleOf(written);
  if (written === "" || written.includes("\n") || style === "block") return null;
  if (style === "single") return `'${text.replaceAll("'", "''")}'`;
  return style === "plain" && PLAIN_TEXT.test(text) ? text : JSON.stringify(text);
}

const ESCAPE = /^\\(?:x..|u.{4}|U.{8}|[\s\S])/;

/** How long one character of the value is as written. */
function lengthAt(written: string, at: number, style: Style): number {
  if (!isEscape(written, at, style)) return 1;
  return style === "single" ? 2 : (ESCAPE.exec(written.slice(at, at + 10))?.[0].length ?? 1);
}
