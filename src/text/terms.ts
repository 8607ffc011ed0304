import { fold } from './fold.js';
import { UNSPACED } from './unspaced.js';

/**
 * A run of an unspaced script. Bounded, because Intl.Segmenter takes quadratic time and memory: 20,000 Thai letters
 * take 4 GB.
 */
const RUN = `[${UNSPACED}]{1,500}`;
const UNSPACED_RUN = new RegExp(RUN, 'u');

/**
 * Maximum number of characters of a word or name; the rest of a longer one counts as another word. V8 keeps a position
 * to backtrack to for each character, and those of five million overflow its stack.
 */
const LONGEST_WORD = 1_000_000;

/** What has terms in a folded text: a word, or a name with the punctuation that joins it; or an unspaced run. */
export const LEXEME = new RegExp(
  String.raw`${RUN}|[\p{L}\p{N}](?:(?:(?![${UNSPACED}])[\p{L}\p{M}\p{N}_.'’ʼ׳+#-]){0,${LONGEST_WORD}}` +
    String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}_])?(?:\+\+|#)?`,
  'gu',
);

/** Any letter but an upper-case one, or a digit. */
const LOWER = '\\p{Ll}\\p{Lo}\\p{Lm}\\p{Lt}\\p{N}';

/** A part of a name, delimited by punctuation or by an upper-case letter in camelCase. Letters keep their marks. */
const PART = new RegExp(`\\p{Lu}[\\p{Lu}\\p{M}]*(?![\\p{Ll}\\p{M}])|\\p{Lu}?\\p{M}*[${LOWER}][${LOWER}\\p{M}]*`, 'gu');

/**
 * A lexeme that is a term without any processing. Most words are, and this test takes a fifth of the time of splitting
 * them.
 */
const PLAIN = /^[a-z]+$/;

/** The longest term, in characters. Anything longer is data, not a word. */
const MAX_LENGTH = 80;

/** A character with its marks. */
const CHARACTER = /.\p{M}*/gsu;

const words = new Intl.Segmenter('ja', { granularity: 'word' });

/**
 * The terms of a text, in order: words with case, accents and vowel points folded; names as typed and by part
 * (`max_connections`, `camelCaseName`, `node.js`); Chinese, Japanese, Korean and Thai words as Intl.Segmenter finds
 * them. Passages and queries are analysed alike, so that a word in a passage is found by the same word in a query.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [lexeme] of fold(text).matchAll(LEXEME)) {
    if (PLAIN.test(lexeme)) {
      if (lexeme.length <= MAX_LENGTH) terms.push(lexeme);
      continue;
    }
    // A name may have a million parts, more than a call may have arguments.
    const several = UNSPACED_RUN.test(lexeme) ? unspacedTerms(lexeme) : nameTerms(lexeme);
    for (const term of several) if (term.length <= MAX_LENGTH) terms.push(term);
  }
  return terms;
}

/** A word; or a name as typed, followed by its parts. */
function nameTerms(lexeme: string): string[] {
  const whole = lexeme.replace(/['’]s$/i, '').replace(/['’ʼ׳]/g, '');
  const typed = whole.toLowerCase();
  // The parts of a version number, and of a name such as C++ or C#, mean nothing on their own.
  if (/^v?[\d.]+$/.test(typed)) return typed.startsWith('v') ? [typed, typed.slice(1)] : [typed];
  if (/(?:\+\+|#)$/.test(typed)) return [typed];
  const parts = [...whole.matchAll(PART)].map(([part]) => part.toLowerCase());
  return parts[0] === typed ? [typed] : [typed, ...parts];
}

/** The words of an unspaced run, and the pairs of characters of long words: a query may be segmented differently. */
function unspacedTerms(run: string): string[] {
  const found = [...words.segment(run)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return found.flatMap((word) => {
    const characters = word.match(CHARACTER) ?? [];
    if (characters.length <= 2) return [word];
    return [word, ...characters.slice(1).map((character, i) => `${characters[i]}${character}`)];
  });
}
