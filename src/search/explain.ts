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
export function explainer(
  query: string,
  { candidates, stats, mode, pool }: Scoring,
): (ranked: Ranked) => Explanation | undefined {
  const { terms } = queryTerms(query);
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  /** The rank of a candidate, from 1, by descending value; none for NaN. Counted, because few are asked for. */
  const rankBy = (value: (candidate: ScoredCandidate) => number, candidate: ScoredCandidate): { rank?: number } => {
    const own = value(candidate);
    if (Number.isNaN(own)) return {};
    let rank = 1;
    for (const other of candidates) {
      const theirs = value(other);
      if (theirs > own || (theirs === own && other.id < candidate.id)) rank += 1;
    }
    return rank <= pool ? { rank } : {};
  };
  return ({ id, sum, lead, contrast }) => {
    const candidate = byId.get(id);
    if (!candidate) return undefined;
    const { cosine, bm25, rarity, occurrences } = candidate;
    const parts = addendsOf(candidate, mode, stats);
    const dense = { ...(Number.isNaN(cosine) ? {} : { cosine }), ...rankBy((one) => one.cosine, candidate) };
    const lexical = {
      bm25,
      share: bm25Share(candidate, stats),
      rarity,
      ...rankBy((one) => (one.bm25 > 0 ? one.bm25 : Number.NaN), candidate),
      terms: terms.filter((_, i) => (occurrences[i] ?? 0) > 0),
    };
    const retrievers = { ...(mode !== 'lexical' && { dense }), ...(mode !== 'dense' && { lexical }) };
    return { ...retrievers, parts, sum, lead, ...(mode !== 'lexical' && { contrast }) };
  };
}
