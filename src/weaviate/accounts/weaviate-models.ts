import type { SimilarityScale } from '../../domain/similarity-scale.js';
import { assertSameDimensions, missingBot, otherModel } from '../../storage/failures.js';
import { type ModelRecord, type Models, type ModelToRecord, sourceToRecord } from '../../storage/storage.js';
import type { Cluster } from '../connection/cluster.js';
import { FileHeads } from '../files/file-heads.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';
import type { BotRecords } from './bot-records.js';

/** The models of bots, in a cluster. The one that is recorded for a bot decides which of its passages are searched. */
export class WeaviateModels implements Models {
  readonly #cluster: Cluster;
  readonly #bots: BotRecords;
  readonly #similarities: Records<SimilarityScale>;

  constructor(cluster: Cluster, bots: BotRecords) {
    this.#cluster = cluster;
    this.#bots = bots;
    this.#similarities = new Records<SimilarityScale>(cluster, { collection: ACCOUNTS, kind: 'similarity' });
  }

  async ofBot(botId: string): Promise<ModelRecord | undefined> {
    const recorded = await this.#bots.models.find(botId);
    return recorded && modelOf(recorded);
  }

  async assign(botId: string, model: ModelToRecord): Promise<void> {
    const { card } = model;
    const known = await this.ofBot(botId);
    if (known) assertSameDimensions(known, card);
    const isSame = known?.fingerprint === card.fingerprint;
    const source = sourceToRecord(model) ?? (isSame ? known.source : null);
    if (isSame && source === known.source) return;
    const bot = await this.#bots.bots.find(botId);
    if (!bot) throw missingBot(botId);
    const differs = known && !isSame;
    if (differs && (await new FileHeads(this.#cluster, botId).hasAny())) throw otherModel(bot.name, known, card);
    await this.record(botId, model);
  }

  /** Sets the model of a bot, whatever its files were embedded with. */
  async record(botId: string, model: ModelToRecord): Promise<void> {
    const known = await this.ofBot(botId);
    const record = modelRecordOf(model);
    const source = record.source ?? (known?.fingerprint === record.fingerprint ? known.source : null);
    await this.#bots.models.put({ id: botId, body: { bot: botId, ...record, source } });
  }

  async similarity(fingerprint: string): Promise<SimilarityScale | undefined> {
    return this.#similarities.find(fingerprint);
  }

  async setSimilarity(fingerprint: string, similarity: SimilarityScale): Promise<void> {
    await this.#similarities.put({ id: fingerprint, body: similarity });
  }
}

/** A model as it is recorded. */
export function modelRecordOf(model: ModelToRecord): ModelRecord {
  const { id, fingerprint, dimensions } = model.card;
  return { id, fingerprint, dimensions, source: sourceToRecord(model) };
}

function modelOf({ id, fingerprint, dimensions, source }: ModelRecord): ModelRecord {
  return { id, fingerprint, dimensions, source };
}
