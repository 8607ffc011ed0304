import { plainOptions, validate } from '../contract/validate.js';
import type { Abortable } from '../domain/abortable.js';
import { hasCode, WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import type { ModelSource } from '../embed/open-embedder.js';
import { type EngineOptions, validateOpening } from '../engine/engine-options.js';
import { openStorage } from '../engine/open-storage.js';
import { observer } from '../indexing/observer.js';
import type { BotRecord } from '../storage/accounts.js';
import type { Storage } from '../storage/storage.js';
import { botsOf, copyAccounts } from './copy-accounts.js';
import { type CopiedBot, type CopyBotOptions, type CopyProgress, copyBot } from './copy-bot.js';
import type { Route } from './route.js';

/** A database, or a cluster: one of the two. */
export type CopyPlace = Pick<EngineOptions, 'database' | 'cluster'>;

/** What to copy. */
export interface CopyOptions extends Abortable {
  /** It must be there; what it holds is not changed. */
  readonly from: CopyPlace;
  /** Created if it is not there. */
  readonly to: CopyPlace;
  /** Name or id of the only bot to copy. Defaults to all bots, with access tokens and the key that addresses need. */
  readonly bot?: string | undefined;
  /** Whether files and folders are removed that only the target has, of the bots that are copied. Defaults to false. */
  readonly delete?: boolean | undefined;
  /** The embedder of bots whose files were embedded with one that was passed as an object. It stays open. */
  readonly model?: ModelSource | undefined;
  /** Called at the start of each phase of a bot, and after each file or question. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
}

/** What was copied. */
export interface CopyResult {
  /** Shown to people: the path of the database, or the addresses of the cluster. */
  readonly from: string;
  /** The same of the target. */
  readonly to: string;
  readonly bots: readonly CopiedBot[];
  /** Notes about workspaces, tokens and the signing key, one sentence each. */
  readonly notes: readonly string[];
  /** Whether all that was copied is alike in both. */
  readonly isAlike: boolean;
}

const schema = z.object({ delete: z.boolean().optional().describe('true or false') });

/**
 * Copies a database into a cluster, a cluster into a database, or either into another one, with ids, times and
 * embeddings. Files that the target has in the same state are skipped, so that a copy that was stopped continues. Then
 * both are asked the same questions. Throws `INDEX_MISSING`, `BOT_MISSING`, `BOT_EXISTS`, `MODEL_MISSING`,
 * `MODEL_MISMATCH`, `INVALID_ARGUMENT`, `ABORTED`, and what opening a database or a cluster throws.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopyResult> {
  const { bot, model, signal, onProgress } = plainOptions(options);
  const source = validateOpening({ ...options.from, bot, model, signal, onProgress });
  const target = validateOpening({ ...options.to });
  const { delete: isExact = false } = validate(schema, { delete: options.delete });
  const report = onProgress ? observer('onProgress', onProgress) : () => {};
  const from = await openStorage({ ...source, create: false });
  let to: Storage | undefined;
  try {
    const bots = bot === undefined ? await botsOf(from) : [await findBot(from, bot)];
    to = await openStorage({ ...target, create: true });
    if (from.location === to.location) {
      throw new WaymarkError('INVALID_ARGUMENT', `from and to are the same, ${to.location}: pass two places.`);
    }
    const route: Route = { from, to };
    const { notes, failed } = await copyAccounts(route, { bots, areAll: bot === undefined });
    const how = { model: source.model, isExact, signal, onProgress: report };
    const copied: CopiedBot[] = [];
    for (const each of bots) copied.push(await copyUnlessGone(each, route, how));
    await to.sync();
    const isAlike = failed.length === 0 && copied.every((each) => each.isAlike);
    return { from: from.location, to: to.location, bots: copied, notes: [...notes, ...failed], isAlike };
  } finally {
    try {
      to?.close();
    } finally {
      from.close();
    }
  }
}

/** Copies a bot. One that is deleted meanwhile, or whose records are damaged, is named: the others are copied. */
async function copyUnlessGone(bot: BotRecord, route: Route, options: CopyBotOptions): Promise<CopiedBot> {
  const { id, name } = bot;
  const nothing: CopiedBot = {
    ...{ id, name, copied: 0, unchanged: 0, removed: 0, left: 0, failed: [], passages: 0, notes: [], isAlike: false },
  };
  let failure: string | undefined;
  const copied = await copyBot(bot, route, options).catch((error: unknown) => {
    if (!hasCode(error, 'BOT_MISSING', 'DATABASE_DAMAGED')) throw error;
    failure = `Bot "${name}" was not copied: ${error.message}`;
    return nothing;
  });
  const note = (await deletionOf(bot, route)) ?? failure;
  return note === undefined ? copied : { ...copied, notes: [...copied.notes, note], isAlike: false };
}

/** Says on which side a bot was deleted while it was copied, and what to do; undefined if both sides have it. */
async function deletionOf({ id, name }: BotRecord, { from, to }: Route): Promise<string | undefined> {
  const isIn = async ({ accounts }: Storage) => (await accounts.bots.withId(id)) !== undefined;
  const deleted = `Bot "${name}" was deleted while it was copied, in`;
  if (!(await isIn(from))) return `${deleted} ${from.location}: delete it in ${to.location}, too, if it is there.`;
  return (await isIn(to)) ? undefined : `${deleted} ${to.location}: copy again.`;
}

async function findBot({ accounts, location }: Storage, name: string): Promise<BotRecord> {
  const found = await accounts.bots.find(name);
  if (found) return found;
  throw new WaymarkError(
    'BOT_MISSING',
    `There is no bot "${name}" in ${location}: pass the name or id of another one.`,
  );
}
