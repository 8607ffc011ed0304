import path from 'node:path';
import type { Accounts } from '../storage/accounts.js';
import type { Contents } from '../storage/contents.js';
import type { CopiedModel, Copies } from '../storage/copies.js';
import type { FileRecords, UploadAddresses } from '../storage/file-records.js';
import type { Folders } from '../storage/folders.js';
import type { KnowledgeBases } from '../storage/knowledge-bases.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { OnStage } from '../storage/search-stage.js';
import type { ModelIdentity, Models, Reembeddings, Storage } from '../storage/storage.js';
import type { IndexKind } from '../vectors/vector-index.js';
import { signingKey } from './accounts/signing-key.js';
import { SqliteBots } from './accounts/sqlite-bots.js';
import { SqliteModels } from './accounts/sqlite-models.js';
import { SqliteTokens } from './accounts/sqlite-tokens.js';
import { SqliteWorkspaces } from './accounts/sqlite-workspaces.js';
import { damagedPart } from './connection/checksums.js';
import type { Connection } from './connection/connection.js';
import { SyncedLog } from './connection/log/synced-log.js';
import { SqliteCopies } from './copies/sqlite-copies.js';
import { ChangeLog } from './embeddings/change-log.js';
import { Embeddings } from './embeddings/embeddings.js';
import { Snapshots } from './embeddings/snapshots.js';
import { VectorCache } from './embeddings/vector-cache.js';
import { Files } from './files/files.js';
import { SqliteContents } from './files/sqlite-contents.js';
import { SqliteFileRecords } from './files/sqlite-file-records.js';
import { SqliteFolders } from './files/sqlite-folders.js';
import { SqliteKnowledgeBases } from './files/sqlite-knowledge-bases.js';
import { SqliteUploadAddresses } from './files/sqlite-upload-addresses.js';
import { FileWriter } from './passages/file-writer.js';
import { PassageFeatures } from './passages/passage-features.js';
import { PassageReader } from './passages/passage-reader.js';
import { Retriever } from './passages/retriever.js';
import { SqlitePassageStore } from './passages/sqlite-passage-store.js';
import { Postings } from './postings/postings.js';
import { SqliteReembeddings } from './reembedding/sqlite-reembeddings.js';

/** How a database is searched. */
export interface SqliteStorageOptions {
  /** Which vector index serves. Defaults to `auto`. */
  readonly index?: IndexKind | undefined;
  /** Vectors above which `auto` uses HNSW. */
  readonly hnswFrom?: number | undefined;
  /** Called with the time that each stage of a search takes. */
  readonly onStage?: OnStage | undefined;
  /** Called with a message when something still works, but worse than it should. */
  readonly warn: (message: string) => void;
}

/** A storage in one SQLite file. Assembles the parts of `sqlite/`. */
export class SqliteStorage implements Storage {
  readonly accounts: Accounts;
  readonly models: Models;
  readonly reembeddings: Reembeddings;
  readonly uploads: UploadAddresses;
  readonly contents: Contents;
  readonly copies: Copies;
  readonly #connection: Connection;
  readonly #log: SyncedLog;
  readonly #options: SqliteStorageOptions;
  readonly #bots: SqliteBots;
  readonly #models: SqliteModels;

  constructor(connection: Connection, options: SqliteStorageOptions) {
    this.#connection = connection;
    this.#log = new SyncedLog(connection.file);
    this.#options = options;
    this.#bots = new SqliteBots(connection);
    this.#models = new SqliteModels(connection, this.#bots);
    this.accounts = {
      workspaces: new SqliteWorkspaces(connection),
      bots: this.#bots,
      tokens: new SqliteTokens(connection),
    };
    this.models = this.#models;
    this.reembeddings = new SqliteReembeddings(connection, { bots: this.#bots, models: this.#models });
    this.uploads = new SqliteUploadAddresses(connection);
    this.contents = new SqliteContents(connection);
    this.copies = new SqliteCopies(connection, {
      bots: this.#bots,
      passages: (bot, model) => this.#passages(bot, model),
    });
  }

  get location(): string {
    return this.#connection.file;
  }

  get base(): string {
    return path.dirname(this.#connection.file);
  }

  async fileRecords(botId: string): Promise<FileRecords> {
    return new SqliteFileRecords(this.#connection, this.#bots.row(botId).number);
  }

  async knowledgeBases(botId: string): Promise<KnowledgeBases> {
    return new SqliteKnowledgeBases(this.#connection, this.#bots.row(botId).number);
  }

  async folders(botId: string): Promise<Folders> {
    return new SqliteFolders(this.#connection, this.#bots.row(botId).number);
  }

  async passages(botId: string, model: ModelIdentity): Promise<PassageStore> {
    return this.#passages(botId, model);
  }

  async #passages(botId: string, { fingerprint, dimensions }: CopiedModel): Promise<SqlitePassageStore> {
    const connection = this.#connection;
    const { index = 'auto', hnswFrom, onStage, warn } = this.#options;
    const { number: bot } = this.#bots.row(botId);
    const model = { number: this.#models.numberOf(fingerprint), fingerprint };
    const embeddings = new Embeddings(connection, { bot, model });
    const log = new ChangeLog(connection, bot);
    const snapshots = new Snapshots(connection, bot);
    const vectors = new VectorCache({ log, snapshots, model: model.number, dimensions, kind: index, hnswFrom, warn });
    const postings = await Postings.open(connection, bot);
    const reader = new PassageReader(connection, bot);
    const checkEmbedding = (embedding: Float32Array) => vectors.checkEmbedding(embedding);
    const files = new Files(connection, bot);
    const writer = new FileWriter(connection, { files, embeddings, postings, checkEmbedding });
    const writerOn = (other: Connection) =>
      new FileWriter(other, {
        files: new Files(other, bot),
        embeddings: new Embeddings(other, { bot, model }),
        postings: new Postings(other, bot, { inPortions: true }),
        checkEmbedding,
      });
    const features = new PassageFeatures(connection);
    const retriever = new Retriever(connection, { embeddings, vectors, postings, reader, features, onStage });
    const parts = { files, reader, writer, writerOn, embeddings, log, postings, vectors, retriever };
    return new SqlitePassageStore(connection, parts);
  }

  async signingKey(): Promise<Uint8Array> {
    const key = signingKey(this.#connection);
    if (key) return key;
    throw damagedPart('The key that addresses are signed with');
  }

  async size(): Promise<number> {
    return Number(this.#connection.pragma('page_count')) * Number(this.#connection.pragma('page_size'));
  }

  async nodes(): Promise<never[]> {
    return [];
  }

  async sync(): Promise<void> {
    await this.#log.sync();
  }

  assertNotReplaced(): void {
    this.#connection.assertNotReplaced();
  }

  close(): void {
    this.#log.close();
    this.#connection.close();
  }
}
