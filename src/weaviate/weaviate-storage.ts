import path from 'node:path';
import type { Accounts } from '../storage/accounts.js';
import type { Contents } from '../storage/contents.js';
import type { Copies } from '../storage/copies.js';
import { deletedBot, replacedModel } from '../storage/failures.js';
import type { FileRecords, UploadAddresses } from '../storage/file-records.js';
import type { Folders } from '../storage/folders.js';
import type { KnowledgeBases } from '../storage/knowledge-bases.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { OnStage } from '../storage/search-stage.js';
import type { ModelIdentity, Models, Reembeddings, Storage, StorageNode } from '../storage/storage.js';
import { type BotRecords, botRecords } from './accounts/bot-records.js';
import { signingKey } from './accounts/signing-key.js';
import { WeaviateAccounts } from './accounts/weaviate-accounts.js';
import { WeaviateFolders } from './bots/weaviate-folders.js';
import { WeaviateKnowledgeBases } from './bots/weaviate-knowledge-bases.js';
import type { Cluster, Finder } from './connection/cluster.js';
import { WeaviateContents } from './contents/weaviate-contents.js';
import { WeaviateCopies } from './copies/weaviate-copies.js';
import { WeaviateFileRecords } from './files/weaviate-file-records.js';
import { WeaviateUploadAddresses } from './files/weaviate-upload-addresses.js';
import { openFileWriter, openPassageStore } from './passages/open-passage-store.js';
import { KeyLocks } from './records/key-locks.js';
import { WeaviateReembeddings } from './reembedding/weaviate-reembeddings.js';
import { nodeStates } from './schema/node-states.js';

/** How to store in a cluster. */
export interface WeaviateStorageOptions {
  /** The folder that indexed folders are recorded relative to. */
  readonly base: string;
  /** The stem of a term. */
  readonly stem: (term: string) => string;
  readonly onStage: OnStage | undefined;
}

/** A storage in a Weaviate cluster. Assembles the parts of `weaviate/`. */
export class WeaviateStorage implements Storage {
  readonly base: string;
  readonly accounts: Accounts;
  readonly models: Models;
  readonly uploads: UploadAddresses;
  readonly contents: Contents;
  readonly copies: Copies;
  readonly #cluster: Cluster;
  readonly #options: WeaviateStorageOptions;
  readonly #records: BotRecords;
  readonly #reembeddings: WeaviateReembeddings;
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
    this.#reembeddings = new WeaviateReembeddings(cluster, {
      ...{ models: accounts.models, stem: options.stem },
      locksOf: (bot) => this.#locksOf(bot),
    });
    this.uploads = new WeaviateUploadAddresses(cluster);
    this.contents = new WeaviateContents(cluster);
    this.copies = new WeaviateCopies(cluster, { stem: options.stem, locksOf: (bot) => this.#locksOf(bot) });
  }

  get reembeddings(): Reembeddings {
    return this.#reembeddings;
  }

  get location(): string {
    return this.#cluster.location;
  }

  async fileRecords(bot: string): Promise<FileRecords> {
    const locks = this.#locksOf(bot);
    return new WeaviateFileRecords(this.#cluster, {
      ...{ bot, locks },
      writer: async () => {
        const model = await this.models.ofBot(bot);
        if (!model) throw deletedBot();
        const { fingerprint } = model;
        return openFileWriter(this.#cluster, { bot, fingerprint, stem: this.#options.stem });
      },
    });
  }

  async knowledgeBases(bot: string): Promise<KnowledgeBases> {
    return new WeaviateKnowledgeBases(this.#cluster, bot, this.#locksOf(bot));
  }

  async folders(bot: string): Promise<Folders> {
    return new WeaviateFolders(this.#cluster, bot, this.#locksOf(bot));
  }

  async passages(bot: string, model: ModelIdentity): Promise<PassageStore> {
    const { stem, onStage } = this.#options;
    const checkModel = (find?: Finder) => this.#checkModel(bot, { model, find });
    const sweepModels = () => this.#reembeddings.sweep(bot);
    const locks = this.#locksOf(bot);
    return openPassageStore(this.#cluster, { bot, model, stem, onStage, checkModel, locks, sweepModels });
  }

  async signingKey(): Promise<Uint8Array> {
    return signingKey(this.#cluster);
  }

  /** Weaviate does not report the bytes that it stores. */
  async size(): Promise<undefined> {
    return undefined;
  }

  async nodes(bot: string): Promise<StorageNode[]> {
    return nodeStates(this.#cluster, bot);
  }

  /** Nothing to do: every write is acknowledged when it ends. */
  async sync(): Promise<void> {}

  /** Nothing to check: each request reports the state of the cluster. */
  assertNotReplaced(): void {}

  close(): void {
    this.#cluster.close();
  }

  async #checkModel(
    bot: string,
    { model, find }: { readonly model: ModelIdentity; readonly find: Finder | undefined },
  ): Promise<void> {
    const { models } = this.#records;
    const recorded = find ? await models.findIn(find, bot) : await models.find(bot);
    if (!recorded) throw deletedBot();
    if (recorded.fingerprint === model.fingerprint) return;
    const name = (await this.accounts.bots.find(bot))?.name ?? bot;
    throw replacedModel(name, { now: recorded.id, before: model.id });
  }

  #locksOf(bot: string): KeyLocks {
    const locks = this.#locks.get(bot) ?? new KeyLocks();
    this.#locks.set(bot, locks);
    return locks;
  }
}
