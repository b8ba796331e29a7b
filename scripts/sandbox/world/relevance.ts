/**
 * How well a text answers a question, from 0 to 1: the share of the question's terms that it has. A term is a
 * word of letters or digits, or two Chinese characters that follow each other.
 */
export function relevance(question: string, text: string): number {
  const wanted = termsOf(question);
  const there = termsOf(text);
  if (wanted.size === 0) return 0;
  return [...wanted].filter((term) => there.has(term)).length / wanted.size;
}

function termsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? [];
  return new Set(words.flatMap((word) => (/\p{Script=Han}/u.test(word) ? pairsOf(word) : [word])));
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
