import type { Candidate, CollectionStatistics, LexicalQuery } from '../storage/retrieval.js';
import { bm25, bm25Ceiling, chooseTerms, inverseFrequency } from '../text/bm25.js';

/** BM25 for the words of one query. */
export interface LexicalScorer {
  /** The BM25 that no passage can exceed; 0 for a query without terms. */
  readonly ceiling: number;
  /** 0 for a passage with none of the scored terms, or without a quoted phrase. */
  score(candidate: Pick<Candidate, 'occurrences' | 'terms'>): number;
}

/** The scorer of a query, from the statistics that its candidates came with. */
export function lexicalScorer({ terms }: LexicalQuery, statistics: CollectionStatistics): LexicalScorer {
  const { frequencies, passages, meanTerms } = statistics;
  const termFrequencies = frequencies.slice(0, terms.length);
  // A phrase that occurs nowhere counts only as its words.
  const required = [...frequencies.keys()].filter((i) => i >= terms.length && frequencies[i] !== 0);
  const scored = [...required, ...chooseTerms(termFrequencies, passages)].map((index) => ({
    index,
    weight: inverseFrequency(frequencies[index] ?? 0, passages),
  }));
  return {
    ceiling: bm25Ceiling(termFrequencies, passages),
    score({ occurrences, terms: length }) {
      if (required.some((index) => occurrences[index] === 0)) return 0;
      let sum = 0;
      for (const { index, weight } of scored) {
        sum += bm25(occurrences[index] ?? 0, { weight, terms: length, meanTerms });
      }
      return sum;
    },
  };
}
