import { hasCode, reasonOf } from '../../domain/errors.js';
import type { BotRecord } from '../../storage/accounts.js';
import type { Storage } from '../../storage/storage.js';
import type { FileUploads } from '../uploads/file-uploads.js';
import { RegularWork } from './regular-work.js';

/** Milliseconds between two removals of what has expired. */
const REMOVAL = 60_000;

/** Milliseconds between two looks for files that other processes have left: such a file waits for two of them. */
const LOOK = 10_000;

/** What the tasks of a host work on. */
export interface HostTasksParts {
  readonly storage: Storage;
  /** Opens a bot. */
  readonly uploadsOf: (bot: BotRecord) => Promise<FileUploads>;
  readonly warn: (message: string) => void;
}

/** Removes what has expired, and takes up what other processes have left, now and then. */
export class HostTasks {
  readonly #parts: HostTasksParts;
  readonly #works: readonly RegularWork[];

  /** Begins at once. */
  constructor(parts: HostTasksParts) {
    const { warn } = parts;
    this.#parts = parts;
    this.#works = [
      new RegularWork(() => this.#removeExpired(), {
        every: REMOVAL,
        failed: (reason) => warn(`Not everything that has expired could be removed; it is tried again. ${reason}`),
      }),
      new RegularWork(() => eachWithPending(parts, (uploads) => uploads.takeUp()), {
        every: LOOK,
        failed: (reason) => warn(`Not all files that wait could be queued for indexing; it is tried again. ${reason}`),
      }),
    ];
  }

  /** Resolves once the runs in progress have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#works.map((work) => work.stop()));
  }

  async #removeExpired(): Promise<void> {
    const { storage, uploadsOf } = this.#parts;
    await storage.accounts.tokens.removeExpired();
    await storage.contents.removeAbandoned();
    const bots = await storage.accounts.bots.withExpiredFiles();
    await forEachBot(bots, async (bot) => (await uploadsOf(bot)).removeExpired());
  }
}

/**
 * Runs work for each bot that has files which wait to be indexed. Throws `BotsFailed` after the last one if it failed
 * for some of them.
 */
export async function eachWithPending(
  { storage, uploadsOf }: Pick<HostTasksParts, 'storage' | 'uploadsOf'>,
  work: (uploads: FileUploads) => Promise<void>,
): Promise<void> {
  await forEachBot(await storage.accounts.bots.withPendingFiles(), async (bot) => work(await uploadsOf(bot)));
}

/** What failed for some bots, such as one whose model is gone. */
export class BotsFailed extends AggregateError {}

/** Runs work for one bot after the other: what fails for one of them keeps no other waiting. */
async function forEachBot(bots: readonly BotRecord[], work: (bot: BotRecord) => Promise<void>): Promise<void> {
  const failures: { readonly name: string; readonly error: unknown }[] = [];
  for (const bot of bots) {
    await work(bot).catch((error: unknown) => {
      // Another call has deleted it meanwhile.
      if (!hasCode(error, 'BOT_MISSING')) failures.push({ name: bot.name, error });
    });
  }
  if (failures.length === 0) return;
  const message = failures.map(({ name, error }) => `Bot "${name}": ${reasonOf(error)}`).join(' ');
  throw new BotsFailed(
    failures.map(({ error }) => error),
    message,
  );
}
