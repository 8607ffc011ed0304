import type { BotRecord, TokenRecord, WorkspaceRecord } from '../../storage/accounts.js';
import type { CopiedModel, Copies, FileCopies } from '../../storage/copies.js';
import { missingBot } from '../../storage/failures.js';
import type { KnowledgeBaseRecord } from '../../storage/knowledge-bases.js';
import { botRecords } from '../accounts/bot-records.js';
import { putSigningKey } from '../accounts/signing-key.js';
import { WeaviateTokens } from '../accounts/weaviate-tokens.js';
import { workspaceRecords } from '../accounts/weaviate-workspaces.js';
import { WeaviateKnowledgeBases } from '../bots/weaviate-knowledge-bases.js';
import type { Cluster } from '../connection/cluster.js';
import { ContentPieces } from '../contents/content-pieces.js';
import { WeaviateContents } from '../contents/weaviate-contents.js';
import { FileHeads } from '../files/file-heads.js';
import { FileWriter } from '../passages/file-writer.js';
import { writerParts } from '../passages/open-passage-store.js';
import { PassageTexts } from '../passages/passage-texts.js';
import type { KeyLocks } from '../records/key-locks.js';
import { PASSAGES } from '../schema/collections.js';
import { createBotTenants, createTenant, passagesTenant } from '../schema/tenants.js';
import { WeaviateFileCopies } from './weaviate-file-copies.js';

/** What copies are made with. */
export interface WeaviateCopiesParts {
  /** The stem of a term. */
  readonly stem: (term: string) => string;
  /** Shared with what else writes the files of a bot in this process. */
  readonly locksOf: (bot: string) => KeyLocks;
}

/** Copies in a cluster. */
export class WeaviateCopies implements Copies {
  readonly #cluster: Cluster;
  readonly #parts: WeaviateCopiesParts;

  constructor(cluster: Cluster, parts: WeaviateCopiesParts) {
    this.#cluster = cluster;
    this.#parts = parts;
  }

  async putWorkspace(workspace: WorkspaceRecord): Promise<void> {
    await workspaceRecords(this.#cluster).put(workspace);
  }

  async putBot(bot: BotRecord): Promise<void> {
    // First, so that nobody finds the bot without them.
    await createBotTenants(this.#cluster, bot.id);
    await botRecords(this.#cluster).bots.put(bot);
  }

  async putToken(token: TokenRecord): Promise<void> {
    await new WeaviateTokens(this.#cluster).put(token);
  }

  async putKnowledgeBase(botId: string, base: KnowledgeBaseRecord): Promise<void> {
    await this.#assertBot(botId);
    await new WeaviateKnowledgeBases(this.#cluster, botId).put(base);
  }

  async putSigningKey(key: Uint8Array): Promise<void> {
    await putSigningKey(this.#cluster, key);
  }

  async files(bot: string, model: CopiedModel | undefined): Promise<FileCopies> {
    await this.#assertBot(bot);
    const cluster = this.#cluster;
    const locks = this.#parts.locksOf(bot);
    const staging = new WeaviateContents(cluster);
    if (!model) {
      const parts = { heads: new FileHeads(cluster, bot), contents: new ContentPieces(cluster, bot) };
      return new WeaviateFileCopies({ ...parts, staging, locks, passages: undefined });
    }
    const { fingerprint, dimensions } = model;
    await createTenant(cluster, PASSAGES, passagesTenant(bot, fingerprint));
    const parts = writerParts(cluster, { bot, fingerprint, stem: this.#parts.stem });
    const { heads, contents, bodies, objects } = parts;
    const texts = new PassageTexts(objects, parts);
    const passages = { bodies, texts, writer: new FileWriter(parts), dimensions };
    return new WeaviateFileCopies({ heads, contents, staging, locks, passages });
  }

  async #assertBot(id: string): Promise<void> {
    if (!(await botRecords(this.#cluster).bots.find(id))) throw missingBot(id);
  }
}
