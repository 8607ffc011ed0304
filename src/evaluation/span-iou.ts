import { type Answer, combine, type Lines, lengthOf, sharedLines } from './span.js';

/**
 * IoU@k of ranked passages, 0..1: how exactly the best of the first k passages covers a span. Of a passage and a span
 * it is the number of lines in both over the number of lines in either; of a span the greatest over the first k
 * passages; of a query the greatest over its spans, or their mean where all are wanted. Passages are not joined: two
 * that cover a span half each give about a half. Jaccard 1912, "The distribution of the flora in the alpine zone"; on
 * spans of answers as in Smith & Troynikov 2024, "Evaluating Chunking Strategies for Retrieval", there on tokens.
 */
export function spanIou(passages: readonly Lines[], answer: Answer, { k }: { readonly k: number }): number {
  const first = passages.slice(0, k);
  return combine(answer, (span) => Math.max(0, ...first.map((passage) => jaccard(passage, span))));
}

function jaccard(a: Lines, b: Lines): number {
  const both = sharedLines(a, b);
  return both / (lengthOf(a) + lengthOf(b) - both);
}

/** Mean number of lines of the first k passages, what a person has to read; 0 where there are none. */
export function meanLines(passages: readonly Lines[], { k }: { readonly k: number }): number {
  const first = passages.slice(0, k);
  return first.length === 0 ? 0 : first.reduce((sum, passage) => sum + lengthOf(passage), 0) / first.length;
}
