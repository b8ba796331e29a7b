/** A placeholder of a text; offsets are UTF-16 units of it. */
export interface Placeholder {
  name: string;
  start: number;
  end: number;
}

/** What could be meant as a name: letters and digits of any script, `_`, `.` and `-`. */
const NAME_LIKE = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;

const TOKEN = /\{\{|\}\}|\{([^{}\n]*)\}|[{}]|[^{}]+/g;

/**
 * Cuts a text at its `{name}`. `{{` is a brace, and so is the `}}` that closes it. Any other brace is text: one
 * that opens nothing that could be a name, and the `}}` of JSON, which closes no `{{`.
 * @param isName whether a name is one to be filled in, also where it does not look like one
 */
export function splitAtPlaceholders(
  text: string,
  isName: (name: string) => boolean,
): (string | Placeholder)[] {
  const pieces: (string | Placeholder)[] = [];
  let literal = "";
  let open = 0;
  for (const { 0: token, 1: name, index } of text.matchAll(TOKEN)) {
    if (name !== undefined && (isName(name) || NAME_LIKE.test(name))) {
      if (literal !== "") pieces.push(literal);
      literal = "";
      pieces.push({ name, start: index, end: index + token.length });
    } else if (token === "{{") {
      open++;
      literal += "{";
    } else if (token === "}}" && open > 0) {
      open--;
      literal += "}";
    } else literal += token;
  }
  return literal === "" ? pieces : [...pieces, literal];
}
