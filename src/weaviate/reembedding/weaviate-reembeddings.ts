import { randomUUID } from 'node:crypto';
import { missingBot } from '../../storage/failures.js';
import { REEMBEDDING_LIFETIME, type StagedFiles, type UnfinishedReembedding } from '../../storage/staged-files.js';
import type { ModelRecord, ModelToRecord, Reembeddings } from '../../storage/storage.js';
import { modelRecordOf, type WeaviateModels } from '../accounts/weaviate-models.js';
import type { Cluster } from '../connection/cluster.js';
import { ABANDONED_AFTER } from '../files/writes.js';
import { FileWriter } from '../passages/file-writer.js';
import { writerParts } from '../passages/open-passage-store.js';
import { PassageBodies } from '../passages/passage-bodies.js';
import { PassageTexts } from '../passages/passage-texts.js';
import { TermFrequencies } from '../passages/term-frequencies.js';
import type { KeyLocks } from '../records/key-locks.js';
import { PASSAGES } from '../schema/collections.js';
import { createTenant, passagesTenant, removeTenant } from '../schema/tenants.js';
import { ReembeddingRecords } from './reembedding-records.js';
import { WeaviateStagedFiles } from './weaviate-staged-files.js';

/** What re-embeddings work with. */
export interface WeaviateReembeddingsParts {
  readonly models: WeaviateModels;
  readonly stem: (term: string) => string;
  /** Shared with what else writes the files of a bot in this process. */
  readonly locksOf: (bot: string) => KeyLocks;
}

/** Re-embeddings in a cluster. */
export class WeaviateReembeddings implements Reembeddings {
  readonly #cluster: Cluster;
  readonly #parts: WeaviateReembeddingsParts;

  constructor(cluster: Cluster, parts: WeaviateReembeddingsParts) {
    this.#cluster = cluster;
    this.#parts = parts;
  }

  async open(bot: string, model: ModelToRecord): Promise<StagedFiles> {
    if (!(await this.#parts.models.ofBot(bot))) throw missingBot(bot);
    return this.#open(bot, { record: modelRecordOf(model), switchModel: () => this.#switch(bot, model) });
  }

  async unfinished(bot: string): Promise<UnfinishedReembedding | undefined> {
    const current = await this.#unfinished(bot);
    if (!current) return undefined;
    const staged = await new ReembeddingRecords(this.#cluster, bot).staged.list();
    const { objects } = writerParts(this.#cluster, { bot, fingerprint: current.fingerprint, stem: this.#parts.stem });
    const { passages, embedded } = await new TermFrequencies(objects).readTotals();
    return { model: current.id, files: staged.length, passages, embedded };
  }

  async unfinishedModel(bot: string): Promise<string | undefined> {
    return (await this.#unfinished(bot))?.source ?? undefined;
  }

  async discard(bot: string): Promise<void> {
    const records = new ReembeddingRecords(this.#cluster, bot);
    const current = await records.current();
    if (!current) return;
    const { model } = current;
    if ((await this.#parts.models.ofBot(bot))?.fingerprint === model.fingerprint) {
      // The process that completed it has died before it described the files.
      await this.#open(bot, { record: model, switchModel: async () => {} }).describe();
    } else {
      await this.#removePassages(bot, model.fingerprint);
    }
    await records.end();
  }

  /** Discards a re-embedding that nobody continued, and removes passages of models that were replaced a while ago. */
  async sweep(bot: string, now = Date.now()): Promise<void> {
    const records = new ReembeddingRecords(this.#cluster, bot);
    const current = await records.current();
    if (current && now - current.touched > REEMBEDDING_LIFETIME) await this.discard(bot);
    for (const { fingerprint, since } of await records.former.list()) {
      // Searches may have begun before the model was replaced.
      if (now - since < ABANDONED_AFTER) continue;
      const used = [(await this.#parts.models.ofBot(bot))?.fingerprint, (await records.current())?.model.fingerprint];
      if (!used.includes(fingerprint)) await this.#removePassages(bot, fingerprint);
      await records.former.remove(fingerprint);
    }
  }

  #open(
    bot: string,
    { record, switchModel }: { readonly record: ModelRecord; readonly switchModel: () => Promise<void> },
  ): WeaviateStagedFiles {
    const { models, stem, locksOf } = this.#parts;
    const { fingerprint } = record;
    const records = new ReembeddingRecords(this.#cluster, bot);
    const parts = writerParts(this.#cluster, { bot, fingerprint, stem });
    const presentModel = async () => (await models.ofBot(bot))?.fingerprint;
    return new WeaviateStagedFiles({
      ...{ ...parts, model: record, records, locks: locksOf(bot), presentModel, switchModel },
      writer: new FileWriter(parts),
      texts: new PassageTexts(parts.objects, parts),
      presentBodies: async () =>
        new PassageBodies(this.#cluster, { bot, fingerprint: (await presentModel()) ?? fingerprint }),
      begin: () => this.#begin(bot, record),
    });
  }

  /** Gives a bot the model; its former one is removed by a sweep. */
  async #switch(bot: string, model: ModelToRecord): Promise<void> {
    const { models } = this.#parts;
    const former = await models.ofBot(bot);
    if (!former) throw missingBot(bot);
    if (former.fingerprint === model.card.fingerprint) return;
    const { fingerprint } = former;
    await new ReembeddingRecords(this.#cluster, bot).former.put({
      ...{ id: fingerprint, body: { fingerprint, since: Date.now() } },
    });
    await models.record(bot, model);
  }

  /** Begins a re-embedding, or continues it. Of several processes that begin one, the first clears its place. */
  async #begin(bot: string, model: ModelRecord): Promise<void> {
    const records = new ReembeddingRecords(this.#cluster, bot);
    const claim = { owner: randomUUID(), name: 'begin' };
    const begin = async (isLate: () => boolean) => {
      // Another process may have completed it since this one was asked to.
      if ((await this.#parts.models.ofBot(bot))?.fingerprint === model.fingerprint) return true;
      const current = await records.current();
      if (current?.model.fingerprint !== model.fingerprint) await this.#clear(bot, model.fingerprint);
      if (isLate()) return undefined;
      await createTenant(this.#cluster, PASSAGES, passagesTenant(bot, model.fingerprint));
      await records.touch(model);
      return true;
    };
    await records.claims.inTurn(claim, begin);
  }

  /** Removes what was staged for another model, and what is left of an earlier time when the bot had this one. */
  async #clear(bot: string, fingerprint: string): Promise<void> {
    const records = new ReembeddingRecords(this.#cluster, bot);
    await this.discard(bot);
    // `discard` ends a re-embedding that goes on. A process that was held up may have staged a file after the end.
    await records.end();
    await this.#removePassages(bot, fingerprint);
    await records.former.remove(fingerprint);
  }

  async #removePassages(bot: string, fingerprint: string): Promise<void> {
    await removeTenant(this.#cluster, PASSAGES, passagesTenant(bot, fingerprint));
    await new PassageBodies(this.#cluster, { bot, fingerprint }).removeAll();
  }

  /** The model of a re-embedding that is not complete. */
  async #unfinished(bot: string): Promise<ModelRecord | undefined> {
    const current = await new ReembeddingRecords(this.#cluster, bot).current();
    if (!current) return undefined;
    const present = await this.#parts.models.ofBot(bot);
    return present?.fingerprint === current.model.fingerprint ? undefined : current.model;
  }
}
