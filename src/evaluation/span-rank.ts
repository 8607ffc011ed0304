import { reciprocalRank } from './reciprocal-rank.js';
import { type Answer, combine, type Lines, sharedLines } from './span.js';

/**
 * RR@k of ranked passages, 0..1: one over the rank of the first that shares a line with any of the spans, 0 where none
 * of the first k does. Voorhees 1999, with a passage in the place of a document.
 */
export function spanReciprocalRank(
  passages: readonly Lines[],
  { spans }: Pick<Answer, 'spans'>,
  { k }: { readonly k: number },
): number {
  return reciprocalRank(
    passages.map((passage) => spans.some((span) => sharedLines(passage, span) > 0)),
    { k },
  );
}

/**
 * Recall@k of ranked passages, 0..1. A span is found where one of the first k passages shares a line with it. Where all
 * are wanted: how many of them are found; where any suffices: 1 if one is (also called success@k). As `R@k` and
 * `Success@k` of ir_measures, with spans in the place of documents.
 */
export function spanRecall(passages: readonly Lines[], answer: Answer, { k }: { readonly k: number }): number {
  const first = passages.slice(0, k);
  return combine(answer, (span) => (first.some((passage) => sharedLines(passage, span) > 0) ? 1 : 0));
}
