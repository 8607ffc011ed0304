import path from 'node:path';
import { WaymarkError } from '../domain/errors.js';
import type { Accounts } from '../storage/accounts.js';
import type { Contents } from '../storage/contents.js';
import type { Copies } from '../storage/copies.js';
import { deletedBot, otherModel } from '../storage/failures.js';
import type { FileRecords, UploadAddresses } from '../storage/file-records.js';
import type { Folders } from '../storage/folders.js';
import type { KnowledgeBases } from '../storage/knowledge-bases.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { OnStage } from '../storage/stage.js';
import type { ModelIdentity, Models, Reembeddings, Storage, StorageNode } from '../storage/storage.js';
import { type BotRecords, botRecords } from './accounts/bot-records.js';
import { signingKey } from './accounts/signing-key.js';
import { WeaviateAccounts } from './accounts/weaviate-accounts.js';
import { WeaviateUploadAddresses } from './accounts/weaviate-upload-addresses.js';
import { WeaviateFolders } from './bots/weaviate-folders.js';
import { WeaviateKnowledgeBases } from './bots/weaviate-knowledge-bases.js';
import type { Cluster, Finder } from './connection/cluster.js';
import { WeaviateContents } from './contents/weaviate-contents.js';
import { WeaviateCopies } from './copies/weaviate-copies.js';
import { KeyLocks } from './files/key-locks.js';
import { WeaviateFileRecords } from './files/weaviate-file-records.js';
import { openFileWriter, openPassageStore } from './passages/open-passage-store.js';
import { nodeStates } from './schema/node-states.js';

/** How to store in a cluster. */
export interface WeaviateStorageOptions {
  /** The folder that indexed folders are recorded relative to. */
  readonly base: string;
  /** The stem of a term. */
  readonly stem: (term: string) => string;
  readonly onStage: OnStage | undefined;
}

/** A bot keeps its model in a cluster. */
const NO_REEMBEDDINGS: Reembeddings = {
  async open() {
    const message =
      'The files of a bot in a cluster keep their model: index them into another bot that is opened with the new one.';
    throw new WaymarkError('INVALID_ARGUMENT', message);
  },
  unfinished: async () => undefined,
  unfinishedModel: async () => undefined,
  discard: async () => {},
};

/** A storage in a Weaviate cluster. Assembles the parts of `weaviate/`. */
export class WeaviateStorage implements Storage {
  readonly base: string;
  readonly accounts: Accounts;
  readonly models: Models;
  readonly reembeddings: Reembeddings;
  readonly uploads: UploadAddresses;
  readonly contents: Contents;
  readonly copies: Copies;
  readonly #cluster: Cluster;
  readonly #options: WeaviateStorageOptions;
  readonly #records: BotRecords;
  /** Of each bot. */
  readonly #locks = new Map<string, KeyLocks>();

  constructor(cluster: Cluster, options: WeaviateStorageOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#records = botRecords(cluster);
    this.base = path.resolve(options.base);
    const accounts = new WeaviateAccounts(cluster);
    this.accounts = accounts;
    this.models = accounts.models;
    this.reembeddings = NO_REEMBEDDINGS;
    this.uploads = new WeaviateUploadAddresses(cluster);
    this.contents = new WeaviateContents(cluster);
    this.copies = new WeaviateCopies(cluster, { stem: options.stem, locksOf: (bot) => this.#locksOf(bot) });
  }

  get location(): string {
    return this.#cluster.location;
  }

  async fileRecords(bot: string): Promise<FileRecords> {
    const locks = this.#locksOf(bot);
    return new WeaviateFileRecords(this.#cluster, {
      ...{ bot, locks },
      rewrite: async (before, changed) => {
        const model = await this.models.ofBot(bot);
        if (!model) throw deletedBot();
        const { fingerprint } = model;
        return openFileWriter(this.#cluster, { bot, fingerprint, stem: this.#options.stem }).rewrite(before, changed);
      },
    });
  }

  async knowledgeBases(bot: string): Promise<KnowledgeBases> {
    return new WeaviateKnowledgeBases(this.#cluster, bot);
  }

  async folders(bot: string): Promise<Folders> {
    return new WeaviateFolders(this.#cluster, bot);
  }

  async passages(bot: string, model: ModelIdentity): Promise<PassageStore> {
    const { stem, onStage } = this.#options;
    const checkModel = (find: Finder) => this.#checkModel(find, bot, model);
    return openPassageStore(this.#cluster, { bot, model, stem, onStage, checkModel, locks: this.#locksOf(bot) });
  }

  async signingKey(): Promise<Uint8Array> {
    return signingKey(this.#cluster);
  }

  /** Weaviate does not tell what it stores in bytes. */
  async size(): Promise<undefined> {
    return undefined;
  }

  async nodes(bot: string): Promise<StorageNode[]> {
    return nodeStates(this.#cluster, bot);
  }

  /** Every write has been acknowledged by then. */
  async sync(): Promise<void> {}

  /** Each request meets the cluster as it is. */
  check(): void {}

  close(): void {
    this.#cluster.close();
  }

  async #checkModel(find: Finder, bot: string, model: ModelIdentity): Promise<void> {
    const recorded = await this.#records.models.findIn(find, bot);
    if (!recorded) throw deletedBot();
    if (recorded.fingerprint === model.fingerprint) return;
    const name = (await this.accounts.bots.find(bot))?.name ?? bot;
    throw otherModel(name, recorded, model);
  }

  #locksOf(bot: string): KeyLocks {
    const locks = this.#locks.get(bot) ?? new KeyLocks();
    this.#locks.set(bot, locks);
    return locks;
  }
}
