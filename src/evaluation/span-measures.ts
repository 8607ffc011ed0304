import { reciprocalRank } from './reciprocal-rank.js';
import { type Answer, combineSpans, type Lines, lineCount, sharedLines } from './span.js';

interface Cutoff {
  /** Number of passages that count, from the first. */
  readonly k: number;
}

/**
 * RR@k of passages, 0..1: one over the rank of the first that shares a line with any of the spans, or 0 if none of the
 * first k does. Voorhees 1999, with passages in place of documents.
 */
export function spanReciprocalRank(
  passages: readonly Lines[],
  { spans }: Pick<Answer, 'spans'>,
  cutoff: Cutoff,
): number {
  return reciprocalRank(
    passages.map((passage) => spans.some((span) => sharedLines(passage, span) > 0)),
    cutoff,
  );
}

/**
 * Recall@k of passages, 0..1. A span is found if one of the first k passages shares a line with it. If all spans are
 * wanted, the share of them that is found; if any will do, 1 if one is found. `R@k` and `Success@k` of ir_measures,
 * with spans in place of documents.
 */
export function spanRecall(passages: readonly Lines[], answer: Answer, { k }: Cutoff): number {
  const first = passages.slice(0, k);
  return combineSpans(answer, (span) => (first.some((passage) => sharedLines(passage, span) > 0) ? 1 : 0));
}

/**
 * IoU@k of passages, 0..1: how exactly one of the first k passages covers a span. For a passage and a span, the lines
 * in both over the lines in either; for a span, the greatest over the first k passages; for a query, the greatest over
 * its spans, or their mean if all are wanted. Passages are not joined: two that each cover half a span give about a
 * half. Jaccard 1912, "The distribution of the flora in the alpine zone"; applied to spans as in Smith & Troynikov
 * 2024, "Evaluating Chunking Strategies for Retrieval", which counts tokens.
 */
export function spanIou(passages: readonly Lines[], answer: Answer, { k }: Cutoff): number {
  const first = passages.slice(0, k);
  return combineSpans(answer, (span) => Math.max(0, ...first.map((passage) => jaccard(passage, span))));
}

/** Mean number of lines of the first k passages, which a person has to read; 0 if there are none. */
export function meanLines(passages: readonly Lines[], { k }: Cutoff): number {
  const first = passages.slice(0, k);
  return first.length === 0 ? 0 : first.reduce((sum, passage) => sum + lineCount(passage), 0) / first.length;
}

function jaccard(a: Lines, b: Lines): number {
  const both = sharedLines(a, b);
  return both / (lineCount(a) + lineCount(b) - both);
}
