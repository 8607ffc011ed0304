import type { FoundPassage } from '../contract/operations/search.js';
import { textOf } from './merge-windows.js';
import type { HitInContext } from './search.js';

/** Places in the content of a found passage, in UTF-16 offsets. */
interface MatchInContent {
  /** Where the text of the file begins, after the breadcrumb. */
  readonly text: number;
  /** Where the match begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Where a hit is in the content that was made from it, alone or with other hits of its file. */
export function matchIn({ content, meta }: FoundPassage, { passage, window }: HitInContext): MatchInContent {
  if (meta.type === 'consolidated') {
    // The content contains each match unchanged. If an equal text comes first, that one answers as well.
    const start = content.indexOf(passage.content);
    return { text: 0, start, end: start + passage.content.length };
  }
  const text = content.length - textOf(window).length;
  const windowStart = text - (window.passages[0]?.start ?? 0);
  return { text, start: windowStart + passage.start, end: windowStart + passage.end };
}
