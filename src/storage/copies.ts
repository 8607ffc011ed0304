import type { BotRecord, TokenRecord, WorkspaceRecord } from './accounts.js';
import type { FileContent, StagedContent } from './contents.js';
import type { FileRecord } from './file-records.js';
import type { KnowledgeBaseRecord } from './knowledge-bases.js';
import type { FileVersion, PassageToPut, StoredFile } from './passage-store.js';
import type { GivenCut } from './staged-files.js';

/**
 * Everything that is stored of a file, except its text, passages and content. `hash` is that of the text that was
 * indexed, even while another content is awaited.
 */
export interface FileState extends StoredFile, Omit<FileRecord, keyof StoredFile | 'size'> {
  readonly title: string | null;
  readonly warnings: readonly string[];
  /** The number of its passages. */
  readonly passages: number;
}

/** A file whose row cannot be read. It can still be replaced, or removed. */
export interface DamagedFile extends Pick<FileState, 'id' | 'version' | 'key' | 'status' | 'pipeline' | 'passages'> {
  readonly isDamaged: true;
}

/** A file as it is read to be copied: all of it in one state, since other bytes may be for other readers. */
export interface FileToCopy {
  readonly state: FileState;
  /** The text that was indexed; undefined if none was. */
  readonly text: string | undefined;
  /** The bytes that were uploaded; undefined if the content of the file is its text, or if it has none. */
  readonly content: FileContent | undefined;
  /**
   * Where a caller has cut the text, in document order. Throws `FILE_MISSING` if the text is replaced meanwhile, and
   * `DATABASE_DAMAGED`.
   */
  cuts(): Promise<readonly GivenCut[]>;
}

/** A file as it is stored again. */
export interface FileCopy extends Pick<FileToCopy, 'state' | 'text'> {
  readonly passages: readonly PassageToPut[];
  /** Embeddings by the texts of the passages; a passage whose text is missing here becomes pending. */
  readonly embeddings: ReadonlyMap<string, Float32Array>;
  /** The bytes that were uploaded; undefined if the content of the file is its text, or if it has none. */
  readonly content: StagedContent | undefined;
}

/** The files of one bot, for copies of it, including those that have expired. */
export interface FileCopies {
  /** In no particular order. */
  states(): AsyncIterable<FileState | DamagedFile>;
  /**
   * A file by its id; undefined if it is gone. Throws `DATABASE_DAMAGED`, and `FILE_MISSING` if it is replaced while it
   * is read.
   */
  read(id: string): Promise<FileToCopy | undefined>;
  /** The stored embeddings of some texts, by text. Throws `DATABASE_DAMAGED`. */
  embeddings(texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /**
   * Stores a file with its id, version and times, atomically, replacing whatever has its key or its id. Throws
   * `EMBEDDING_INVALID`, and `DATABASE_CONFLICT` if another call changes the file meanwhile; nothing is changed then.
   */
  put(file: FileCopy): Promise<void>;
  /** Removes a file. Returns false, and does nothing, if it is gone, or is not in this state any more. */
  remove(file: FileVersion & Pick<FileState, 'key'>): Promise<boolean>;
  close(): Promise<void>;
}

/** What the storage of passages depends on. */
export interface CopiedModel {
  readonly fingerprint: string;
  readonly dimensions: number;
}

/** Stores records as another storage has them: with their ids and times. Each replaces the record of its id. */
export interface Copies {
  /** Throws `WORKSPACE_EXISTS` if another workspace has the name. */
  putWorkspace(workspace: WorkspaceRecord): Promise<void>;
  /** Throws `BOT_EXISTS` if another bot of the workspace has the name. */
  putBot(bot: BotRecord): Promise<void>;
  putToken(token: TokenRecord): Promise<void>;
  /** Throws `BOT_MISSING`. */
  putKnowledgeBase(botId: string, base: KnowledgeBaseRecord): Promise<void>;
  /** Replaces the secret that addresses of contents are signed with. */
  putSigningKey(key: Uint8Array): Promise<void>;
  /** The files of a bot; its model is undefined if none is assigned. Throws `BOT_MISSING`. */
  files(botId: string, model: CopiedModel | undefined): Promise<FileCopies>;
}
