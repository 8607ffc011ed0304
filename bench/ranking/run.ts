import type { Mode, SearchEngine } from 'waymark';
import { type RankedPassage, rankedPassage } from 'waymark/evaluation';

/** What is evaluated: from a query to passages, best first, `depth` of them at most. */
export type Run = (query: string, depth: number) => Promise<readonly RankedPassage[]>;

/** The engine as it searches. */
export function searchRun(engine: SearchEngine, mode: Mode): Run {
  return async (query, depth) => (await engine.search(query, { limit: depth, mode })).map(rankedPassage);
}
