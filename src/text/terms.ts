/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/u;

/** A run of letters and digits with the marks that join them in names, or a run of an unspaced script. */
const LEXEME = new RegExp(
  `${UNSPACED.source}|[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}_.'’+#-]*[\\p{L}\\p{N}_])?(?:\\+\\+|#)?`,
  'gu',
);

/** Borders inside a name: marks, and where camelCase goes up. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{N}]+|[\p{L}\p{N}]+/gu;

/** What is a term as it stands: most words are, and taking them apart costs five times as much as looking. */
const PLAIN = /^[a-z]+$/;

/** Longest term, in characters: what is longer is data, not a word. */
const LONGEST = 80;

const words = new Intl.Segmenter('ja', { granularity: 'word' });

/**
 * The terms of a text, in order: words with case and accents folded, names as typed and by part (`max_connections`,
 * `camelCaseName`, `node.js`), words of Chinese, Japanese, Korean and Thai as Intl.Segmenter finds them. The same on
 * both sides, so that what stands in a text is found by the same characters in a query.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [lexeme] of fold(text).matchAll(LEXEME)) {
    if (PLAIN.test(lexeme)) terms.push(lexeme);
    else if (UNSPACED.test(lexeme)) terms.push(...unspaced(lexeme));
    else terms.push(...name(lexeme));
  }
  return terms.filter((term) => term.length <= LONGEST);
}

/** Compatibility forms made plain, accents taken off Latin, Greek and Cyrillic letters; case is kept. */
function fold(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** A word, or a name: whole, then its parts. */
function name(lexeme: string): string[] {
  const whole = lexeme.replace(/['’]s$/i, '').replace(/['’]/g, '');
  const typed = whole.toLowerCase();
  // Of a version number, or a name that a mark makes (C++), the parts say nothing.
  if (/^v?[\d.]+$/.test(typed)) return typed.startsWith('v') ? [typed, typed.slice(1)] : [typed];
  if (/(?:\+\+|#)$/.test(typed)) return [typed];
  const parts = [...whole.matchAll(PART)].map(([part]) => part.toLowerCase());
  return parts.length === 1 && parts[0] === typed ? [typed] : [typed, ...parts];
}

/** Words of a run without spaces, and of a long one the pairs of its characters: a query may be cut elsewhere. */
function unspaced(run: string): string[] {
  const found = [...words.segment(run)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return found.flatMap((word) => {
    const characters = [...word];
    if (characters.length <= 2) return [word];
    return [word, ...characters.slice(1).map((character, i) => `${characters[i]}${character}`)];
  });
}
