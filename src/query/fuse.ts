import type { Mode } from '../contract/search-files.js';

/** What both sides know of a passage. */
export interface Evidence {
  /** Cosine of query and passage; NaN for a passage whose embedding is not there yet. */
  readonly cosine: number;
  /** BM25 score; 0 where the passage has none of the query's terms. */
  readonly bm25: number;
  /** What BM25 could be at most for this query; 0 for one without terms. */
  readonly ceiling: number;
}

/** Share of the dense side in the sum; tuned by cross-validation, see ARCHITECTURE.md. */
const DENSE = 0.5;

/** Cosines of bge-small: nothing to do with the query, and as near as an answer gets. */
const UNRELATED = 0.4;
const NEAREST = 0.9;

/**
 * A score in 0..1 on a fixed scale: a convex combination (Bruch, Gai, Ingber, arXiv 2210.11934) of the cosine and of the
 * share of the attainable BM25, neither of them rescaled by what else the query finds.
 */
export function fuse({ cosine, bm25, ceiling }: Evidence, mode: Mode): number {
  const dense = Number.isNaN(cosine) ? 0 : Math.min(1, Math.max(0, (cosine - UNRELATED) / (NEAREST - UNRELATED)));
  const lexical = ceiling > 0 ? Math.min(1, bm25 / ceiling) : 0;
  if (mode === 'dense') return dense;
  if (mode === 'lexical') return lexical;
  return DENSE * dense + (1 - DENSE) * lexical;
}
