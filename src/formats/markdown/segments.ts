/** Characters segmented at a time: Intl.Segmenter takes time by the square of its text. */
const WINDOW = 500;

const SEGMENTERS = {
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
};

/** A text cut at all borders of sentences, words or graphemes. */
export function segmentsOf(text: string, granularity: keyof typeof SEGMENTERS): string[] {
  const segmenter = SEGMENTERS[granularity];
  const found: string[] = [];
  let size = WINDOW;
  for (let at = 0; at < text.length; ) {
    const segments = Array.from(segmenter.segment(text.slice(at, at + size)), ({ segment }) => segment);
    // What stands behind the window may still move the border of its last two segments.
    const sure = at + size < text.length ? segments.slice(0, -2) : segments;
    for (const segment of sure) at += segment.length;
    found.push(...sure);
    size = sure.length > 0 ? WINDOW : size * 2;
  }
  return found;
}
