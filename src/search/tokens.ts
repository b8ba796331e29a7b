/** Scripts that are written without blanks between words, or whose words are made of a few characters. */
const DENSE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〇ー`;

/** Runs of such characters, and words of any others. */
const RUNS = new RegExp(`[${DENSE}]+|(?:(?![${DENSE}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const DENSE_RUN = new RegExp(`^[${DENSE}]`, "u");

/**
 * What a text is found by, the same for documents and for questions, whatever the width, case or composition: words,
 * and in Chinese, Japanese and Korean each two characters that stand side by side (a dictionary would be larger than
 * the rest of this program, and pairs find nearly as much).
 */
export function tokensOf(text: string): string[] {
  const runs = text.normalize("NFKC").match(RUNS) ?? [];
  return runs.flatMap((run) => (DENSE_RUN.test(run) ? pairsOf(run) : wordsOf(run)));
}

/** Whether a token is of one of those scripts. */
export function isDense(token: string): boolean {
  return DENSE_RUN.test(token);
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A word, and where it is put together (`TickDB`, `orderBook`), its parts as well. */
function wordsOf(run: string): string[] {
  const parts = run.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
  const words = parts.length === 1 ? parts : [run, ...parts];
  return words.map((word) => singular(word.toLowerCase()));
}

/**
 * The singular of an English plural. Nothing more is taken off: other endings carry meaning (`trading`, `trader`), and
 * what is taken off is so in documents and questions alike.
 */
function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+s$/.test(word)) return word;
  if (word.length > 6 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

/** Words of questions that say nothing about what is looked for. */
const EMPTY_WORDS = new Set(
  tokensOf(
    "a about all an and any are as at be can could did do does for from get give has have how i if in into is it its " +
      "like make me my need now of on one or our please shall should show some such tell than that the their them then " +
      "there these they this to us use using want was way we what when where which who why will with would you your",
  ),
);

const EMPTY_PHRASES =
  /帮我|帮忙|请问|请|我想|我要|想要|需要|知道|告诉|怎么样|怎么|如何|怎样|什么|哪些|哪个|哪里|为什么|多少|是否|可以|能不能|能否|一下|一个|有没有|应该|现在|最近|的|了|吗|呢|吧|我|你|它/gu;

/** The tokens of a question, without those that any question may have; all of them where nothing else is left. */
export function questionTokens(question: string): string[] {
  const tokens = tokensOf(question.normalize("NFKC").replace(EMPTY_PHRASES, " ")).filter(
    (token) => !EMPTY_WORDS.has(token),
  );
  return tokens.length === 0 ? tokensOf(question) : tokens;
}
