import type { Span } from "../document/source.ts";

/** A place in a text that may name a file. Offsets are UTF-16 units of the text. */
export interface InlinePlace {
  /** The destination of an inline link or image (with its angle brackets), or the content of a code span. */
  kind: "destination" | "code";
  span: Span;
}

/** What inline markup begins with, as far as it bears on links: the rest is skipped. */
const TOKEN = /\\[!-/:-@[-`{-~]|`+|!?\[|\]|<!--|<(?=[A-Za-z/!?])/g;

/** An autolink, or an HTML tag on one line or several (CommonMark 0.31.2, sections 6.5 and 6.6). */
const AUTOLINK_OR_TAG =
  /<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+|\/[a-z][a-z\d-]*\s*|[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?)>/iy;

/** What may follow a destination up to the closing parenthesis. */
const LINK_END = /(?:\s+(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^()\\])*\)))?\s*\)/y;

/**
 * The destinations of inline links and images, and the code spans, of one block's text, in order: code spans
 * bind tighter than brackets, escaped signs are none, parentheses in a destination are balanced. The time it
 * takes grows with the length of the text alone, which is not so for parsers that build a tree.
 */
export function inlinePlaces(text: string): InlinePlace[] {
  return /\]\(|`/.test(text) ? new InlineScanner(text).scan() : [];
}

class InlineScanner {
  readonly #text: string;
  readonly #places: InlinePlace[] = [];
  /** Whether each open bracket is an image's. */
  readonly #brackets: boolean[] = [];
  /** Open brackets below this one hold a link already, and links hold no links. */
  #spent = 0;
  /** By their length, where the runs of backticks stand that are still to come, the next one last. */
  readonly #backticks = new Map<number, number[]>();
  /** Where the last comment ends. */
  readonly #lastCommentEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#lastCommentEnd = text.lastIndexOf("-->");
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const runs = this.#backticks.get(run.length);
      if (runs === undefined) this.#backticks.set(run.length, [index]);
      else runs.push(index);
    }
    for (const runs of this.#backticks.values()) runs.reverse();
  }

  scan(): InlinePlace[] {
    const token = new RegExp(TOKEN);
    for (let match = token.exec(this.#text); match !== null; match = token.exec(this.#text)) {
      token.lastIndex = this.#read(match[0], match.index);
    }
    return this.#places;
  }

  /** @returns where to go on */
  #read(token: string, at: number): number {
    const after = at + token.length;
    if (token.startsWith("\\")) return after;
    if (token.startsWith("`")) return this.#readCode(after, token.length);
    if (token === "]") return this.#closeBracket(after);
    if (token.startsWith("<")) return this.#skipHtml(token, at);
    this.#brackets.push(token.startsWith("!"));
    return after;
  }

  #readCode(after: number, length: number): number {
    const closing = this.#nextRun(length, after);
    if (closing === null) return after;
    this.#places.push({ kind: "code", span: { start: after, end: closing } });
    return closing + length;
  }

  #nextRun(length: number, from: number): number | null {
    const runs = this.#backticks.get(length) ?? [];
    for (let next = runs.at(-1); next !== undefined; next = runs.at(-1)) {
      if (next >= from) return next;
      runs.pop();
    }
    return null;
  }

  #skipHtml(token: string, at: number): number {
    if (token === "<!--" && at < this.#lastCommentEnd) return this.#text.indexOf("-->", at + 2) + 3;
    AUTOLINK_OR_TAG.lastIndex = at;
    return at + (AUTOLINK_OR_TAG.exec(this.#text)?.[0].length ?? 1);
  }

  #closeBracket(after: number): number {
    const isImage = this.#brackets.pop();
    const index = this.#brackets.length;
    const isSpent = index < this.#spent && isImage === false;
    this.#spent = Math.min(this.#spent, index);
    if (isImage === undefined || isSpent || this.#text[after] !== "(") return after;
    const destination = this.#destination(after + 1);
    const end = destination === null ? null : this.#linkEnd(destination.end);
    if (destination === null || end === null) return after;
    if (destination.end > destination.start) this.#places.push({ kind: "destination", span: destination });
    if (!isImage) this.#spent = index;
    return end;
  }

  #linkEnd(from: number): number | null {
    LINK_END.lastIndex = from;
    const match = LINK_END.exec(this.#text);
    return match === null ? null : from + match[0].length;
  }

  /** The destination that begins at an offset or behind blanks; empty where the parentheses are. */
  #destination(from: number): Span | null {
    let start = from;
    while (/\s/.test(this.#text[start] ?? "")) start++;
    const end = this.#text[start] === "<" ? this.#pointyEnd(start) : this.#bareEnd(start);
    return end === null ? null : { start, end };
  }

  #pointyEnd(start: number): number | null {
    const pointy = /<(?:\\.|[^<>\n\\])*>/y;
    pointy.lastIndex = start;
    const match = pointy.exec(this.#text);
    return match === null ? null : start + match[0].length;
  }

  #bareEnd(start: number): number | null {
    let depth = 0;
    for (let at = start; at < this.#text.length; at++) {
      const character = this.#text[at] ?? "";
      if (character === "\\" && ESCAPABLE.test(this.#text[at + 1] ?? "")) at++;
      else if (character === "(" && ++depth > MAX_PARENTHESES) return null;
      else if (character === ")" && --depth < 0) return at;
      else if (/[\s\p{Control}]/u.test(character)) return depth === 0 ? at : null;
    }
    return null;
  }
}

/** Signs that a backslash takes the meaning from (CommonMark 0.31.2, section 2.4). */
const ESCAPABLE = /[!-/:-@[-`{-~]/;

/** Parentheses within parentheses that a destination may have; CommonMark asks for at least three. */
const MAX_PARENTHESES = 32;
