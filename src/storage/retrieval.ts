import type { TagFilter } from '../domain/filters/tag-filter.js';
import type { FileSummary, Passage, Subtype } from '../domain/passage.js';

/** A query for the lexical retriever, as `queryTerms` makes it. */
export interface LexicalQuery {
  /** Distinct terms, in order. Stop words are dropped, unless the query has nothing else. */
  readonly terms: readonly string[];
  /** Quoted terms, which must follow each other. */
  readonly phrases: readonly (readonly string[])[];
}

/** The query of a search to a store. */
export interface Retrieval {
  /**
   * The query's embedding; missing if only the lexical retriever runs. A promise, because another process computes it:
   * meanwhile, the store may read its postings.
   */
  readonly embedding?: Promise<Float32Array> | undefined;
  /** Missing if only the dense retriever runs. */
  readonly lexical?: LexicalQuery | undefined;
  readonly tags?: TagFilter | undefined;
  /** Files, folders and globs that keys must match one of, see `pathFilter`. An empty list is no condition. */
  readonly paths?: readonly string[] | undefined;
  /** The number of candidates of each retriever. */
  readonly limit: number;
}

/** A passage that a retriever found. */
export interface Candidate {
  /** Identifies the passage in the store; `read` accepts it. */
  readonly id: number;
  /** Cosine of the query and the passage, -1 to 1; NaN if either has no embedding. */
  readonly cosine: number;
  /**
   * How often each term of the query, then each phrase, occurs in the passage; 0 for a term that is too common to be
   * scored. An occurrence in the breadcrumb counts `BREADCRUMB_WEIGHT` times, one in the name or description of the
   * file `FILE_WEIGHT` times; a phrase is counted once in the breadcrumb and once in the text.
   */
  readonly occurrences: ArrayLike<number>;
  /** Length of breadcrumb and text in terms. */
  readonly terms: number;
  /** Length of the readable text in characters. */
  readonly characters: number;
  readonly subtype: Subtype;
}

/** The collection as the query sees it. Filters do not change it. */
export interface CollectionStatistics {
  readonly passages: number;
  /** Mean length of a passage in terms. */
  readonly meanTerms: number;
  /**
   * The number of passages that contain each term of the query, then each phrase. Counting may stop above
   * `POSTING_BUDGET`.
   */
  readonly frequencies: readonly number[];
}

/** The candidates of both retrievers, in no particular order, with the statistics to score them by. */
export interface Retrieved {
  readonly candidates: readonly Candidate[];
  readonly statistics: CollectionStatistics;
  /** Whether the filter left out any passage of the collection. */
  readonly isFiltered: boolean;
}

/** A candidate with the sum that it is ranked by. */
export interface RankedCandidate {
  readonly id: number;
  /** Higher is better. */
  readonly sum: number;
}

/** Consecutive passages of a file. */
export interface Window {
  /**
   * The file's text from the first passage up to the passage after the last one; to the end of the last one if none
   * follows.
   */
  readonly text: string;
  readonly passages: readonly Passage[];
}

/** The passages that `read` found. */
export interface ReadResult {
  /** Best first. */
  readonly passages: readonly ReadPassage[];
  /**
   * How many of the ranked candidates searches no longer find: since they were retrieved, their file changed, expired
   * or got a new content, which is not indexed yet.
   */
  readonly missing: number;
}

/** A passage as `read` returns it. */
export interface ReadPassage extends RankedCandidate {
  readonly passage: Passage;
  readonly file: FileSummary;
  /** The passage with its neighbours. */
  readonly window: Window;
}
