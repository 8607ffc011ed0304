import type { Question } from 'waymark/evaluation';

/** Documents with graded judgements of how well they answer each query. */
export interface DocumentCollection {
  readonly format: 'documents';
  readonly name: string;
  readonly documents: readonly Document[];
  /** Queries with judgements. */
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
  /** Relevance by id of the document; above 0 is relevant. */
  readonly judgements: ReadonlyMap<string, number>;
}

/** Folders of markdown with the lines that answer each query. */
export interface SpanCollection {
  readonly format: 'spans';
  readonly name: string;
  readonly corpora: readonly Corpus[];
  readonly queries: readonly SpanQuery[];
}

/** A folder of markdown with an index of its own. */
export interface Corpus {
  readonly name: string;
  readonly folder: string;
}

export interface SpanQuery extends Question {
  readonly corpus: string;
}

export type Collection = DocumentCollection | SpanCollection;
