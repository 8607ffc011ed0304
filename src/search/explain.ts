import type { Mode } from '../contract/search-files.js';
import type { Explanation } from '../domain/passage.js';
import type { PassageStore } from '../storage/passage-store.js';
import { queryTerms } from '../text/query-terms.js';
import type { Candidate } from './candidates.js';
import { type Background, partsOf, shareOf, sumOf } from './fuse.js';

/** How candidates came to their sums, by number. */
export async function explain(
  query: string,
  {
    candidates,
    background,
    store,
    mode,
  }: { candidates: readonly Candidate[]; background: Background; store: PassageStore; mode: Mode },
): Promise<Map<number, Explanation>> {
  const numbers = candidates.map(({ number }) => number);
  const terms = mode === 'dense' ? [] : await store.termsIn(queryTerms(query).terms, numbers);
  return new Map(
    candidates.map((candidate, i) => {
      const { number, cosine, denseRank, bm25, lexicalRank } = candidate;
      const parts = partsOf(candidate, mode, background);
      const dense = {
        ...(Number.isNaN(cosine) ? {} : { cosine }),
        ...(denseRank !== undefined && { rank: denseRank }),
      };
      const lexical = {
        bm25,
        share: shareOf(candidate, background),
        ...(lexicalRank !== undefined && { rank: lexicalRank }),
        terms: terms[i] ?? [],
      };
      const sides = { ...(mode !== 'lexical' && { dense }), ...(mode !== 'dense' && { lexical }) };
      return [number, { ...sides, parts, sum: sumOf(parts) }];
    }),
  );
}
