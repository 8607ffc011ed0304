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
  const indexes = new Map(candidates.map(({ id }, i) => [id, i]));
  const cosines = Float64Array.from(candidates, ({ cosine }) => cosine);
  const scores = Float64Array.from(candidates, ({ bm25 }) => (bm25 > 0 ? bm25 : Number.NaN));
  /** The rank of a candidate, from 1, by descending value; none for NaN. Counted, because few are asked for. */
  const rankBy = (values: Float64Array, index: number, id: number): { rank?: number } => {
    const own = values[index] ?? Number.NaN;
    if (Number.isNaN(own)) return {};
    let rank = 1;
    for (let other = 0; other < values.length; other++) {
      const theirs = values[other] ?? Number.NaN;
      if (theirs > own || (theirs === own && (candidates[other]?.id ?? id) < id)) rank += 1;
    }
    return rank <= pool ? { rank } : {};
  };
  return ({ id, sum, lead, contrast }) => {
    const index = indexes.get(id) ?? -1;
    const candidate = candidates[index];
    if (!candidate) return undefined;
    const { cosine, bm25, rarity, occurrences } = candidate;
    const parts = addendsOf(candidate, mode, stats);
    const dense = { ...(Number.isNaN(cosine) ? {} : { cosine }), ...rankBy(cosines, index, id) };
    const lexical = {
      bm25,
      share: bm25Share(candidate, stats),
      rarity,
      ...rankBy(scores, index, id),
      terms: terms.filter((_, i) => (occurrences[i] ?? 0) > 0),
    };
    const retrievers = { ...(mode !== 'lexical' && { dense }), ...(mode !== 'dense' && { lexical }) };
    return { ...retrievers, parts, sum, lead, ...(mode !== 'lexical' && { contrast }) };
  };
}
