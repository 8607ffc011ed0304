import type { Mode, SearchEngine } from 'waymark';
import { type Lines, type RankedPassage, rankedPassage, sharedLines } from 'waymark/evaluation';
import { explanationOf } from './fused-run.js';
import type { Run } from './run.js';

/** The window's part of a score; the rest is the passage's own. */
const WEIGHT = 0.5;

/** Hits that are joined: as many as the engine gives at most. */
const CANDIDATES = 1000;

/**
 * Passages with the weighted mean of their own score and that of the window around them, best first: of the windows that
 * share a line with a passage, the best. A passage whose window was not found has the least score that was found, 0 where there is no
 * window at all.
 */
export function scoreByWindows<Passage extends Lines & { readonly score: number }>(
  passages: readonly Passage[],
  { windows, weight }: { readonly windows: readonly (Lines & { readonly score: number })[]; readonly weight: number },
): Passage[] {
  const ofFile = new Map<string, (Lines & { readonly score: number })[]>();
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

/** Small passages of one index, ranked with the larger ones of another around them. */
export function windowRun(engines: { readonly small: SearchEngine; readonly large: SearchEngine }, mode: Mode): Run {
  return async (query, depth) => {
    const [passages, windows] = await Promise.all(
      [engines.small, engines.large].map((engine) => sums(query, { engine, mode })),
    );
    return scoreByWindows(passages ?? [], { windows: windows ?? [], weight: WEIGHT }).slice(0, depth);
  };
}

/** Hits with what they are ordered by in the place of the score, which is hardly told apart near 0 and 1. */
async function sums(query: string, { engine, mode }: { engine: SearchEngine; mode: Mode }): Promise<RankedPassage[]> {
  const hits = await engine.search(query, { limit: CANDIDATES, mode, explain: true });
  return hits.map((hit) => ({ ...rankedPassage(hit), score: explanationOf(hit).sum }));
}
