import { hasCode, reasonOf } from '../../domain/errors.js';
import type { BotRecord } from '../../storage/accounts.js';
import type { Storage } from '../../storage/storage.js';
import type { FileUploads } from '../uploads/file-uploads.js';
import { PeriodicTask } from './periodic-task.js';

/** Milliseconds between two removals of what has expired. */
const REMOVAL = 60_000;

/** Milliseconds between two checks for files that other processes have left: such a file waits for two of them. */
const TAKEOVER = 10_000;

/** What the tasks of a host work on. */
export interface HostTasksParts {
  readonly storage: Storage;
  /** The uploads of a bot, which is opened for it. */
  readonly uploadsOf: (bot: BotRecord) => Promise<FileUploads>;
  readonly warn: (message: string) => void;
}

/** Periodically removes what has expired, and takes over the files that other processes have left. */
export class HostTasks {
  readonly #parts: HostTasksParts;
  readonly #tasks: readonly PeriodicTask[];

  /** Begins at once. */
  constructor(parts: HostTasksParts) {
    const { warn } = parts;
    this.#parts = parts;
    this.#tasks = [
      new PeriodicTask(() => this.#removeExpired(), {
        every: REMOVAL,
        onFailure: (reason) => warn(`Not everything that has expired could be removed; it is tried again. ${reason}`),
      }),
      new PeriodicTask(() => forBotsWithPendingFiles(parts, (uploads) => uploads.takeOver()), {
        every: TAKEOVER,
        onFailure: (reason) =>
          warn(`Not all files that wait could be queued for indexing; it is tried again. ${reason}`),
      }),
    ];
  }

  /** Resolves once the runs in progress have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.stop()));
  }

  async #removeExpired(): Promise<void> {
    const { storage, uploadsOf } = this.#parts;
    await storage.accounts.tokens.removeExpired();
    await storage.contents.removeAbandoned();
    const bots = await storage.accounts.bots.withExpiredFiles();
    await forEachBot(bots, async (bot) => (await uploadsOf(bot)).removeExpired({}));
  }
}

/** Runs work for each bot with files that wait to be indexed. At the end, throws `BotsFailed` if it failed for some. */
export async function forBotsWithPendingFiles(
  { storage, uploadsOf }: Pick<HostTasksParts, 'storage' | 'uploadsOf'>,
  work: (uploads: FileUploads) => Promise<void>,
): Promise<void> {
  await forEachBot(await storage.accounts.bots.withPendingFiles(), async (bot) => work(await uploadsOf(bot)));
}

/** What failed for some bots, such as one whose model is missing. */
export class BotsFailed extends AggregateError {}

/** Runs work for one bot after the other. A failure for one of them does not stop the others. */
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
