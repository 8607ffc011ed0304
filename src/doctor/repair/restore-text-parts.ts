import { counted } from '../../contract/wording.js';
import { drain } from '../../sqlite/passages/drain.js';
import { putText, wholeText } from '../../sqlite/texts/text-parts.js';
import { inspectFiles } from '../checks/files.js';
import type { BotContext } from '../context.js';

/** Divides whole texts again whose parts cannot be read one by one. Returns a sentence if there were any. */
export function restoreTextParts(bots: readonly BotContext[]): string[] {
  let count = 0;
  for (const bot of bots) {
    const hashOf = bot.connection.prepare<[number], string>(`SELECT hash FROM files WHERE number = ?`).pluck();
    for (const number of inspectFiles(bot).withWrongParts) {
      const hash = hashOf.get(number) ?? '';
      const text = wholeText(bot.connection, number, hash);
      if (typeof text !== 'string') continue;
      drain(putText(bot.connection, number, { text, hash }));
      count++;
    }
  }
  return count > 0 ? [`Divided the texts of ${counted(count, 'file')} into their parts again.`] : [];
}
