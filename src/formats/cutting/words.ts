/** A character of a script that is written without spaces, or a word. */
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const WORD = new RegExp(`${UNSPACED}|[\\p{L}\\p{N}](?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}'’])*`, 'gu');

const URL_IN_TEXT = /\bhttps?:\/\/\S+/g;

/** The words of a text without its URLs, counted up to a number: a text may have millions. */
export function countWords(text: string, { most }: { readonly most: number }): number {
  const words = text.replace(URL_IN_TEXT, ' ');
  let count = 0;
  WORD.lastIndex = 0;
  while (count < most && WORD.test(words)) count++;
  return count;
}
