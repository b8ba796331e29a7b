/** A text of at most so many characters; one that is longer is cut between two of them and ends in `…`. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const points = [...text];
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join("")}…`;
}
