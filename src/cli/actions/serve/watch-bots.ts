import type { Configuration, Host } from '../../../index.js';
import { describeOutcome } from '../../output/indexing.js';
import { printMessage } from '../../output/print.js';
import { sentenceOf } from '../../run.js';
import { chosenBot } from '../../settings.js';
import { allBots } from '../bot.js';
import { declareFolders } from '../folders/declare.js';

/**
 * Keeps the files of all bots that have folders up to date until the host is closed. The folders of a configuration
 * are those of its bot.
 */
export async function watchBots(host: Host, configuration: Configuration | undefined): Promise<void> {
  const owner = await ownerOf(configuration, host);
  let watched = 0;
  for (const { id } of await host.listWorkspaces()) {
    for (const bot of await allBots(await host.workspace(id))) {
      // One bot without its model must not keep the others from being served.
      const files = await host.bot(bot.id).catch((error: Error) => {
        printMessage(`The folders of bot "${bot.name}" are not watched: ${error.message}`);
      });
      if (!files) continue;
      const { index } = files;
      if (bot.id === owner) await declareFolders(index, configuration?.folders);
      if ((await index.listFolders()).length === 0) continue;
      await index.watch({ onUpdate: (outcome) => printMessage(describeOutcome(outcome) ?? outcome.problem ?? '') });
      watched += 1;
    }
  }
  if (watched === 0) printMessage('There are no folders to watch yet. Add one, then start again: waymark add <folder>');
}

/**
 * The id of the bot that gets the folders of a configuration: one only, since bots of other workspaces may have its
 * name. Undefined if there are no folders, or no such bot.
 */
async function ownerOf(configuration: Configuration | undefined, host: Host): Promise<string | undefined> {
  if (!configuration || configuration.folders.length === 0) return undefined;
  try {
    const { bot } = await (await host.workspace()).getBot({ id: chosenBot(configuration) });
    return bot.id;
  } catch (error) {
    const next = 'Name its bot there, as "bot", and start again.';
    printMessage(`The folders of the configuration file are not added: ${sentenceOf(error)} ${next}`);
    return undefined;
  }
}
