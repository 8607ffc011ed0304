/**
 * The inside of a character class: letters of the scripts that are written without spaces between words, or that
 * Intl.Segmenter divides into words.
 */
export const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー々';
