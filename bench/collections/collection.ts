import type { Question } from 'waymark/evaluation';

/** Documents with graded judgements: which of them answer a query, and how well. */
export interface DocumentCollection {
  readonly format: 'documents';
  readonly name: string;
  readonly documents: readonly Document[];
  /** Those that are judged. */
  readonly queries: readonly DocumentQuery[];
}

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface DocumentQuery {
  readonly id: string;
  readonly text: string;
  /** Document id to relevance; above 0 is relevant. */
  readonly judgements: ReadonlyMap<string, number>;
}

/** Folders of markdown with the lines that answer each query. */
export interface SpanCollection {
  readonly format: 'spans';
  readonly name: string;
  readonly corpora: readonly Corpus[];
  readonly queries: readonly SpanQuery[];
}

/** Markdown that is indexed together, apart from the other corpora. */
export interface Corpus {
  readonly name: string;
  readonly folder: string;
}

export interface SpanQuery extends Question {
  readonly corpus: string;
}

export type Collection = DocumentCollection | SpanCollection;
