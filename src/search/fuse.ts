import type { Mode } from '../contract/search-files.js';
import type { Subtype } from '../domain/passage.js';
import type { SimilarityScale } from '../embed/embedder.js';

/** What is known of a passage and a query. */
export interface Evidence {
  /** Cosine of query and passage; NaN for a passage whose embedding is not there yet. */
  readonly cosine: number;
  /** BM25 score; 0 where the passage has none of the query's terms. */
  readonly bm25: number;
  /** Characters of the passage's readable text. */
  readonly length: number;
  readonly subtype: Subtype;
}

/** What is known of a query, whatever the passage. */
export interface Background {
  /** What BM25 could be at most; 0 for a query without terms. */
  readonly ceiling: number;
  /** What the model's cosines are worth; undefined where they do not count. */
  readonly scale: SimilarityScale | undefined;
  /** Mean cosine of the query and all embedded passages, and how many there are. */
  readonly similarity: { readonly mean: number; readonly count: number };
}

/** Weight of the share of the attainable BM25, beside a dense part of weight 1: an answer has 1, an unrelated text 0. */
const LEXICAL = 2.2;

/** Weight of the logarithm of the length: a line that is near the query in words seldom answers it. */
const LENGTH = 0.13;
const SHORT = 20;

/** Taken off what is no prose: tables, lists and code repeat the words of what they illustrate. */
const NO_PROSE = 0.13;

/** Taken off for how near the query is to everything: who asks vaguely is near to much that does not answer. */
const VAGUE = 1.5;

/** That nearness in most documentation, and the number of passages from which on the index's own counts more. */
const USUAL = 0.28;
const FEW = 32;

/**
 * What speaks for a passage, as addends by name; their sum orders passages. `dense`: the cosine, 0 for the unrelated and
 * 1 for an answer. `lexical`: the share of the attainable BM25, 0..1. `hybrid`: both in a convex combination (Bruch, Gai,
 * Ingber, arXiv 2210.11934) with two priors on the passage. Nothing is rescaled by what else a query finds.
 */
export function partsOf(evidence: Evidence, mode: Mode, background: Background): Record<string, number> {
  const share = shareOf(evidence, background);
  if (mode === 'lexical') return { lexical: share };
  const dense = Number.isNaN(evidence.cosine) ? 0 : onScale(evidence.cosine, background);
  const vague = -VAGUE * vaguenessOf(background);
  if (mode === 'dense') return { dense, vague };
  return {
    dense,
    lexical: LEXICAL * share,
    length: LENGTH * Math.log(evidence.length + SHORT),
    prose: evidence.subtype === 'paragraph' ? 0 : -NO_PROSE,
    vague,
  };
}

/** BM25 as a share of what a query could reach at most, 0..1. */
export function shareOf({ bm25 }: Pick<Evidence, 'bm25'>, { ceiling }: Pick<Background, 'ceiling'>): number {
  return ceiling > 0 ? Math.min(1, bm25 / ceiling) : 0;
}

export function sumOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

function onScale(cosine: number, { scale }: Background): number {
  return scale ? (cosine - scale.unrelated) / (scale.related - scale.unrelated) : 0;
}

/**
 * How near the query is to everything, 0 for one that is far: that is no merit of what is found. A small index tells
 * little of it, so its mean is drawn to the usual one.
 */
function vaguenessOf(background: Background): number {
  const { mean, count } = background.similarity;
  const own = count > 0 ? onScale(mean, background) : 0;
  return Math.max(0, (count * own + FEW * USUAL) / (count + FEW));
}
