import { LIMITS } from '../domain/limits.js';

const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Turns a text into a valid query: trimmed, and cut at the end of a word if it exceeds the maximum length of a query. A
 * word of more than half that length is cut between graphemes instead. Lone surrogates, which no URL can encode, become
 * U+FFFD.
 */
export function queryFromText(text: string): string {
  const trimmed = text.trim().toWellFormed();
  const { read } = new TextEncoder().encodeInto(trimmed, new Uint8Array(LIMITS.query.value));
  if (read === trimmed.length) return trimmed;
  // Includes the next code point, which decides whether there is a boundary after the last one that fits.
  const window = trimmed.slice(0, read + 2);
  const half = read / 2;
  const end = [words, graphemes].map((segments) => lastBoundary(segments, { window, read })).find((at) => at > half);
  return trimmed.slice(0, end ?? read).trimEnd();
}

function lastBoundary(segmenter: Intl.Segmenter, { window, read }: { window: string; read: number }): number {
  const starts = Array.from(segmenter.segment(window), ({ index }) => index);
  return starts.findLast((start) => start <= read) ?? 0;
}
