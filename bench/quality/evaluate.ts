import { evaluateQuestion, type RankedPassage, reciprocalRank } from 'waymark/evaluation';
import type { Collection, DocumentQuery, SpanQuery } from '../collections/collection.js';
import { idOf } from '../collections/markdown-document.js';
import { ndcg } from '../measures/ndcg.js';
import { recall } from '../measures/recall.js';
import { rankDocuments } from '../ranking/documents.js';

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
  const relevant = ranking.map((document) => (judgements.get(document) ?? 0) > 0);
  const [best] = documents;
  return {
    id,
    measures: {
      'nDCG@10': ndcg(ranking, judgements, { k: 10 }),
      'RR@10': reciprocalRank(relevant, { k: 10 }),
      'Recall@10': recall(ranking, judgements, { k: 10 }),
      'Recall@100': recall(ranking, judgements, { k: 100 }),
    },
    ...(best && { topScore: best.score }),
    top: documents.slice(0, 10).map(({ id, score }) => ({ document: id, score: rounded(score) })),
  };
}

function evaluateSpans(query: SpanQuery, passages: readonly RankedPassage[]): QueryResult {
  const { id, top, ...result } = evaluateQuestion(query, passages);
  return { id, corpus: query.corpus, ...result, top: top.map((found) => ({ ...found, score: rounded(found.score) })) };
}

function rounded(score: number): number {
  return Math.round(score * 1e5) / 1e5;
}
