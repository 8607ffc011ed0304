import type { Configuration, Host } from '../../../index.js';
import { describeOutcome } from '../../output/indexing.js';
import { printMessage } from '../../output/print.js';
import { allBots } from '../bot.js';
import { declareFolders } from '../folders/declare.js';

/**
 * Keeps the files of all bots that have folders up to date until the host is closed. The folders of a configuration
 * are those of its bot.
 */
export async function watchBots(host: Host, configuration: Configuration | undefined): Promise<void> {
  let watched = 0;
  for (const { id } of await host.listWorkspaces()) {
    for (const bot of await allBots(await host.workspace(id))) {
      // One bot without its model must not keep the others from being served.
      const files = await host.bot(bot.id).catch((error: Error) => {
        printMessage(`The folders of bot "${bot.name}" are not watched: ${error.message}`);
      });
      if (!files) continue;
      const { index } = files;
      if ([bot.id, bot.name].includes(configuration?.bot ?? 'default'))
        await declareFolders(index, configuration?.folders);
      if ((await index.listFolders()).length === 0) continue;
      await index.watch({ onUpdate: (outcome) => printMessage(describeOutcome(outcome) ?? outcome.problem ?? '') });
      watched += 1;
    }
  }
  if (watched === 0) printMessage('There are no folders to watch yet. Add one, then start again: waymark add <folder>');
}
