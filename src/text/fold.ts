import { LIMITS } from '../domain/limits.js';
import { UNSPACED } from './unspaced.js';

/** A combining mark, or one of the two halfwidth forms that decompose to one. */
const MARK = '[\\p{M}\\uFF9E\\uFF9F]';

/**
 * More combining marks than the Stream-Safe Text Format of Unicode allows (UAX #15): to put n marks in order,
 * normalisation takes n² steps.
 */
const TOO_MANY_MARKS = new RegExp(`(${MARK}{${LIMITS.combiningMarks.value}})${MARK}+`, 'gu');

/**
 * Characters that people may leave out when they write a word: accents and other marks that several scripts share, such
 * as variation selectors; the vowel points of Arabic, Hebrew and Syriac; tatweel, which stretches a word; soft hyphens;
 * and word joiners, of which U+FEFF is the former one. The vowel signs of Indic scripts and the voicing marks of kana
 * tell words apart.
 */
const OPTIONAL =
  /(?![\u3099\u309a])(?=[\p{Mn}\p{Me}])[\p{sc=Zinh}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}]|[\u0640\u00ad\u2060\ufeff]/gu;

/**
 * A joiner beside a mark chooses the shape of an Indic letter, and one behind a letter of Latin, Greek or Cyrillic
 * prevents a ligature. Elsewhere, as in Persian, it separates parts of a word.
 */
const SHAPING = /[\u200c\u200d](?:(?=\p{M})|(?<=[\p{M}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}].))/gu;

/** A zero-width space says where a long word may be broken. In scripts without spaces, it separates words. */
const BESIDE_UNSPACED = `(?:(?<=[${UNSPACED}].)|(?=[${UNSPACED}]))`;
const BREAK = new RegExp(`\\u200b(?!${BESIDE_UNSPACED})`, 'gu');
const SEPARATOR = new RegExp(`\\u200b${BESIDE_UNSPACED}`, 'uy');

/** Letters of Latin alphabets that Unicode does not decompose, as people without such a keyboard write them. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
  ...{ æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', þ: 'th', Þ: 'Th', ß: 'ss', ẞ: 'SS' },
};
const LETTER = new RegExp(`[${Object.keys(UNDECOMPOSED).join('')}]`, 'gu');

/** Letters among capitals that become two. A small second one would end a word of camelCase. */
const AMONG_CAPITALS = /[ÆŒÞ](?:(?=\p{Lu})|(?<=\p{Lu}.)(?!\p{Ll}))|ß(?<=\p{Lu}.)(?=\p{Lu})/gu;

/** Replaces compatibility forms and removes what may be left out of a word. Case is kept. */
export function fold(text: string): string {
  return text
    .toWellFormed()
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(OPTIONAL, '')
    .replace(SHAPING, '')
    .replace(BREAK, '')
    .normalize('NFC')
    .replace(AMONG_CAPITALS, (letter) => decomposed(letter).toUpperCase())
    .replace(LETTER, decomposed);
}

function decomposed(letter: string): string {
  return UNDECOMPOSED[letter] ?? letter;
}

/** A folded text, with the place of each of its code units in the text: UTF-16 offsets of the character it is from. */
interface FoldedText {
  readonly folded: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** ASCII, which folds to itself. The last character before others is left out: they may begin with its marks. */
const ASCII = /(?:\p{ASCII}(?!\P{ASCII}))+/gu;

/** Folds a text character by character, so that what is found in it can be shown in the text. */
export function foldedWithPlaces(text: string): FoldedText {
  const [starts, ends]: [number[], number[]] = [[], []];
  let folded = '';
  let at = 0;
  const foldUntil = (end: number) => {
    for (const { segment } of characters.segment(text.slice(at, end))) {
      SEPARATOR.lastIndex = at;
      folded += SEPARATOR.test(text) ? segment : fold(segment);
      while (starts.length < folded.length) {
        starts.push(at);
        ends.push(at + segment.length);
      }
      at += segment.length;
    }
  };
  // Folding each character takes sixty times as long.
  for (const { 0: ascii, index } of text.matchAll(ASCII)) {
    foldUntil(index);
    folded += ascii;
    while (at < index + ascii.length) {
      starts.push(at);
      at += 1;
      ends.push(at);
    }
  }
  foldUntil(text.length);
  return { folded, starts, ends };
}
