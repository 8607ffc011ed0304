import { type Host, openEngine, type SearchEngine } from '../../../index.js';
import { describeOutcome } from '../../output/indexing.js';
import { say } from '../../output/print.js';
import { allBots } from '../bot.js';
import { type BotFilesOptions, engineOptions } from '../open.js';

/** Keeps the files of all bots that have folders up to date. The returned function ends it. */
export async function watchBots(host: Host, options: BotFilesOptions): Promise<() => Promise<void>> {
  const engines: SearchEngine[] = [];
  for (const { id } of await host.listWorkspaces()) {
    for (const bot of await allBots(await host.workspace(id))) {
      const engine = await openEngine({ ...engineOptions(options), bot: bot.id, create: false });
      if ((await engine.listFolders()).length === 0) {
        await engine.close();
        continue;
      }
      engines.push(engine);
      await engine.watch({ onUpdate: (outcome) => say(describeOutcome(outcome) ?? outcome.problem ?? '') });
    }
  }
  if (engines.length === 0) say('There are no folders to watch yet. Add one, then start again: waymark add <folder>');
  return async () => {
    await Promise.all(engines.map((engine) => engine.close()));
  };
}
