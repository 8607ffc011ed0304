/** Characters segmented at a time: the time that Intl.Segmenter takes is quadratic in the length of its text. */
const WINDOW = 500;

const SEGMENTERS = {
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
};

/** What a text is cut into, and what its parts are cut into next. */
export const FINER = {
  line: 'sentence',
  sentence: 'row',
  row: 'word',
  word: 'grapheme',
  grapheme: 'codePoint',
  codePoint: undefined,
} as const;

/** The mark of an image, and one in an address: `![a](b)`, `a.md?b=c`. */
const INNER_MARK = /[!?](?=[\w[&=%/#])/g;
/** The address of a link. */
const ADDRESS = /\]\([^()\r\n]*\)/g;

/** A link of a few words, perhaps around an image: a part of it would be shown as markup. */
const LINK = /!?\[(?:[^[\]\r\n]|!\[[^[\]\r\n]*\]\([^()\r\n]*\)){0,100}\]\([^()\r\n]*\)/g;

/** A tag of HTML: in its attributes, nothing ends a sentence or a word. A longer one, as of a drawing, is data. */
const TAG = /<\/?[a-z][^<>]{0,500}>/gi;

/** A line end in a string of JSON, for example. */
const ESCAPE = /\\[a-z]/g;

const CODE_SPAN = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/g;

/** A text split at every sentence, word or grapheme boundary. */
export function segmentsOf(text: string, granularity: keyof typeof SEGMENTERS): string[] {
  const segmenter = SEGMENTERS[granularity];
  const found: string[] = [];
  let size = WINDOW;
  for (let at = 0; at < text.length; ) {
    const segments = Array.from(segmenter.segment(text.slice(at, at + size)), ({ segment }) => segment);
    // The text after the window may still move the boundaries of its last two segments.
    const final = at + size < text.length ? segments.slice(0, -2) : segments;
    for (const segment of final) at += segment.length;
    found.push(...final);
    size = final.length > 0 ? WINDOW : size * 2;
  }
  return found;
}

/**
 * The parts of a text. Neither a line break inside a paragraph nor punctuation in code or a tag ends a sentence, nor a
 * blank in code, a tag or a link a word.
 */
export function piecesOf(text: string, into: Exclude<keyof typeof FINER, 'line'>): string[] {
  // A grapheme is not small enough: a letter may carry any number of combining marks.
  if (into === 'codePoint') return [...text];
  if (into === 'row') return text.split(/(?<=\n|\r(?!\n))/);
  if (into === 'grapheme') return segmentsOf(text, into);
  return segmentsOf(withoutFalseEnds(text, into), into);
}

/** A text of the same length, in which nothing but the end of a sentence or word looks like one. */
function withoutFalseEnds(text: string, into: 'sentence' | 'word'): string {
  const oneLine = text.replace(/[\r\n]/g, ' ').replace(CODE_SPAN, masked);
  // Closing brackets are part of the sentence that ends before them: `[Why?](a.md)`.
  const filler = into === 'sentence' ? ')' : 'X';
  const whole = into === 'word' ? oneLine.replace(ESCAPE, 'XX').replace(LINK, masked) : oneLine;
  // A tag is one word: the segmenter takes a run of blanks for one.
  const ofTags = into === 'sentence' ? ')' : ' ';
  return whole
    .replace(TAG, (tag) => ofTags.repeat(tag.length))
    .replace(INNER_MARK, 'X')
    .replace(ADDRESS, (address) => filler.repeat(address.length));
}

function masked(mark: string): string {
  return 'X'.repeat(mark.length);
}
