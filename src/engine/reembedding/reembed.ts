import { openEmbedder } from '../../embed/open-embedder.js';
import type { IndexProgress } from '../../indexing/progress.js';
import { reembedFiles } from '../../indexing/reembed-files.js';
import type { PassageStore } from '../../storage/passage-store.js';
import { closingAll } from '../close-all.js';
import { cuttingOf } from '../cutting-options.js';
import { type EngineOptions, validateOpening } from '../engine-options.js';
import { locationOf, sourceOf } from '../models/recorded-model.js';
import { findOrCreateBot } from '../open-engine.js';
import { openStorage } from '../open-storage.js';
import { parserOf } from '../parsers.js';

/** How to re-embed the files of a bot. */
export interface ReembedOptions extends Omit<EngineOptions, 'create' | 'onStage'> {
  /** Called as texts are cut and embedded. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Stops the run. What is done stays, and the next run continues from there. */
  readonly signal?: AbortSignal | undefined;
}

/** What a re-embedding did. */
export interface ReembedResult {
  /** False if the files were embedded with this model already, or if there were none. */
  readonly changed: boolean;
  /** The model's name. */
  readonly model: string;
  readonly files: number;
  readonly passages: number;
  /** Texts that this run embedded; those of an interrupted earlier run are not counted. */
  readonly embedded: number;
}

/**
 * Embeds the files of a bot with another model, from their stored texts. Until everything is done, searches use the old
 * model; then one transaction switches, and engines that are open with the old model throw `MODEL_MISMATCH` (a host
 * opens the bot again by itself). That transaction keeps this process busy, and other writers waiting, for about a
 * second per 10,000 passages.
 *
 * A run that was stopped or killed is continued by the next one with the same model. A run with another model, or with
 * the one that the files have, discards it, and so does indexing after a week. The model defaults to that of an
 * unfinished run, then to the recorded one as it is now. An embedder that is passed as an object is closed at the end.
 *
 * Throws `INDEX_MISSING`, `BOT_MISSING`, `MODEL_MISSING`, `MODEL_INVALID`, `ABORTED`, and `TEXT_TOO_LONG` for a passage
 * of `setFilePassages` that the model cannot read whole.
 */
export async function reembed(options: ReembedOptions): Promise<ReembedResult> {
  const valid = validateOpening(options);
  return closingAll(async (closers) => {
    const storage = await openStorage({ ...valid, create: false });
    let store: PassageStore | undefined;
    closers.push(async () => {
      try {
        await store?.close();
      } finally {
        storage.close();
      }
    });
    const bot = await findOrCreateBot(storage, valid.bot);
    const unfinished = await storage.reembeddings.unfinishedModel(bot.id);
    const recorded = await storage.models.ofBot(bot.id);
    const source = valid.model ?? (unfinished ? locationOf({ source: unfinished }) : sourceOf(recorded));
    const { embedder, location } = await openEmbedder(source, valid);
    closers.push(() => embedder.close());
    const { card } = embedder;
    const cutting = cuttingOf(valid, card);
    const parser = parserOf(embedder, cutting);
    closers.push(() => parser.close());
    const changed = recorded !== undefined && recorded.fingerprint !== card.fingerprint;
    let embedded = 0;
    if (changed) {
      const staged = await storage.reembeddings.open(bot.id, { card, location });
      embedded = await reembedFiles(staged, { ...valid, embedder, parser, cutting });
    } else {
      await storage.models.assign(bot.id, { card, location });
      await storage.reembeddings.discard(bot.id);
    }
    store = await storage.passages(bot.id, card);
    await store.flush({ signal: valid.signal });
    const { files, passages } = await store.counts();
    return { changed: changed && files > 0, model: card.id, files, passages, embedded };
  });
}
