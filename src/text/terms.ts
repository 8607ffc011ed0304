import { LIMITS } from '../domain/limits.js';

/**
 * A run of characters in a script that is written without spaces, or that Intl.Segmenter divides into words. Bounded,
 * because Intl.Segmenter takes quadratic time and memory: 20,000 Thai letters take 4 GB.
 */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]{1,500}/u;

/** A combining mark, or one of the two halfwidth forms that decompose to one. */
const MARK = '[\\p{M}\\uFF9E\\uFF9F]';

/**
 * More combining marks than the Stream-Safe Text Format of Unicode allows (UAX #15): to put n marks in order,
 * normalisation takes n² steps.
 */
const TOO_MANY_MARKS = new RegExp(`(${MARK}{${LIMITS.combiningMarks.value}})${MARK}+`, 'gu');

/** A word or name: letters and digits with the punctuation that joins them in names; or a run of an unspaced script. */
const LEXEME = new RegExp(
  `${UNSPACED.source}|[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}_.'’+#-]*[\\p{L}\\p{N}_])?(?:\\+\\+|#)?`,
  'gu',
);

/** A part of a name, delimited by punctuation or by an upper-case letter in camelCase. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{N}]+|[\p{L}\p{N}]+/gu;

/** A lexeme that is a term as it is. Most words are, and this test takes a fifth of the time of splitting them. */
const PLAIN = /^[a-z]+$/;

/** The longest term, in characters. Anything longer is data, not a word. */
const MAX_LENGTH = 80;

const words = new Intl.Segmenter('ja', { granularity: 'word' });

/**
 * The terms of a text, in order: words with case and accents folded; names as typed and by part (`max_connections`,
 * `camelCaseName`, `node.js`); Chinese, Japanese, Korean and Thai words as Intl.Segmenter finds them. Passages and
 * queries are analysed alike, so that a word in a passage is found by the same characters in a query.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [lexeme] of fold(text).matchAll(LEXEME)) {
    if (PLAIN.test(lexeme)) {
      if (lexeme.length <= MAX_LENGTH) terms.push(lexeme);
      continue;
    }
    // A name may have a million parts, more than a call may have arguments.
    const several = UNSPACED.test(lexeme) ? unspacedTerms(lexeme) : nameTerms(lexeme);
    for (const term of several) if (term.length <= MAX_LENGTH) terms.push(term);
  }
  return terms;
}

/** Replaces compatibility forms, and removes accents from Latin, Greek and Cyrillic letters. Case is kept. */
function fold(text: string): string {
  return text
    .toWellFormed()
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** A word; or a name as typed, followed by its parts. */
function nameTerms(lexeme: string): string[] {
  const whole = lexeme.replace(/['’]s$/i, '').replace(/['’]/g, '');
  const typed = whole.toLowerCase();
  // The parts of a version number, and of a name such as C++ or C#, mean nothing on their own.
  if (/^v?[\d.]+$/.test(typed)) return typed.startsWith('v') ? [typed, typed.slice(1)] : [typed];
  if (/(?:\+\+|#)$/.test(typed)) return [typed];
  const parts = [...whole.matchAll(PART)].map(([part]) => part.toLowerCase());
  return parts.length === 1 && parts[0] === typed ? [typed] : [typed, ...parts];
}

/** The words of an unspaced run, and the character pairs of long words: a query may be segmented differently. */
function unspacedTerms(run: string): string[] {
  const found = [...words.segment(run)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return found.flatMap((word) => {
    const characters = [...word];
    if (characters.length <= 2) return [word];
    return [word, ...characters.slice(1).map((character, i) => `${characters[i]}${character}`)];
  });
}
