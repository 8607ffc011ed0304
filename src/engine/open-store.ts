import { reasonOf } from '../domain/errors.js';
import { BUNDLED, type OpenedEmbedder } from '../embed/open-embedder.js';
import type { CuttingOptions } from '../formats/parser.js';
import type { Parser } from '../indexing/indexing.js';
import { reembedFiles } from '../indexing/reembed-files.js';
import type { BotRecord } from '../storage/accounts.js';
import type { PassageStore } from '../storage/passage-store.js';
import type { ModelRecord, Storage } from '../storage/storage.js';
import { type EngineOptions, warnerOf } from './engine-options.js';
import { type EngineStore, fixedStore } from './engine-store.js';
import { isFormerDefault } from './models/recorded-model.js';
import { ReembeddingStore } from './reembedding/reembedding-store.js';

interface OpenStoreOptions {
  readonly storage: Storage;
  readonly opened: OpenedEmbedder;
  readonly parser: Parser;
  readonly cutting: CuttingOptions;
  readonly options: Pick<EngineOptions, 'onWarning'>;
}

/**
 * The passages of a bot. If they were embedded with a former default model, and the present one is opened, they are
 * re-embedded from now on. Throws `MODEL_MISMATCH`.
 */
export async function openStore(bot: BotRecord, using: OpenStoreOptions): Promise<EngineStore> {
  const { storage, opened } = using;
  const recorded = await storage.models.ofBot(bot.id);
  if (recorded && isFormerDefault(recorded) && opened.location?.folder === BUNDLED) {
    const former = await storage.passages(bot.id, recorded);
    const { files } = await former.counts();
    if (files > 0) return reembedding(bot, { ...using, recorded, former });
  }
  const { card } = opened.embedder;
  await storage.models.assign(bot.id, { card, location: opened.location });
  return fixedStore(await storage.passages(bot.id, card));
}

function reembedding(
  bot: BotRecord,
  {
    storage,
    opened,
    parser,
    cutting,
    options,
    recorded,
    former,
  }: OpenStoreOptions & { recorded: ModelRecord; former: PassageStore },
): EngineStore {
  const { embedder, location } = opened;
  const { card } = embedder;
  const warn = warnerOf(options);
  warn(
    `The files of bot "${bot.name}" were embedded with ${recorded.id}, the default model of an earlier version. ` +
      `They are being re-embedded with ${card.id}: until that is done, searches find them by their words, ` +
      'and changes wait.',
  );
  return new ReembeddingStore({
    former,
    async reembed(running) {
      const staged = await storage.reembeddings.open(bot.id, { card, location });
      await reembedFiles(staged, { ...running, embedder, parser, cutting });
      return storage.passages(bot.id, card);
    },
    onFailure: (error) => {
      const reason = reasonOf(error);
      warn(`The files of bot "${bot.name}" could not be re-embedded with ${card.id}: ${reason}`);
    },
  });
}
