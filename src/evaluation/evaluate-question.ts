import type { Question } from './questions.js';
import type { Lines } from './span.js';
import { meanLines, spanIou, spanRecall, spanReciprocalRank } from './span-measures.js';

/** How well a question was answered. */
export interface QuestionResult {
  readonly id: string;
  /** Kind of question. */
  readonly type: string;
  /** Value by name of the measure; empty for a question without an answer. */
  readonly measures: Readonly<Record<string, number>>;
  /** Score of the first passage; missing if nothing was found. */
  readonly topScore?: number;
  /** The first ten passages, best first. */
  readonly top: readonly (Lines & { readonly score: number })[];
}

/**
 * Measures of the passages found for a question, best first: `RR@10`, `Recall@5`, `IoU@1` and `IoU@5`, each 0..1, and
 * `lines@10`, the mean number of lines. All are 0 if nothing was found.
 */
export function evaluateQuestion(
  { id, type, spans }: Question,
  passages: readonly (Lines & { readonly score: number })[],
): QuestionResult {
  const answer = { spans, wanted: type === 'multi' ? 'all' : 'any' } as const;
  const [best] = passages;
  return {
    id,
    type,
    measures:
      spans.length === 0
        ? {}
        : {
            'RR@10': spanReciprocalRank(passages, answer, { k: 10 }),
            'Recall@5': spanRecall(passages, answer, { k: 5 }),
            'IoU@1': spanIou(passages, answer, { k: 1 }),
            'IoU@5': spanIou(passages, answer, { k: 5 }),
            'lines@10': meanLines(passages, { k: 10 }),
          },
    ...(best && { topScore: best.score }),
    top: passages.slice(0, 10).map(({ file, startLine, endLine, score }) => ({ file, startLine, endLine, score })),
  };
}
