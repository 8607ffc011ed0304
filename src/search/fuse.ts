import type { Mode } from '../contract/fields/query.js';
import type { Addends, Subtype } from '../domain/passage.js';
import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { Candidate } from '../storage/retrieval.js';

/** What is known about a passage and a query. */
export interface Features {
  /** Cosine of query and passage; NaN if the passage is not embedded yet. */
  readonly cosine: number;
  /** 0 for a passage with none of the query's terms. */
  readonly bm25: number;
  /** Rarity of the rarest term of the query in the passage, 0 to 1. */
  readonly rarity: number;
  /** Length of the readable text in characters. */
  readonly characters: number;
  readonly subtype: Subtype;
}

/** A candidate with its features. */
export type ScoredCandidate = Candidate & Features;

/** What is known about a query, independent of the passage. */
export interface QueryStats {
  /** The BM25 that no passage can exceed; 0 for a query without terms. */
  readonly ceiling: number;
  /** The similarity scale of the model; undefined if cosines are not used. */
  readonly scale: SimilarityScale | undefined;
}

// All weights were tuned on the development questions only: docs/ranking.md.

/** Weight of the lexical addend, the share of the attainable BM25. The dense addend has weight 1. */
const LEXICAL = 3;

/** A share of the attainable BM25 that many passages reach by chance. */
const NOISE = 0.1;

/** Factor for a match of a term that every passage has; it is 1 for a term that only a single passage has. */
const COMMON = 0.2;

/** Weight of the logarithm of the length: a line that resembles the query seldom answers it. */
const LENGTH = 0.13;
const LENGTH_OFFSET = 20;

/** Subtracted from everything but prose: tables, lists and code repeat the words of what they illustrate. */
const NOT_PROSE = 0.13;

/** The addends of a passage's sum. None depends on the other candidates. */
export function addendsOf(features: Features, mode: Mode, stats: QueryStats): Addends {
  const share = bm25Share(features, stats);
  if (mode === 'lexical') return { lexical: share };
  const dense = Number.isNaN(features.cosine) ? 0 : onScale(features.cosine, stats);
  if (mode === 'dense') return { dense };
  return {
    dense,
    lexical: LEXICAL * (COMMON + (1 - COMMON) * features.rarity) * Math.max(0, share - NOISE),
    length: LENGTH * Math.log(features.characters + LENGTH_OFFSET),
    prose: features.subtype === 'paragraph' ? 0 : -NOT_PROSE,
  };
}

/** BM25 as a share of the attainable, 0 to 1. */
export function bm25Share({ bm25 }: Pick<Features, 'bm25'>, { ceiling }: Pick<QueryStats, 'ceiling'>): number {
  return ceiling > 0 ? bm25 / ceiling : 0;
}

/** The sum that passages are ranked by. */
export function sumOf({ dense = 0, lexical = 0, length = 0, prose = 0 }: Addends): number {
  return dense + lexical + length + prose;
}

/** A cosine on the model's scale: 0 for unrelated texts, 1 for an answer. */
export function onScale(cosine: number, { scale }: Pick<QueryStats, 'scale'>): number {
  return scale ? (cosine - scale.unrelated) / (scale.related - scale.unrelated) : 0;
}
