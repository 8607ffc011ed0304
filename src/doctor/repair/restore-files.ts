import { counted } from '../../contract/wording.js';
import { drain } from '../../sqlite/passages/drain.js';
import { putFileTerms } from '../../sqlite/postings/file-terms.js';
import { putText, storedParts, wholeText } from '../../sqlite/texts/text-parts.js';
import { inspectFiles } from '../checks/files.js';
import type { BotContext } from '../context.js';

/**
 * Restores the terms of file names where they are wrong. Stores a text again if it is whole, but its parts cannot be
 * read one by one. Returns a sentence for either, if there was any.
 */
export function restoreFiles(bots: readonly BotContext[]): string[] {
  let [terms, texts] = [0, 0];
  for (const bot of bots) {
    const { withWrongTerms, withWrongParts } = inspectFiles(bot);
    for (const number of withWrongTerms) putFileTerms(bot.connection, number);
    for (const number of withWrongParts) divideAgain(bot, number);
    terms += withWrongTerms.length;
    texts += withWrongParts.length;
  }
  return [
    ...(terms > 0 ? [`Restored the terms of the names of ${counted(terms, 'file')}.`] : []),
    ...(texts > 0 ? [`Divided the texts of ${counted(texts, 'file')} into their parts again.`] : []),
  ];
}

function divideAgain({ connection }: BotContext, number: number): void {
  const hash = connection.cached<[number], string>(`SELECT hash FROM files WHERE number = ?`).pluck().get(number) ?? '';
  const text = wholeText(storedParts(connection, number), hash);
  if (typeof text === 'string') drain(putText(connection, number, { text, hash }));
}
