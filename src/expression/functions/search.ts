/** Up to this length the engine's own search looks at each place of the text no more than this many times. */
const SHORT = 8;

/**
 * A search for a part, in time linear in the text: the platform's own takes the product of both lengths for
 * texts made to that end (`b` in the middle of a long row of `a`). Knuth, Morris and Pratt (1977).
 */
export function searchFor(part: string): (text: string, from: number) => number {
  if (part.length <= SHORT) return (text, from) => text.indexOf(part, from);
  const borders = bordersOf(part);
  return (text, from) => {
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && unit !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
      if (unit === part.charCodeAt(matched)) matched++;
      if (matched === part.length) return at - matched + 1;
    }
    return -1;
  };
}

/** For each beginning of a text, how long a proper beginning of it is also its end. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== text.charCodeAt(matched))
      matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(matched)) matched++;
    borders[at] = matched;
  }
  return borders;
}

/** As `String.lastIndexOf`, in linear time. */
export function lastPlaceOf(part: string, text: string): number {
  if (part.length <= SHORT) return text.lastIndexOf(part);
  const at = searchFor(backwards(part))(backwards(text), 0);
  return at === -1 ? -1 : text.length - part.length - at;
}

/** The characters (code points) in reverse. */
export function backwards(text: string): string {
  return Array.from(text).reverse().join("");
}

/** A text cut at each place of a separator, into at most so many pieces; an empty separator cuts everywhere. */
export function piecesOf(text: string, separator: string, most: number): string[] {
  if (separator === "") {
    const characters = Array.from(text);
    if (characters.length <= most) return characters;
    return [...characters.slice(0, most - 1), characters.slice(most - 1).join("")];
  }
  const search = searchFor(separator);
  const pieces: string[] = [];
  let from = 0;
  for (let at = search(text, 0); at !== -1 && pieces.length < most - 1; at = search(text, from)) {
    pieces.push(text.slice(from, at));
    from = at + separator.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
