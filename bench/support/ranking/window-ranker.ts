import type { Mode, SearchEngine } from 'waymark';
import { type Lines, type RankedPassage, rankedPassage, sharedLines } from 'waymark/evaluation';
import { explanationOf, MOST_HITS, type Ranker } from './ranker.js';

/** Weight of the window in a score. */
const WEIGHT = 0.5;

type Scored = Lines & { readonly score: number };

/**
 * Passages by the weighted mean of their own score and that of the best window that shares a line with them. A passage
 * without a window takes the least score of all windows, or 0 if there are none.
 */
export function scoreByWindows<Passage extends Scored>(
  passages: readonly Passage[],
  { windows, weight }: { readonly windows: readonly Scored[]; readonly weight: number },
): Passage[] {
  const ofFile = new Map<string, Scored[]>();
  for (const window of windows) ofFile.set(window.file, [...(ofFile.get(window.file) ?? []), window]);
  const least = windows.length > 0 ? Math.min(...windows.map(({ score }) => score)) : 0;
  const windowScoreOf = (passage: Passage) => {
    const around = (ofFile.get(passage.file) ?? []).filter((window) => sharedLines(window, passage) > 0);
    return around.length > 0 ? Math.max(...around.map(({ score }) => score)) : least;
  };
  return passages
    .map((passage) => ({ ...passage, score: (1 - weight) * passage.score + weight * windowScoreOf(passage) }))
    .sort((a, b) => b.score - a.score);
}

/** Ranks the passages of one index with the larger passages of another as their windows. */
export function windowRanker(
  engines: { readonly small: SearchEngine; readonly large: SearchEngine },
  mode: Mode,
): Ranker {
  return async (query, depth) => {
    const passages = await sums(query, { engine: engines.small, mode });
    const windows = await sums(query, { engine: engines.large, mode });
    return scoreByWindows(passages, { windows, weight: WEIGHT }).slice(0, depth);
  };
}

/** Hits with the sum that orders them as score: the calibrated score hardly differs near 0 and 1. */
async function sums(query: string, { engine, mode }: { engine: SearchEngine; mode: Mode }): Promise<RankedPassage[]> {
  const hits = await engine.search(query, { limit: MOST_HITS, mode, explain: true });
  return hits.map((hit) => ({ ...rankedPassage(hit), score: explanationOf(hit).sum }));
}
