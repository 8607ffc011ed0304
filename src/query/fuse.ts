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
  /** The passage's length in characters. */
  readonly length: number;
  readonly subtype: Subtype;
}

/** Weight of the share of the attainable BM25, beside a cosine of weight 1. */
const LEXICAL = 0.5;

/** Weight of the logarithm of the length: a line that is near the query in words seldom answers it. */
const LENGTH = 0.035;
const SHORT = 20;

/** Taken off what is no prose: tables, lists and code repeat the words of what they illustrate. */
const NO_PROSE = 0.02;

/** Of a passage without an embedding: what has nothing to do with the query has about this cosine with bge-small. */
const UNKNOWN = 0.4;

/**
 * Where the score is one half, and how steep it is there: set by hand for bge-small, not calibrated yet.
 * The order does not depend on them.
 */
const MIDDLE = 1.05;
const SLOPE = 14;

/**
 * How well a passage answers, higher is better. `dense`: the cosine. `lexical`: the share of the attainable BM25, 0..1.
 * `hybrid`: both in a convex combination (Bruch, Gai, Ingber, arXiv 2210.11934) with two priors on the passage, through
 * a logistic function to 0..1. Nothing is rescaled by what else a query finds.
 */
export function fuse({ cosine, bm25, ceiling, length, subtype }: Evidence, mode: Mode): number {
  if (mode === 'dense') return cosine;
  const lexical = ceiling > 0 ? Math.min(1, bm25 / ceiling) : 0;
  if (mode === 'lexical') return lexical;
  const prior = LENGTH * Math.log(length + SHORT) - (subtype === 'paragraph' ? 0 : NO_PROSE);
  const sum = (Number.isNaN(cosine) ? UNKNOWN : cosine) + LEXICAL * lexical + prior;
  return 1 / (1 + Math.exp(-SLOPE * (sum - MIDDLE)));
}
