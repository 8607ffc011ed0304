/** A character of a script that is written without spaces, or a word. */
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const WORD = new RegExp(`${UNSPACED}|[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}'’]*`, 'gu');

const URL_IN_TEXT = /\bhttps?:\/\/\S+/g;

/** The words of a text without its URLs, counted up to a number: a text may have millions. */
export function countWords(text: string, { most }: { readonly most: number }): number {
  let count = 0;
  for (const _ of text.replace(URL_IN_TEXT, ' ').matchAll(WORD)) if (++count >= most) break;
  return count;
}
