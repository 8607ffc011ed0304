import type { Candidate, CollectionStatistics, LexicalQuery } from '../storage/retrieval.js';
import { bm25, bm25Ceiling, chooseTerms, inverseFrequency } from '../text/bm25.js';

/** How well a passage matches the words of a query. */
export interface LexicalMatch {
  /** 0 for a passage with none of the scored terms, or without a quoted phrase. */
  readonly bm25: number;
  /** Rarity of the rarest scored term in the passage, 0 to 1; 1 for one that a single passage has. */
  readonly rarity: number;
}

/** Matches passages with the words of one query. */
export interface LexicalScorer {
  /** The BM25 that no passage can exceed; 0 for a query without terms. */
  readonly ceiling: number;
  match(candidate: Pick<Candidate, 'occurrences' | 'terms'>): LexicalMatch;
}

/** The match of a passage without any term of the query, or of a query without terms. */
export const NO_MATCH: LexicalMatch = { bm25: 0, rarity: 0 };

/** The scorer of a query, from the statistics that its candidates came with. */
export function lexicalScorer({ terms }: LexicalQuery, statistics: CollectionStatistics): LexicalScorer {
  const { frequencies, passages, meanTerms } = statistics;
  const termFrequencies = frequencies.slice(0, terms.length);
  // A phrase that occurs nowhere is not required: only its words count.
  const required = [...frequencies.keys()].filter((i) => i >= terms.length && frequencies[i] !== 0);
  const scored = [...required, ...chooseTerms(termFrequencies, passages)].map((index) => ({
    index,
    weight: inverseFrequency(frequencies[index] ?? 0, passages),
  }));
  const greatest = inverseFrequency(1, passages);
  return {
    ceiling: bm25Ceiling([...termFrequencies, ...required.map((index) => frequencies[index] ?? 0)], passages),
    match({ occurrences, terms: length }) {
      if (required.some((index) => occurrences[index] === 0)) return NO_MATCH;
      let [sum, rarest] = [0, 0];
      for (const { index, weight } of scored) {
        const count = occurrences[index] ?? 0;
        if (count === 0) continue;
        sum += bm25(count, { weight, terms: length, meanTerms });
        rarest = Math.max(rarest, weight);
      }
      return { bm25: sum, rarity: rarest / greatest };
    },
  };
}
