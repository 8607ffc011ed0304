import type { Explanation, Mode, SearchEngine } from 'waymark';
import { type RankedPassage, rankedPassage } from 'waymark/evaluation';

/** What is evaluated: ranks at most `depth` passages for a query, best first. */
export type Ranker = (query: string, depth: number) => Promise<readonly RankedPassage[]>;

/** The most hits that the engine returns. */
export const MOST_HITS = 1000;

/** The engine's own ranking. */
export function searchRanker(engine: SearchEngine, mode: Mode): Ranker {
  return async (query, depth) => (await engine.search(query, { limit: depth, mode })).map(rankedPassage);
}

/** The explanation of a hit that was searched for with `explain`. */
export function explanationOf({ explanation }: { readonly explanation?: Explanation }): Explanation {
  if (!explanation) throw new Error('The hit has no explanation.');
  return explanation;
}
