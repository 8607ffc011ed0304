import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { printJson, printLines, say } from '../output/print.js';
import { type BotFilesOptions, withEngine } from './open.js';

/** `waymark remove <key>` */
export function remove(key: string, options: BotFilesOptions): Promise<number> {
  return withEngine(options, { create: false }, async (engine) => {
    const removed = await engine.removeFile(key);
    if (options.json) printJson({ key, removed });
    else if (removed) printLines([`Removed ${key}.`]);
    if (!removed) say(`File "${key}" is not indexed. Use its path relative to the indexed folder.`);
    return removed ? SUCCESS : NO_RESULTS;
  });
}
