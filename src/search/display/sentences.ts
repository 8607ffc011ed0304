import { countWords } from '../../formats/cutting/words.js';
import type { VisibleText } from '../../formats/visible-text.js';

/** A sentence of a visible text. */
export interface Sentence {
  /** What a reader sees of it. */
  readonly text: string;
  /** UTF-16 offset, in the source, of its first visible character. */
  readonly start: number;
  /** UTF-16 offset, in the source, after its last visible character. */
  readonly end: number;
}

/** Minimum number of words in a sentence worth highlighting. */
const MIN_WORDS = 3;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Marks that end no sentence: in `.NET`, `?query=1` and after an abbreviation. */
const INNER = new RegExp(
  String.raw`[.?!](?=[\p{L}\p{N}_=/&])|(?<![\p{L}\p{N}])(?:e\.g|i\.e|cf|vs|approx|resp|incl|viz|al)\.(?=\s)|` +
    String.raw`(?<![\p{L}\p{N}])(?:Fig|Mr|Mrs|Ms|Dr|Prof)\.(?=\s)`,
  'gu',
);

/** Characters that no sentence begins or ends with. Bars separate the cells of a table whose header is elsewhere. */
const BLANK = /[\s\p{Cc}\u00ad\u200b\u2060|]/u;

/** The sentences, of at least three words, of what a reader sees: the first ones, at most `limit`. */
export function sentencesOf(visible: VisibleText, { limit }: { readonly limit: number }): Sentence[] {
  const found: Sentence[] = [];
  // Line by line, because the time and memory of a segmenter grow with the square of a text's length.
  for (const { 0: line, index: start } of unpunctuated(visible).matchAll(/.+/g)) {
    for (const { index, segment } of segmenter.segment(line)) {
      if (found.length === limit) return found;
      const sentence = sentenceIn(visible, { from: start + index, to: start + index + segment.length });
      if (sentence && countWords(sentence.text, { most: MIN_WORDS }) >= MIN_WORDS) found.push(sentence);
    }
  }
  return found;
}

/** A range of the visible text from its first to its last character that a reader sees. */
function sentenceIn(
  { text, starts, ends }: VisibleText,
  { from, to }: { readonly from: number; readonly to: number },
): Sentence | undefined {
  const isSeen = (at: number) => (starts[at] ?? -1) >= 0 && !BLANK.test(text.charAt(at));
  let [first, last] = [from, to - 1];
  while (first <= last && !isSeen(first)) first++;
  while (first <= last && !isSeen(last)) last--;
  const [start, end] = [starts[first], ends[last]];
  if (first > last || start === undefined || end === undefined) return undefined;
  return { text: text.slice(first, last + 1), start, end };
}

/** The text without the marks that end no sentence, and with code replaced by a word that may begin a sentence. */
function unpunctuated({ text, code }: VisibleText): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of code) {
    parts.push(text.slice(at, start), 'X'.repeat(end - start));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('').replace(INNER, (mark) => mark.replace(/[.?!]/g, '_'));
}
