import { evaluateQuestion, type RankedPassage, reciprocalRank } from 'waymark/evaluation';
import type { Collection, DocumentQuery, SpanQuery } from '../support/collections/collection.js';
import { idOf } from '../support/collections/markdown-document.js';
import { documentRecall } from '../support/measures/document-recall.js';
import { ndcg } from '../support/measures/ndcg.js';
import { rankDocuments } from '../support/ranking/rank-documents.js';

/** How well a query was answered. */
export interface EvaluatedQuery {
  readonly id: string;
  readonly corpus: string;
  /** Kind of question; missing if the collection has none. */
  readonly type?: string;
  /** Value by name of the measure; empty for a query without an answer. */
  readonly measures: Readonly<Record<string, number>>;
  /** Score of the first result; missing if nothing was found. */
  readonly topScore?: number;
  /** The first ten results. */
  readonly top: readonly Found[];
}

export type Found =
  | { readonly document: string; readonly score: number }
  | { readonly file: string; readonly startLine: number; readonly endLine: number; readonly score: number };

/** Documents that are ranked per query. */
const DOCUMENTS = 100;

/** Passages that are needed for the measures: of documents, enough to rank 100 of them. */
const DEPTH = { documents: 1000, spans: 10 } as const;

export function depthOf({ format }: Collection): number {
  return DEPTH[format];
}

/** Measures of every query, given the ranked passages by id; 0 for a query without passages. */
export function evaluate(
  collection: Collection,
  answers: ReadonlyMap<string, readonly RankedPassage[]>,
): EvaluatedQuery[] {
  if (collection.format === 'spans') {
    return collection.queries.map((query) => evaluateSpans(query, answers.get(query.id) ?? []));
  }
  const { name: corpus, queries } = collection;
  return queries.map((query) => ({ corpus, ...evaluateDocuments(query, answers.get(query.id) ?? []) }));
}

function evaluateDocuments(
  { id, judgements }: DocumentQuery,
  passages: readonly RankedPassage[],
): Omit<EvaluatedQuery, 'corpus'> {
  // If queries are documents too, a query does not answer itself: `ignore_identical_ids` of BEIR.
  const others = passages.filter(({ file }) => idOf(file) !== id);
  const documents = rankDocuments(others, { idOf, limit: DOCUMENTS });
  const ranking = documents.map((document) => document.id);
  const relevant = ranking.map((document) => (judgements.get(document) ?? 0) > 0);
  const [best] = documents;
  return {
    id,
    measures: {
      'nDCG@10': ndcg(ranking, judgements, { k: 10 }),
      'RR@10': reciprocalRank(relevant, { k: 10 }),
      'Recall@10': documentRecall(ranking, judgements, { k: 10 }),
      'Recall@100': documentRecall(ranking, judgements, { k: 100 }),
    },
    ...(best && { topScore: best.score }),
    top: documents.slice(0, 10).map(({ id, score }) => ({ document: id, score: rounded(score) })),
  };
}

function evaluateSpans(query: SpanQuery, passages: readonly RankedPassage[]): EvaluatedQuery {
  const { id, top, ...result } = evaluateQuestion(query, passages);
  return { id, corpus: query.corpus, ...result, top: top.map((found) => ({ ...found, score: rounded(found.score) })) };
}

function rounded(score: number): number {
  return Math.round(score * 1e5) / 1e5;
}
