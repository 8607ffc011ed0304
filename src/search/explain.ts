import type { Mode } from '../contract/fields/query.js';
import type { Explanation } from '../domain/passage.js';
import { queryTerms } from '../text/query-terms.js';
import { addendsOf, bm25Share, type QueryStats, type ScoredCandidate } from './fuse.js';
import type { Ranked } from './rank.js';

/** Explanations of the scores of ranked candidates, by id. Ranks beyond `pool` are left out. */
export function explain(
  query: string,
  {
    candidates,
    stats,
    mode,
    ranked,
    pool,
  }: {
    candidates: readonly ScoredCandidate[];
    stats: QueryStats;
    mode: Mode;
    ranked: readonly Ranked[];
    pool: number;
  },
): Map<number, Explanation> {
  const { terms } = queryTerms(query);
  const denseRanks = ranksBy(({ cosine }) => cosine, { candidates, pool });
  const lexicalRanks = ranksBy(({ bm25 }) => (bm25 > 0 ? bm25 : Number.NaN), { candidates, pool });
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  return new Map(
    ranked.flatMap(({ id, sum, lead, contrast }) => {
      const candidate = byId.get(id);
      if (!candidate) return [];
      const { cosine, bm25, rarity, occurrences } = candidate;
      const parts = addendsOf(candidate, mode, stats);
      const dense = { ...(Number.isNaN(cosine) ? {} : { cosine }), ...withRank(denseRanks.get(id)) };
      const lexical = {
        bm25,
        share: bm25Share(candidate, stats),
        rarity,
        ...withRank(lexicalRanks.get(id)),
        terms: terms.filter((_, i) => (occurrences[i] ?? 0) > 0),
      };
      const retrievers = { ...(mode !== 'lexical' && { dense }), ...(mode !== 'dense' && { lexical }) };
      return [[id, { ...retrievers, parts, sum, lead, ...(mode !== 'lexical' && { contrast }) }] as const];
    }),
  );
}

/** Ranks from 1, by descending value; none for NaN. */
function ranksBy(
  value: (candidate: ScoredCandidate) => number,
  { candidates, pool }: { candidates: readonly ScoredCandidate[]; pool: number },
): Map<number, number> {
  const ranked = candidates
    .map((candidate) => ({ id: candidate.id, value: value(candidate) }))
    .filter((one) => !Number.isNaN(one.value))
    .sort((a, b) => b.value - a.value || a.id - b.id);
  return new Map(ranked.slice(0, pool).map(({ id }, i) => [id, i + 1]));
}

function withRank(place: number | undefined): { rank?: number } {
  return place === undefined ? {} : { rank: place };
}
