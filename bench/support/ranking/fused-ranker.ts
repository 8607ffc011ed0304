import type { SearchEngine } from 'waymark';
import { rankedPassage } from 'waymark/evaluation';
import type { Fusion } from './fusion.js';
import { explanationOf, MOST_HITS, type Ranker } from './ranker.js';

/**
 * Ranks the engine's hybrid hits by another fusion. Equal scores stay in the engine's order, which favours the fusion.
 * Candidates beyond the first 1,000 of the engine are not considered.
 */
export function fusedRanker(engine: SearchEngine, fusion: Fusion): Ranker {
  return async (query, depth) => {
    const hits = await engine.search(query, { limit: MOST_HITS, mode: 'hybrid', explain: true });
    const scores = fusion(hits.map(explanationOf));
    return hits
      .map((hit, i) => ({ ...rankedPassage(hit), score: scores[i] ?? 0 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, depth);
  };
}
