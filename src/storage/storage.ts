import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { Accounts } from './accounts.js';
import type { Contents } from './contents.js';
import type { Copies } from './copies.js';
import type { FileRecords, UploadAddresses } from './file-records.js';
import type { Folders } from './folders.js';
import type { KnowledgeBases } from './knowledge-bases.js';
import type { PassageStore } from './passage-store.js';
import type { StagedFiles, UnfinishedReembedding } from './staged-files.js';

/** The fields of a model card that a store records. */
export interface ModelIdentity {
  readonly id: string;
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** A model as a store records it. */
export interface ModelRecord extends ModelIdentity {
  /** How to open it again, as JSON; null for an embedder that was passed as an object. */
  readonly source: string | null;
}

/** A model, and how to open it again; `location` is undefined for an embedder that was passed as an object. */
export interface ModelToRecord {
  readonly card: ModelIdentity;
  readonly location: object | undefined;
}

/** The value of `ModelRecord.source` for a model. */
export function sourceToRecord({ location }: Pick<ModelToRecord, 'location'>): string | null {
  return location ? JSON.stringify(location) : null;
}

/** The models that files are embedded with. */
export interface Models {
  /** The model of a bot's files; undefined until one is assigned. */
  ofBot(botId: string): Promise<ModelRecord | undefined>;
  /**
   * Sets the model of a bot. Throws `MODEL_MISMATCH` if its files were embedded with another, and `MODEL_INVALID` if
   * its fingerprint is that of a model with other dimensions.
   */
  assign(botId: string, model: ModelToRecord): Promise<void>;
  similarity(fingerprint: string): Promise<SimilarityScale | undefined>;
  setSimilarity(fingerprint: string, similarity: SimilarityScale): Promise<void>;
}

/** The re-embedding of a bot's files with another model. */
export interface Reembeddings {
  /** Opens the staging area of a bot for a model. Throws `MODEL_INVALID`. */
  open(botId: string, model: ModelToRecord): Promise<StagedFiles>;
  unfinished(botId: string): Promise<UnfinishedReembedding | undefined>;
  /** How to open the model of an unfinished re-embedding, as JSON. */
  unfinishedModel(botId: string): Promise<string | undefined>;
  /** Discards what is staged. */
  discard(botId: string): Promise<void>;
}

/** A node of a cluster, with what it has of the passages of one bot. */
export interface StorageNode {
  readonly name: string;
  readonly isHealthy: boolean;
  /** The version of the software that it runs. */
  readonly version: string;
  /** Passages of the bot on this node; undefined if it has no replica of them. */
  readonly passages: number | undefined;
  /** Embeddings that are not in the vector index of the node yet. */
  readonly queued: number;
}

/** Everything that an engine or a host stores: in SQLite, see `sqlite/`, or in a cluster, see `weaviate/`. */
export interface Storage {
  /** Shown to people: the absolute path of the database, or the addresses of a cluster. */
  readonly location: string;
  /** Absolute path of the folder that indexed folders are relative to. */
  readonly base: string;
  readonly accounts: Accounts;
  readonly models: Models;
  readonly reembeddings: Reembeddings;
  readonly uploads: UploadAddresses;
  readonly contents: Contents;
  readonly copies: Copies;
  fileRecords(botId: string): Promise<FileRecords>;
  knowledgeBases(botId: string): Promise<KnowledgeBases>;
  folders(botId: string): Promise<Folders>;
  /** The passages of a bot, embedded with its model. Throws `VECTOR_INDEX_UNAVAILABLE`. */
  passages(botId: string, model: ModelIdentity): Promise<PassageStore>;
  /** The secret that addresses of contents are signed with, the same for every process. Throws `DATABASE_DAMAGED`. */
  signingKey(): Promise<Uint8Array>;
  /** Bytes on disk; undefined if that is not known. */
  size(): Promise<number | undefined>;
  /** The nodes of a cluster, with what they have of a bot; none for a file. */
  nodes(botId: string): Promise<readonly StorageNode[]>;
  /** Makes all changes durable. Call it before a change is acknowledged. */
  sync(): Promise<void>;
  /** Throws `DATABASE_MOVED` if another database has replaced the one that was opened. */
  assertNotReplaced(): void;
  close(): void;
}
