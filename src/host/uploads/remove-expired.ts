import type { FileRecords } from '../../storage/file-records.js';
import type { WithEngine } from '../bot-engines.js';

/** Removes the files of a bot that have expired; one that changes meanwhile stays. */
export async function removeExpired(records: FileRecords, engine: WithEngine): Promise<void> {
  for (const { key, ...only } of await records.expired()) await engine((bot) => bot.removeFile(key, { only }));
}
