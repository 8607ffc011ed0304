import type { Abortable } from '../domain/abortable.js';
import type { EmbeddedPassage, Metadata, Passage, Position, Subtype, Tags } from '../domain/passage.js';
import type { StagedContent, UsedAddress } from './contents.js';
import type { FileAccess } from './file-access.js';
import type { RankedCandidate, ReadResult, Retrieval, Retrieved } from './retrieval.js';

/**
 * One state of a file. `version` grows with every change of the file, its description and its upload, so that a write
 * that was decided on one state is refused once the file is in another.
 */
export interface FileVersion {
  readonly id: string;
  readonly version: number;
}

/** Whether a file is in the same state; two missing files are. */
export function isSameVersion(a: FileVersion | undefined, b: FileVersion | undefined): boolean {
  return a?.id === b?.id && a?.version === b?.version;
}

/** A stored file, with the fields that show whether it must be indexed again. */
export interface StoredFile extends FileVersion {
  readonly key: string;
  /** The indexed folder that the file comes from; null for a text given to `indexFile`. */
  readonly folder: string | null;
  /** Bytes. */
  readonly size: number;
  /** When the file was modified, in milliseconds since the epoch; null for a text given to `indexFile`. */
  readonly mtime: number | null;
  /** When anything about the file changed, including its name and permissions; null if that is not known. */
  readonly ctime: number | null;
  /** The number that the file system knows the file by; null if that is not known. */
  readonly inode: number | null;
  /** SHA-256 of the bytes, hex; empty while another content is awaited or waits to be indexed. */
  readonly hash: string;
  /** The settings that the file was cut with. A file is cut again when they differ. */
  readonly pipeline: string;
  /** When the bytes were read, in milliseconds since the epoch. */
  readonly indexedAt: number;
}

/** The fields of a file of a folder that show whether it has changed on disk. */
export type SeenFile = Pick<StoredFile, 'key' | 'size' | 'mtime' | 'ctime'> & { readonly folder: string };

/** A file with the text that its passages are slices of. */
export interface FileText {
  readonly id: string;
  readonly key: string;
  /** The indexed folder that the file comes from, relative to that of the database; null for `indexFile`. */
  readonly folder: string | null;
  /** For a PDF or Word document, the extracted text. */
  readonly text: string;
}

/** How to read ranked candidates: with the filter that they were retrieved with, since files change meanwhile. */
export interface ReadOptions extends Pick<Retrieval, 'tags' | 'paths'> {
  /** Maximum number of passages. */
  readonly limit: number;
  /** Maximum number of passages of one file. Defaults to all. */
  readonly perFile?: number | undefined;
  /** Neighbours on each side of a passage. */
  readonly context: number;
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
  /** Whole lines that complete what the passage cuts; see `Passage`. */
  readonly opening?: string | undefined;
  readonly closing?: string | undefined;
  /** Terms of the breadcrumb and of the readable text, as `termsOf` gives them, separated by spaces. */
  readonly postings: { readonly breadcrumb: string; readonly text: string };
}

/** A file to be stored, with everything that depends on its text. */
export interface FileToPut extends Omit<StoredFile, keyof FileVersion> {
  readonly text: string;
  readonly contentType: string;
  readonly title: string | undefined;
  readonly metadata: Metadata;
  readonly tags: Tags;
  readonly warnings: readonly string[];
  readonly passages: readonly PassageToPut[];
}

/** The fields that change when a file is seen again with the same text. */
export type FileTouch = Pick<StoredFile, 'key' | 'folder' | 'size' | 'mtime' | 'ctime' | 'inode' | 'indexedAt'>;

/** The state that a put was decided on, and what to store with the file. */
export interface PutOptions {
  /** The state that the file was in when it was decided to put it; undefined if there was no file of its key. */
  readonly expected: FileVersion | undefined;
  /** Embeddings by their texts. With them, the file is put only if each of its texts has an embedding then. */
  readonly embeddings?: ReadonlyMap<string, Float32Array> | undefined;
  /** The content of the file: its text, the content that it had before, or a staged one. Defaults to `text`. */
  readonly content?: 'text' | 'former' | StagedContent | undefined;
  /** Whether the file is to be searched. Defaults to true, even without passages. */
  readonly isSearched?: boolean | undefined;
  /** The address that the content was sent to. The put closes it, and throws `UPLOAD_MISSING` if it accepts none. */
  readonly address?: UsedAddress | undefined;
  /** Why the file's content could not be indexed; its status is `indexing_failed` then. */
  readonly failure?: string | undefined;
  /** Who may read the file from now on, and when it expires. Defaults to what holds already. */
  readonly access?: FileAccess | undefined;
  /** May stop the put of a large file, which takes a while; nothing is changed then. */
  readonly signal?: AbortSignal | undefined;
}

/** Which file a removal is meant for. */
export interface RemoveOptions extends Abortable {
  /** The id that the file must have, or the state that it must be in. Defaults to any. */
  readonly only?: { readonly id: string; readonly version?: number | undefined } | undefined;
}

/** How a run of changes ends. */
export interface FlushOptions extends Abortable {
  /** Whether a vector index that takes long to complete is left to the next run. Defaults to false. */
  readonly isBrief?: boolean | undefined;
}

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

/** The embedding of a passage. */
export interface PassageEmbedding {
  /** The passage's id as a candidate. */
  readonly id: number;
  /** Undefined while it is pending. */
  readonly embedding: Float32Array | undefined;
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

/** What searches and other reads need of a store. */
export interface ReadablePassages {
  /**
   * The number of candidates of each retriever that a search asks for, at least. The same for all smaller limits, so
   * that a search with a smaller limit returns the first hits of a search with a larger one.
   */
  readonly pool: number;
  /** By key. */
  files(): Promise<readonly StoredFile[]>;
  file(key: string): Promise<StoredFile | undefined>;
  /** The files of all folders, by key. */
  seenFiles(): Promise<readonly SeenFile[]>;
  /** A file with its text; undefined if searches find no file of that key. */
  text(key: string): Promise<FileText | undefined>;
  /** Finds the best candidates of one retriever or both, with everything that scoring needs. */
  retrieve(query: Retrieval): Promise<Retrieved>;
  /** Reads the best of ranked candidates, best first; equal sums are ordered by key, then position. */
  read(ranked: readonly RankedCandidate[], options: ReadOptions): Promise<ReadResult>;
  /** The passages of a file at positions `from` to `to`, inclusive. */
  passages(fileId: string, range: { readonly from: number; readonly to: number }): Promise<readonly Passage[]>;
  /** The embedding of a passage, by the passage's id; undefined if searches find no such passage. */
  embeddingOf(passageId: string): Promise<PassageEmbedding | undefined>;
  /** The first passages that have an embedding, of files that pass a filter, by key, then position. */
  embedded(filter: Pick<Retrieval, 'tags' | 'paths' | 'limit'>): Promise<readonly EmbeddedPassage[]>;
  counts(): Promise<StoreCounts>;
  /** Share of the passages whose embedding is stored, 0 to 1; 1 for an empty store. */
  coverage(): Promise<number>;
  /** The vector index that serves now. */
  indexKind(): Promise<'exact' | 'hnsw'>;
}

/**
 * The passages of one bot, embedded with one model. Every call reads one snapshot, and every write is atomic. All calls
 * throw `MODEL_MISMATCH` once the files were embedded with another model, and `BOT_MISSING` once the bot was deleted.
 * The contract suite in test/storage holds for every implementation.
 */
export interface PassageStore extends ReadablePassages, PendingTexts {
  /** Number of puts that a caller with many files should run concurrently. */
  readonly putsAtOnce: number;
  /**
   * Whether the texts of a file should be embedded before the file is put: storing an embedding later takes as long as
   * storing its passage. Otherwise the file is found by its words at once.
   */
  readonly embedsFirst: boolean;
  /** The texts that have no stored embedding, without duplicates, in the given order. */
  missing(texts: readonly string[]): Promise<readonly string[]>;
  /** Keys of the files with a pending text. */
  keysOf(text: number): Promise<readonly string[]>;

  /**
   * Replaces the file of the same key, even if an upload of it waits to be indexed. Passages that did not change keep
   * their id and embedding. An embedding that another file already has is shared; the others are pending.
   * Returns false, and does nothing, if the file is not in the state `expected`, or if an embedding is missing that
   * `embeddings` should have had. Throws `EMBEDDING_INVALID`, `ABORTED`, `UPLOAD_MISSING`.
   */
  put(file: FileToPut, options: PutOptions): Promise<boolean>;
  /**
   * Records that a file was seen unchanged, or only changed its key or folder. Returns false, and does nothing, if the
   * file is in another state now, or if another one has taken the key. Throws `DATABASE_DAMAGED` for a row that is not
   * as it was written.
   */
  touch(expected: FileVersion, file: FileTouch): Promise<boolean>;
  /**
   * Removes a file and everything that only it used. Returns false, and does nothing, if there is no such file, or if
   * it is not the one with the id, or in the state, of `only`. Without `only`, an expired file is removed as well, but
   * the result is false. Throws `ABORTED`; nothing is changed then.
   */
  remove(key: string, options?: RemoveOptions): Promise<boolean>;
  /** Keeps embeddings, by their texts, for puts before the next compaction. Throws `EMBEDDING_INVALID`. */
  keep(embeddings: ReadonlyMap<string, Float32Array>): Promise<void>;

  /** Frees the space that changes have left unused. */
  compact(): Promise<void>;
  /** Ends a run of changes: compacts, and writes the vector index to disk. Throws `ABORTED`. */
  flush(options?: FlushOptions): Promise<void>;
  close(): Promise<void>;
}
