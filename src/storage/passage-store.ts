import type { Metadata, Passage, Position, Subtype, Tags } from '../domain/passage.js';
import type { RankedCandidate, ReadResult, Retrieval, Retrieved } from './retrieval.js';

/** A stored file, with the fields that show whether it must be indexed again. */
export interface StoredFile {
  readonly id: string;
  readonly key: string;
  /** The indexed folder that the file comes from; null for a text given to `indexFile`. */
  readonly folder: string | null;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch; null for a text given to `indexFile`. */
  readonly mtime: number | null;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  /** The settings that the file was cut with. A file is cut again when they differ. */
  readonly pipeline: string;
  /** When the bytes were read, in milliseconds since the epoch. */
  readonly indexedAt: number;
}

/** A passage to be stored; its content is a slice of the file's text. */
export interface PassageToPut extends Position {
  readonly breadcrumb: readonly string[];
  readonly subtype: Subtype;
  /** The text to embed. */
  readonly text: string;
  /** Page of the original document, from 1; undefined if the caller gave none. */
  readonly page?: number | undefined;
  /** Length of the readable text in characters: without breadcrumb, markup and URLs. */
  readonly length: number;
  /** Terms of the breadcrumb and of the readable text, as `termsOf` gives them, separated by spaces. */
  readonly postings: { readonly breadcrumb: string; readonly text: string };
}

/** A file to be stored, with everything that depends on its text. */
export interface FileToPut extends Omit<StoredFile, 'id'> {
  readonly text: string;
  readonly contentType: string;
  readonly title: string | undefined;
  readonly metadata: Metadata;
  readonly tags: Tags;
  readonly warnings: readonly string[];
  readonly passages: readonly PassageToPut[];
}

/** The fields that change when a file is seen again with the same text. */
export type FileTouch = Pick<StoredFile, 'key' | 'folder' | 'size' | 'mtime' | 'indexedAt'>;

/** A text without an embedding. */
export interface PendingText {
  readonly id: number;
  readonly text: string;
}

/** The embedding of a pending text. */
export interface TextEmbedding {
  readonly id: number;
  readonly embedding: Float32Array;
}

/** A page of pending texts. */
export interface PendingPage {
  /** Return texts with a greater id. */
  readonly after: number;
  readonly limit: number;
  /** Return texts of this file only. */
  readonly key?: string | undefined;
}

/** What a store holds. */
export interface StoreCounts {
  readonly files: number;
  readonly passages: number;
  /** Passages whose embedding is stored; the others are found by their words only. */
  readonly embedded: number;
  /** Files of each indexed folder; `folder` is null for texts given to `indexFile`. */
  readonly folders: readonly { readonly folder: string | null; readonly files: number }[];
  /** What the parser could not understand, one sentence each. */
  readonly warnings: readonly { readonly key: string; readonly reason: string }[];
}

/** Texts that wait for their embeddings. */
export interface PendingTexts {
  /** In ascending order of their ids. */
  pending(page: PendingPage): Promise<readonly PendingText[]>;
  countPending(): Promise<number>;
  /** Stores embeddings; those of texts that are gone are dropped. Throws `EMBEDDING_INVALID`. */
  putEmbeddings(embeddings: readonly TextEmbedding[]): Promise<void>;
}

/**
 * The passages of one bot, embedded with one model. Every call reads one snapshot, and every write is atomic. All calls
 * throw `MODEL_MISMATCH` once the files were embedded with another model, and `BOT_MISSING` once the bot was deleted.
 * The contract suite in test/storage holds for every implementation.
 */
export interface PassageStore extends PendingTexts {
  /** By key. */
  files(): Promise<readonly StoredFile[]>;
  file(key: string): Promise<StoredFile | undefined>;
  /** Finds the best candidates of one retriever or both, with everything that scoring needs. */
  retrieve(query: Retrieval): Promise<Retrieved>;
  /**
   * Reads the best `limit` of ranked candidates, best first; equal sums are ordered by key, then position. `context` is
   * the number of neighbours on each side.
   */
  read(
    ranked: readonly RankedCandidate[],
    options: { readonly limit: number; readonly context: number },
  ): Promise<ReadResult>;
  /** The passages of a file at positions `from` to `to`, inclusive. */
  passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]>;
  counts(): Promise<StoreCounts>;
  /** Share of the passages whose embedding is stored, 0 to 1; 1 for an empty store. */
  coverage(): Promise<number>;
  /** The vector index that serves now. */
  indexKind(): Promise<'exact' | 'hnsw'>;

  /**
   * Replaces the file of the same key. Passages that did not change keep their id and embedding. An embedding that
   * another file already has is shared; the others are pending.
   */
  put(file: FileToPut): Promise<void>;
  /** Records that a file was seen unchanged, or only changed its key or folder. */
  touch(id: string, file: FileTouch): Promise<void>;
  /** Removes a file and everything that only it used. Returns false if there is no such file. */
  remove(key: string): Promise<boolean>;

  /** Frees the space that changes have left unused. */
  compact(): Promise<void>;
  /** Ends a run of changes: compacts, and writes the vector index to disk. Throws `ABORTED`. */
  flush(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  close(): Promise<void>;
}
