import type { Question } from './questions.js';
import type { Lines } from './span.js';
import { meanLines, spanIou } from './span-iou.js';
import { spanRecall, spanReciprocalRank } from './span-rank.js';

/** How a question was answered. */
export interface QuestionResult {
  readonly id: string;
  /** Kind of question. */
  readonly type: string;
  /** By the measure's name; none for a question that has no answer. */
  readonly measures: Readonly<Record<string, number>>;
  /** Score of the best passage; missing where there was none. */
  readonly topScore?: number;
  /** The best ten. */
  readonly top: readonly (Lines & { readonly score: number })[];
}

/**
 * Measures of the first ten passages, best first: `RR@10`, `Recall@5`, `IoU@1`, `IoU@5`, each 0..1, and `lines@10`, their
 * mean length. Without any passage all are zero.
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
