import type { FolderOutcome } from '../../../index.js';
import { SUCCESS } from '../../exit-codes.js';
import { describeOutcome } from '../../output/indexing.js';
import { printJson, printLines, printMessage } from '../../output/print.js';
import { printProblems } from '../index-folder.js';
import type { BotFilesOptions } from '../open.js';
import { stopSignal } from '../stop.js';
import { withFolders } from './declare.js';

/** `waymark watch` */
export function watch(options: BotFilesOptions): Promise<number> {
  return withFolders(options, { create: false }, async (engine) => {
    const stopped = stopSignal();
    await engine.watch({ onUpdate: (outcome) => show(outcome, options) });
    const folders = await engine.listFolders();
    printMessage(
      folders.length > 0 ? 'Watching. Press Ctrl-C to stop.' : 'There are no folders yet: waymark add <folder>',
    );
    await stopped;
    // Closing the engine stops a run; closing the watcher would wait for its end.
    return SUCCESS;
  });
}

/** Shows what became of a folder: one line, with JSON one object. */
export function show(outcome: FolderOutcome, { json }: Pick<BotFilesOptions, 'json'>): void {
  if (json) printJson(outcome);
  else printLines([describeOutcome(outcome) ?? []].flat());
  if (outcome.result) printProblems(outcome.result);
  else if (!json) printMessage(outcome.problem ?? '');
}
