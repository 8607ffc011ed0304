import type { FoundPassage } from '../contract/operations/search.js';
import type { Passage } from '../domain/passage.js';
import type { Window } from '../storage/retrieval.js';
import { positionOf, sourceOf } from './expand.js';
import { headingsAbove } from './headings-above.js';
import { displayOf, mergeWindows, textOf } from './merge-windows.js';
import type { HitInContext } from './search.js';

/** Marks a gap between two windows, on a line of its own. */
const GAP = '…';

/** Minimum score of a match other than the best one of its file, as a share of the first hit's score. */
const MIN_SCORE_SHARE = 0.1;

/**
 * Merges hits, best first, into one passage per file: at most `limit` files, in the order of their best hits. Matches
 * that score far below the first hit are left out, except for the best one of each file. Each passage is made when the
 * iterator is advanced.
 */
export function* consolidate(
  hits: readonly HitInContext[],
  { limit, positions }: { limit: number; positions: boolean },
): Generator<FoundPassage> {
  const byFile = new Map<string, HitInContext[]>();
  const minScore = MIN_SCORE_SHARE * (hits[0]?.score ?? 0);
  for (const hit of hits) {
    const before = byFile.get(hit.file.id) ?? [];
    if (before.length === 0 || hit.score >= minScore) byFile.set(hit.file.id, [...before, hit]);
  }
  for (const ofFile of [...byFile.values()].slice(0, limit)) yield consolidateFile(ofFile, { positions });
}

function consolidateFile(hits: readonly HitInContext[], { positions }: { positions: boolean }): FoundPassage {
  const [best] = hits;
  const matches = hits.map(({ passage }) => passage).sort((a, b) => a.position - b.position);
  const [first, last] = [matches[0], matches.at(-1)];
  if (!best || !first || !last) throw new RangeError('a file without hits cannot be consolidated');
  const { file, score, explanation } = best;
  const windows = mergeWindows(hits.map(({ window }) => window));
  return {
    content: underHeadings(windows, textOf),
    score,
    meta: {
      type: 'consolidated',
      position: first.position,
      ...sourceOf(file),
      ...(positions && {
        ...positionOf(first),
        end: last.end,
        endLine: last.endLine,
        display: underHeadings(windows, displayOf),
      }),
      ...(explanation && { explanation }),
    },
    file,
  };
}

/**
 * The texts of windows, each below those of its headings that are not shown above it, with gaps marked between them.
 */
function underHeadings(windows: readonly Window[], textOfWindow: (window: Window) => string): string {
  const parts: string[] = [];
  let last: Passage | undefined;
  for (const window of windows) {
    const [first] = window.passages;
    if (last) parts.push(GAP);
    if (first) parts.push(...headingsAbove(first, last));
    parts.push(textOfWindow(window));
    last = window.passages.at(-1);
  }
  return parts.join('\n\n');
}
