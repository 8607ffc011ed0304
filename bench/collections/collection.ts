import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../usage-error.js';
import { isBeir, loadDocuments } from './beir.js';
import { loadSpans } from './spans.js';

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

export interface SpanQuery {
  readonly id: string;
  readonly corpus: string;
  /** Kind of question: `multi` wants all spans, the others any one, `unanswerable` has none. */
  readonly type: string;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Lines of a file, from 1, both inclusive. */
export interface Span {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
}

export type Collection = DocumentCollection | SpanCollection;

/** A collection in either format, recognised by its files. Throws `UsageError`. */
export function loadCollection(folder: string): Collection {
  const absolute = path.resolve(folder);
  if (!statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`No folder at ${absolute}: give the folder of a collection.`);
  }
  if (!existsSync(path.join(absolute, 'queries.jsonl'))) {
    throw new UsageError(
      `${absolute} is no collection: it needs queries.jsonl, with corpus.jsonl and qrels.tsv or with markdown beside it.`,
    );
  }
  const collection = isBeir(absolute) ? loadDocuments(absolute) : loadSpans(absolute);
  const ids = new Set(collection.queries.map(({ id }) => id));
  if (ids.size === 0) throw new UsageError(`${absolute} has no query to ask.`);
  if (ids.size < collection.queries.length) throw new UsageError(`${absolute} has two queries of one id.`);
  return collection;
}
