import type { Abortable } from '../../domain/abortable.js';
import type { FileRecords } from '../../storage/file-records.js';
import type { WithEngine } from '../bot-engines.js';

/** Removes the files of a bot that have expired; one that changes meanwhile stays. Throws `ABORTED`. */
export async function removeExpired(records: FileRecords, engine: WithEngine, { signal }: Abortable): Promise<void> {
  for (const { key, ...only } of await records.expired()) {
    await engine((bot) => bot.removeFile(key, { only, signal }), { signal });
  }
}
