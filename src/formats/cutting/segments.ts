/** Characters segmented at a time: the time that Intl.Segmenter takes is quadratic in the length of its text. */
const WINDOW = 500;

const SEGMENTERS = {
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
};

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
