import type { Collection, DocumentQuery, SpanQuery } from '../collections/collection.js';
import { idOf } from '../collections/markdown-document.js';
import { ndcg } from '../measures/ndcg.js';
import { recall } from '../measures/recall.js';
import { reciprocalRank } from '../measures/reciprocal-rank.js';
import { meanLines, spanIou } from '../measures/span-iou.js';
import { spanRecall, spanReciprocalRank } from '../measures/span-rank.js';
import { rankDocuments } from '../ranking/documents.js';
import type { RankedPassage } from '../ranking/run.js';

/** How one query was answered. */
export interface QueryResult {
  readonly id: string;
  readonly corpus: string;
  /** Kind of question; missing where the collection knows none. */
  readonly type?: string;
  /** By the measure's name; none for a query that has no answer. */
  readonly measures: Readonly<Record<string, number>>;
  /** Score of the best result; missing where there was none. */
  readonly topScore?: number;
  /** The best ten. */
  readonly top: readonly Found[];
}

export type Found =
  | { readonly document: string; readonly score: number }
  | { readonly file: string; readonly startLine: number; readonly endLine: number; readonly score: number };

/** Ranked passages by query id; a query that is not there was missed. */
export type Answers = ReadonlyMap<string, readonly RankedPassage[]>;

/** Documents that are ranked for each query, out of so many passages. */
const DOCUMENTS = 100;
const DEPTH = { documents: 1000, spans: 10 } as const;

/** Passages that have to be ranked for a collection's measures. */
export function depthOf({ format }: Collection): number {
  return DEPTH[format];
}

/** Every query's measures; one that was missed counts as zero. */
export function evaluate(collection: Collection, answers: Answers): QueryResult[] {
  if (collection.format === 'spans') {
    return collection.queries.map((query) => evaluateSpans(query, answers.get(query.id) ?? []));
  }
  const { name: corpus, queries } = collection;
  return queries.map((query) => ({ corpus, ...evaluateDocuments(query, answers.get(query.id) ?? []) }));
}

function evaluateDocuments(
  { id, judgements }: DocumentQuery,
  passages: readonly RankedPassage[],
): Omit<QueryResult, 'corpus'> {
  // Where queries are documents too, a query's own text is no answer: BEIR leaves it out (`ignore_identical_ids`).
  const others = passages.filter(({ file }) => idOf(file) !== id);
  const documents = rankDocuments(others, { idOf, limit: DOCUMENTS });
  const ranking = documents.map((document) => document.id);
  return {
    id,
    measures: {
      'nDCG@10': ndcg(ranking, judgements, { k: 10 }),
      'RR@10': reciprocalRank(ranking, judgements, { k: 10 }),
      'Recall@10': recall(ranking, judgements, { k: 10 }),
      'Recall@100': recall(ranking, judgements, { k: 100 }),
    },
    ...topScoreOf(documents),
    top: documents.slice(0, 10).map(({ id, score }) => ({ document: id, score: rounded(score) })),
  };
}

function evaluateSpans({ id, corpus, type, spans }: SpanQuery, passages: readonly RankedPassage[]): QueryResult {
  const answer = { spans, wanted: type === 'multi' ? 'all' : 'any' } as const;
  return {
    id,
    corpus,
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
    ...topScoreOf(passages),
    top: passages
      .slice(0, 10)
      .map(({ file, startLine, endLine, score }) => ({ file, startLine, endLine, score: rounded(score) })),
  };
}

function topScoreOf([best]: readonly { score: number }[]): { topScore?: number } {
  return best ? { topScore: best.score } : {};
}

function rounded(score: number): number {
  return Math.round(score * 1e5) / 1e5;
}
