import type { Mode } from '../contract/fields/query.js';
import type { Explanation } from '../domain/passage.js';
import { addendsOf, bm25Share, type QueryStats, type ScoredCandidate } from './fuse.js';
import type { Ranked } from './rank.js';

/** What the scores of a query were computed from. */
export interface Scoring {
  /** The terms of the query, as its candidates count them; none without the lexical retriever. */
  readonly terms: readonly string[];
  readonly candidates: readonly ScoredCandidate[];
  readonly stats: QueryStats;
  readonly mode: Mode;
  /** The last rank that is explained. */
  readonly pool: number;
}

/** Explains the scores of ranked candidates of a query. */
export function explainer({ terms, candidates, stats, mode, pool }: Scoring): (ranked: Ranked) => Explanation {
  const cosines = valuesOf(candidates, 'cosine');
  const scores = valuesOf(candidates, 'bm25');
  const within = (rank: number) => (rank <= pool ? { rank } : {});
  return ({ candidate, sum, lead, contrast }) => {
    const { cosine, bm25, rarity, occurrences } = candidate;
    const parts = addendsOf(candidate, mode, stats);
    const dense = Number.isNaN(cosine) ? {} : { cosine, ...within(rankIn(cosines, cosine)) };
    const lexical = {
      bm25,
      share: bm25Share(candidate, stats),
      rarity,
      ...(bm25 > 0 && within(rankIn(scores, bm25))),
      terms: terms.filter((_, i) => (occurrences[i] ?? 0) > 0),
    };
    const retrievers = { ...(mode !== 'lexical' && { dense }), ...(mode !== 'dense' && { lexical }) };
    return { ...retrievers, parts, sum, lead, ...(mode !== 'lexical' && { contrast }) };
  };
}

function valuesOf(candidates: readonly ScoredCandidate[], feature: 'cosine' | 'bm25'): Float64Array {
  const values = new Float64Array(candidates.length);
  // A loop, because `Float64Array.from` takes several times as long.
  for (let i = 0; i < values.length; i++) values[i] = (candidates[i] as ScoredCandidate)[feature];
  return values;
}

/** The rank of a value, from 1; equal values share theirs. Counted instead of sorted: only few ranks are needed. */
function rankIn(values: Float64Array, own: number): number {
  let rank = 1;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > own) rank += 1;
  return rank;
}
