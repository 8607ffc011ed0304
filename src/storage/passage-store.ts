import type { FileSummary, Metadata, Neighbour, Passage, Position, Subtype, Tags } from '../domain/passage.js';

/**
 * Conditions on a file's tags; all must hold. A string or one of several must be the tag's value; with `not`, must not
 * be it (a file without the tag passes). An empty list is no condition.
 */
export type TagFilter = Readonly<
  Record<string, string | readonly string[] | { readonly not: string | readonly string[] }>
>;

/** What indexing compares with a folder. */
export interface StoredFile {
  readonly id: string;
  readonly key: string;
  /** The indexed folder that the file comes from; null for a text that was given. */
  readonly folder: string | null;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds; null for a text that was given. */
  readonly mtime: number | null;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  /** Everything else that the file's passages depend on: two that differ are passages to be made again. */
  readonly pipeline: string;
  /** Milliseconds: when the bytes were read. */
  readonly indexedAt: number;
}

/** A passage as it is put; its content is the slice of the file's text. */
export interface PassageToPut extends Position {
  readonly breadcrumb: readonly string[];
  readonly subtype: Subtype;
  /** The text to embed. */
  readonly text: string;
  /** Page of the document that a file was made of, from 1; where the caller said so. */
  readonly page?: number | undefined;
  /** Characters of its readable text: without breadcrumb, marks and addresses. */
  readonly length: number;
  /** Terms of the breadcrumb and of the readable text, as `termsOf` gives them, between blanks. */
  readonly postings: { readonly breadcrumb: string; readonly text: string };
}

export interface FileToPut extends Omit<StoredFile, 'id'> {
  readonly text: string;
  readonly contentType: string;
  readonly title: string | undefined;
  readonly metadata: Metadata;
  readonly tags: Tags;
  readonly warnings: readonly string[];
  readonly passages: readonly PassageToPut[];
}

/** A text that waits for its embedding. */
export interface PendingText {
  readonly id: number;
  readonly text: string;
}

export interface StoredPassage {
  /** The number by which indexes know the passage. */
  readonly number: number;
  readonly passage: Passage;
  readonly file: FileSummary;
}

/** What matches a query's terms. */
export interface Matching {
  /** What the query's terms can score at most: of a passage that had nothing but them. */
  readonly ceiling: number;
  /** BM25 scores, best first. */
  readonly neighbours: readonly Neighbour[];
}

/** What passages are like, whatever they say: a column each, in the order in which they were asked for. */
export interface PassageShapes {
  /** Characters of the readable text; 0 for a passage that is gone. */
  readonly lengths: ArrayLike<number>;
  readonly subtypes: readonly Subtype[];
}

/** A query's terms; the same object for candidates and scores, so that a store may keep what it did for the first. */
export interface LexicalQuery {
  readonly terms: readonly string[];
  readonly phrases: readonly (readonly string[])[];
}

/** Positions of a file's passages, inclusive. */
export interface FileRange {
  readonly fileId: string;
  readonly from: number;
  readonly to: number;
}

/** Passages of one file that follow each other, and the file's text from the first to the last. */
export interface Window {
  readonly text: string;
  readonly passages: readonly Passage[];
}

export interface StoreCounts {
  readonly files: number;
  readonly passages: number;
  /** Passages whose embedding is there: the others are not found by meaning yet. */
  readonly embedded: number;
  readonly folders: readonly { readonly folder: string | null; readonly files: number }[];
  readonly warnings: readonly { readonly key: string; readonly reason: string }[];
}

/**
 * All that indexing and searching need of the place where one bot's passages are: SQLite with a vector index in this
 * process, or a distributed engine. Every write is whole or not at all.
 */
export interface PassageStore {
  files(): Promise<readonly StoredFile[]>;
  file(key: string): Promise<StoredFile | undefined>;
  /**
   * Puts a file in place of the one of the same key, with its passages; those that did not change keep their id, number
   * and embedding. An embedding that another file has already is shared; the others are pending.
   */
  put(file: FileToPut): Promise<void>;
  /** Notes that a file was seen unchanged, or changed its key or folder only. */
  touch(id: string, file: Pick<StoredFile, 'key' | 'folder' | 'size' | 'mtime' | 'indexedAt'>): Promise<void>;
  /** Removes a file and all that only it used; whether there was one. */
  remove(key: string): Promise<boolean>;
  /** Texts that wait for their embedding, in order, from behind an id; of one file where its key is given. */
  pending(options: {
    readonly after: number;
    readonly limit: number;
    readonly key?: string | undefined;
  }): Promise<readonly PendingText[]>;
  countPending(): Promise<number>;
  putEmbeddings(embeddings: readonly { readonly id: number; readonly embedding: Float32Array }[]): Promise<void>;
  /** Brings what `nearest` reads up to date: to be called while the query is embedded. `nearest` does it, too. */
  ready(): Promise<void>;
  /** The nearest of the passages that the filter leaves, best first. */
  nearest(
    query: Float32Array,
    options: { readonly limit: number; readonly tags?: TagFilter },
  ): Promise<readonly Neighbour[]>;
  /** The cosines of given passages, in their order; NaN for one without an embedding. */
  similarities(query: Float32Array, numbers: readonly number[]): Promise<Float32Array>;
  /** The mean cosine of a query and all embedded passages, and how many there are. */
  meanSimilarity(query: Float32Array): Promise<{ readonly mean: number; readonly count: number }>;
  /** The passages that match a query's terms best, of those that the filter leaves. */
  matching(
    query: LexicalQuery,
    options: { readonly limit: number; readonly tags?: TagFilter | undefined },
  ): Promise<Matching>;
  /** BM25 scores of given passages, in their order; 0 for one that does not match. */
  matchScores(query: LexicalQuery, numbers: readonly number[]): Promise<readonly number[]>;
  /** Which of the terms stand in each of given passages, in their order. */
  termsIn(terms: readonly string[], numbers: readonly number[]): Promise<readonly (readonly string[])[]>;
  shapes(numbers: readonly number[]): Promise<PassageShapes>;
  /** In the order of the numbers; a passage that is gone is left out. */
  passages(numbers: readonly number[]): Promise<readonly StoredPassage[]>;
  /** Each time the passages of a file in a range of positions, as far as there are such; all as they were at one moment. */
  windows(ranges: readonly FileRange[]): Promise<readonly Window[]>;
  /** Share of the passages whose embedding is there, 0..1: the others match by their words only. 1 where there are none. */
  coverage(): Promise<number>;
  counts(): Promise<StoreCounts>;
  /** Frees what changes have left unused; `settle` does that, too. */
  tidy(): Promise<void>;
  /** Ends a run of changes: removes what is not used any more, brings indexes to disk. Throws `ABORTED`. */
  settle(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  close(): Promise<void>;
}
