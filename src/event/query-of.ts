import { MAX_QUERY_BYTES } from '../contract/search-files.js';

const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as a query: without blanks around it, and cut where a word ends when it is longer than a query may be. A word
 * that takes more than half of that is cut where a character ends, as a reader counts characters. Halves of surrogate
 * pairs become U+FFFD, since no URL takes them.
 */
export function queryOf(text: string): string {
  const trimmed = text.trim().toWellFormed();
  const { read } = new TextEncoder().encodeInto(trimmed, new Uint8Array(MAX_QUERY_BYTES));
  if (read === trimmed.length) return trimmed;
  // Whether there is a boundary right behind the last code point that fits is told by the next one.
  const window = trimmed.slice(0, read + 2);
  const half = read / 2;
  const end = [words, graphemes].map((segments) => lastBoundary(segments, { window, read })).find((at) => at > half);
  return trimmed.slice(0, end ?? read).trimEnd();
}

function lastBoundary(segmenter: Intl.Segmenter, { window, read }: { window: string; read: number }): number {
  const starts = Array.from(segmenter.segment(window), ({ index }) => index);
  return starts.findLast((start) => start <= read) ?? 0;
}
