/** The number of characters (Unicode code points) of a text, of which half a surrogate pair is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit >= 0xdc00) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next < 0xe000) count--;
  }
  return count;
}

/** The first so many characters of a text. */
export function firstCharacters(text: string, count: number): string {
  // A character is one or two UTF-16 units; what is further on does not matter, however long it is.
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}
