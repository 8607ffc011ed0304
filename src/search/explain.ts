import type { Mode } from '../contract/fields/query.js';
import type { Explanation } from '../domain/passage.js';
import { queryTerms } from '../text/query-terms.js';
import { addendsOf, bm25Share, type QueryStats, type ScoredCandidate } from './fuse.js';
import type { Ranked } from './rank.js';

/** What the scores of a query were computed from. */
export interface Scoring {
  readonly candidates: readonly ScoredCandidate[];
  readonly stats: QueryStats;
  readonly mode: Mode;
  /** The last rank that is explained. */
  readonly pool: number;
}

/** Explains the scores of ranked candidates of a query. */
export function explainer(query: string, { candidates, stats, mode, pool }: Scoring): (ranked: Ranked) => Explanation {
  const { terms } = queryTerms(query);
  const rankByCosine = ranker(candidates, 'cosine');
  const rankByBm25 = ranker(candidates, 'bm25');
  const within = (rank: number) => (rank <= pool ? { rank } : {});
  return ({ candidate, sum, lead, contrast }) => {
    const { cosine, bm25, rarity, occurrences } = candidate;
    const parts = addendsOf(candidate, mode, stats);
    const dense = Number.isNaN(cosine) ? {} : { cosine, ...within(rankByCosine(candidate)) };
    const lexical = {
      bm25,
      share: bm25Share(candidate, stats),
      rarity,
      ...(bm25 > 0 && within(rankByBm25(candidate))),
      terms: terms.filter((_, i) => (occurrences[i] ?? 0) > 0),
    };
    const retrievers = { ...(mode !== 'lexical' && { dense }), ...(mode !== 'dense' && { lexical }) };
    return { ...retrievers, parts, sum, lead, ...(mode !== 'lexical' && { contrast }) };
  };
}

/** The rank of a candidate, from 1, by descending value of a feature. Counted instead of sorted: few are asked for. */
function ranker(
  candidates: readonly ScoredCandidate[],
  feature: 'cosine' | 'bm25',
): (candidate: ScoredCandidate) => number {
  const values = new Float64Array(candidates.length);
  for (const [i, candidate] of candidates.entries()) values[i] = candidate[feature];
  return ({ id, [feature]: own }) => {
    let rank = 1;
    for (let i = 0; i < values.length; i++) {
      const other = values[i] ?? Number.NaN;
      if (other > own || (other === own && (candidates[i]?.id ?? id) < id)) rank += 1;
    }
    return rank;
  };
}
