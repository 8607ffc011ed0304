import path from 'node:path';
import { openEmbedder } from '../embed/open.js';
import type { IndexProgress } from '../indexing/progress.js';
import { reembedFiles } from '../indexing/reembed-files.js';
import { Bots } from '../sqlite/accounts/bots.js';
import { openDatabase, sqliteError } from '../sqlite/connection/database.js';
import { giveUpReembedding, Reembedding, unfinishedModel } from '../sqlite/reembedding/reembedding.js';
import { assembleStore, cuttingOf, parserOf } from './assemble-engine.js';
import { type EngineOptions, findBot, recordedModel } from './open-engine.js';

export interface ReembedOptions extends Omit<EngineOptions, 'create' | 'onStage'> {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Stops the run; what is done stays, and the next run goes on from there. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReembedResult {
  /** False where the files were embedded with this model already, or there were none: then nothing was to be done. */
  readonly changed: boolean;
  /** The model's name. */
  readonly model: string;
  readonly files: number;
  readonly passages: number;
  /** Texts that this run has embedded: not those of a run before that did not come to its end. */
  readonly embedded: number;
}

/**
 * Embeds a bot's files with another model, from their stored texts. Until all is done everybody searches with the old
 * one; then one transaction puts everything in place, and engines that are open with the old model throw
 * `MODEL_MISMATCH` from then on (a host opens the bot again by itself). A run that was stopped or killed is taken up by
 * the next one with the same model; one with another model, or with the one that the files have, gives it up, and so
 * does indexing when a week has passed. Without a model: that of an unfinished run, or the recorded one as it is in its
 * place now; an embedder that is given is closed in the end. That last transaction keeps this process busy, and others
 * that write waiting, for about a second for 10,000 passages. Throws `INDEX_MISSING`, `BOT_MISSING`, `MODEL_MISSING`, `MODEL_INVALID`, `ABORTED`, `TEXT_TOO_LONG`
 * for a passage of `setFilePassages` that the model cannot read whole.
 */
export async function reembed(options: ReembedOptions): Promise<ReembedResult> {
  const file = path.resolve(options.database);
  const database = openDatabase(file, { create: false });
  let close = async () => {};
  try {
    const bots = new Bots(database);
    const bot = findBot(bots, options.bot);
    const unfinished = unfinishedModel(database, bot.number);
    const source = options.model ?? (unfinished ? JSON.parse(unfinished) : recordedModel(bots, bot));
    const { embedder, location } = await openEmbedder(source, { processes: options.processes });
    close = () => embedder.close();
    const { card } = embedder;
    const cutting = cuttingOf(options, card);
    // Its threads start with the first text.
    const parser = parserOf(embedder, cutting);
    const recorded = bots.modelOf(bot.number);
    const number = bots.recordModel({ card, location });
    const { store, embeddings, passages } = assembleStore(bot, { database, model: { number, card }, options });
    close = async () => {
      await Promise.all([embedder.close(), parser.close(), store.close()]);
    };
    const changed = recorded !== undefined && recorded.fingerprint !== card.fingerprint;
    let embedded = 0;
    if (changed) {
      const reembedding = new Reembedding(database, { bot: bot.number, model: number, embeddings, passages });
      embedded = await reembedFiles(reembedding, { ...options, embedder, parser, cutting });
    } else {
      bots.setModel(bot.number, { card, location });
      giveUpReembedding(database, bot.number);
    }
    await store.settle({ signal: options.signal });
    const counts = await store.counts();
    return {
      changed: changed && counts.files > 0,
      model: card.id,
      files: counts.files,
      passages: counts.passages,
      embedded,
    };
  } catch (error) {
    throw sqliteError(error, file);
  } finally {
    await close();
    database.close();
  }
}
