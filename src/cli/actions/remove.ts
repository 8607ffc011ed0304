import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { type BotFilesOptions, withEngine } from './open.js';

/** `waymark remove <key>` */
export function remove(key: string, options: BotFilesOptions): Promise<number> {
  return withEngine(options, { create: false }, async (engine) => {
    const removed = await engine.removeFile(key);
    if (options.json) process.stdout.write(`${JSON.stringify({ key, removed })}\n`);
    else if (removed) process.stdout.write(`Removed ${key}.\n`);
    if (!removed) {
      process.stderr.write(`File "${key}" is not indexed. Use its path relative to the indexed folder.\n`);
    }
    return removed ? SUCCESS : NO_RESULTS;
  });
}
