import type { Mode } from '../contract/search-files.js';
import type { Subtype } from '../passage.js';

/** What is known of a passage and a query. */
export interface Evidence {
  /** Cosine of query and passage; NaN for a passage whose embedding is not there yet. */
  readonly cosine: number;
  /** BM25 score; 0 where the passage has none of the query's terms. */
  readonly bm25: number;
  /** What BM25 could be at most for this query; 0 for one without terms. */
  readonly ceiling: number;
  /** Characters of the passage's readable text. */
  readonly length: number;
  readonly subtype: Subtype;
}

/** Weight of the share of the attainable BM25, beside a cosine of weight 1. */
const LEXICAL = 0.5;

/** Weight of the logarithm of the length: a line that is near the query in words seldom answers it. */
const LENGTH = 0.03;
const SHORT = 20;

/** Taken off what is no prose: tables, lists and code repeat the words of what they illustrate. */
const NO_PROSE = 0.03;

/** Of a passage without an embedding: what has nothing to do with the query has about this cosine with bge-small. */
const UNKNOWN = 0.4;

/**
 * What speaks for a passage, as addends by name; their sum orders passages. `dense`: the cosine. `lexical`: the share of
 * the attainable BM25, 0..1. `hybrid`: both in a convex combination (Bruch, Gai, Ingber, arXiv 2210.11934) with
 * two priors on the passage. Nothing is rescaled by what else a query finds.
 */
export function partsOf({ cosine, length, subtype, ...words }: Evidence, mode: Mode): Record<string, number> {
  const known = Number.isNaN(cosine) ? UNKNOWN : cosine;
  if (mode === 'dense') return { dense: known };
  const lexical = shareOf(words);
  if (mode === 'lexical') return { lexical };
  return {
    dense: known,
    lexical: LEXICAL * lexical,
    length: LENGTH * Math.log(length + SHORT),
    prose: subtype === 'paragraph' ? 0 : -NO_PROSE,
  };
}

/** BM25 as a share of what a query could reach at most, 0..1. */
export function shareOf({ bm25, ceiling }: Pick<Evidence, 'bm25' | 'ceiling'>): number {
  return ceiling > 0 ? Math.min(1, bm25 / ceiling) : 0;
}

export function sumOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}
