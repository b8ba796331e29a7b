/** Where a JSON text (RFC 8259) ends or goes wrong, which `JSON.parse` does not say in a way to rely on. */

/** Where the value ends, or the first place where something else would have to stand. Offsets count UTF-16 units. */
export type JsonScan = { ok: true; end: number } | JsonFault;

/** Where a text stops being JSON, and what would have to stand there. */
export interface JsonFault {
  ok: false;
  at: number;
  expected: string;
}

/** What may come next, each with the tokens that go on from there. */
const expectations = {
  value: "a value",
  "first item": "a value or ]",
  "first key": 'a name in " or }',
  key: 'a name in "',
  colon: "a colon",
  "after item": "a comma or ]",
  "after member": "a comma or }",
} as const;
type State = keyof typeof expectations;

/** Is told of each token where it stands, which may be any: brackets, commas, keys and values. */
export type WatchToken = (token: string, at: number, isKey: boolean) => void;

const BLANK = /[ \t\n\r]*/y;
/** A string holds anything but quotes, backslashes and what comes before the blank. */
const TOKEN =
  /[{}[\],:]|"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/**
 * Reads over the value that begins at an offset.
 * @param maxNesting a value that is nested deeper counts as wrong where it becomes so
 */
export function scanJson(text: string, start: number, maxNesting: number, watch?: WatchToken): JsonScan {
  const open: ("{" | "[")[] = [];
  let state: State = "value";
  let at = start;
  for (;;) {
    at = endOf(BLANK, text, at) ?? at;
    const end = endOf(TOKEN, text, at);
    const token = text.slice(at, end ?? at);
    const next: State | "end" | null = end === null ? null : stateAfter(state, token, open);
    if (end === null || next === null) return { ok: false, at, expected: expectations[state] };
    if (open.length > maxNesting) return nestedTooDeep(at, maxNesting);
    watch?.(token, at, next === "colon");
    at = end;
    if (next === "end") return { ok: true, end };
    state = next;
  }
}

/** The fault of a value that is nested deeper than it may be, from an offset on. */
export function nestedTooDeep(at: number, maxNesting: number): JsonFault {
  return { ok: false, at, expected: `at most ${maxNesting} levels of nesting` };
}

/** Where a match that begins at an offset ends, or null where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** What may come after a token, or null where the token may not stand here. Keeps account of what is open. */
function stateAfter(state: State, token: string, open: ("{" | "[")[]): State | "end" | null {
  switch (state) {
    case "first item":
      return token === "]" ? closed(open) : afterValue(token, open);
    case "value":
      return afterValue(token, open);
    case "first key":
      if (token === "}") return closed(open);
      return token.startsWith('"') ? "colon" : null;
    case "key":
      return token.startsWith('"') ? "colon" : null;
    case "colon":
      return token === ":" ? "value" : null;
    case "after item":
      if (token === "]") return closed(open);
      return token === "," ? "value" : null;
    case "after member":
      if (token === "}") return closed(open);
      return token === "," ? "key" : null;
  }
}

function afterValue(token: string, open: ("{" | "[")[]): State | "end" | null {
  if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? "first key" : "first item";
  }
  return /^[}\],:]$/.test(token) ? null : within(open);
}

function closed(open: ("{" | "[")[]): State | "end" {
  open.pop();
  return within(open);
}

/** What may come after a whole value: that depends on what it stands in. */
function within(open: readonly ("{" | "[")[]): State | "end" {
  const around = open.at(-1);
  if (around === undefined) return "end";
  return around === "{" ? "after member" : "after item";
}
