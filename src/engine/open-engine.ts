import { nameSchema } from '../contract/names.js';
import { shown } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { type OpenedEmbedder, openEmbedder } from '../embed/open-embedder.js';
import type { BotRecord } from '../storage/accounts.js';
import type { Storage } from '../storage/storage.js';
import { assembleEngine } from './assemble-engine.js';
import { closeAll } from './close-all.js';
import { cuttingOf } from './cutting-options.js';
import type { SearchEngine } from './engine.js';
import { type EngineOptions, validateOpening } from './engine-options.js';
import { sourceOf } from './models/recorded-model.js';
import { isNewDatabase, openStorage } from './open-storage.js';

const DEFAULT_BOT = 'default';

/**
 * Opens an index, and creates it if there is none. Throws `INDEX_MISSING` (with `create: false`), `BOT_MISSING`,
 * `MODEL_MISSING`, `MODEL_INVALID`, `MODEL_MISMATCH`, `DATABASE_DAMAGED`, `DATABASE_TOO_NEW`, `DATABASE_UNWRITABLE`,
 * `BUSY`, `ABORTED`.
 */
export async function openEngine(options: EngineOptions): Promise<SearchEngine> {
  const valid = validateOpening(options);
  const { bot: name, model, processes, signal } = valid;
  let storage: Storage | undefined;
  let opened: OpenedEmbedder | undefined;
  try {
    if ((valid.create ?? true) && isNewDatabase(valid)) {
      // Report wrong options before a database is created.
      if (name !== undefined && name !== DEFAULT_BOT) throw noBot(name);
      opened = await openEmbedder(model, { processes, signal });
      cuttingOf(valid, opened.embedder.card);
    }
    storage = await openStorage(valid);
    const bot = await findOrCreateBot(storage, name);
    opened ??= await openEmbedder(model ?? sourceOf(await storage.models.ofBot(bot.id)), { processes, signal });
    return await assembleEngine(bot, { storage, opened, options: valid });
  } catch (error) {
    // The caller needs the first error, not one of closing.
    await closeAll([() => storage?.close(), () => opened?.embedder.close()]).catch(() => {});
    throw error;
  }
}

/** A bot by id or name; the default bot is created if needed. Throws `BOT_MISSING`. */
export async function findOrCreateBot({ accounts }: Storage, idOrName = DEFAULT_BOT): Promise<BotRecord> {
  const found = await accounts.bots.find(idOrName);
  if (found) return found;
  if (idOrName === DEFAULT_BOT) return accounts.bots.ensure(DEFAULT_BOT);
  throw noBot(idOrName);
}

function noBot(name: string): WaymarkError {
  const word = /^[\w.-]+$/.test(name) ? name : `"${name}"`;
  const canBeCreated = nameSchema.safeParse(name).success;
  const next = canBeCreated ? `create it with: waymark bot create ${word}` : 'list the bots with: waymark bot list';
  return new WaymarkError('BOT_MISSING', `There is no bot ${shown(name)}: ${next}`);
}
