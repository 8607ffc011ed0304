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
        failed: (error) => warn(`What has expired could not be removed; it is tried again: ${error}`),
      }),
      new RegularWork(() => eachWithPending(parts, (uploads) => uploads.takeUp()), {
        every: LOOK,
        failed: (error) => warn(`Files that wait to be indexed could not be found; it is tried again: ${error}`),
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
    for (const bot of await storage.accounts.bots.withExpiredFiles()) await (await uploadsOf(bot)).removeExpired();
  }
}

/** Runs work for each bot that has files which wait to be indexed. */
export async function eachWithPending(
  { storage, uploadsOf }: Pick<HostTasksParts, 'storage' | 'uploadsOf'>,
  work: (uploads: FileUploads) => Promise<void>,
): Promise<void> {
  for (const bot of await storage.accounts.bots.withPendingFiles()) await work(await uploadsOf(bot));
}
