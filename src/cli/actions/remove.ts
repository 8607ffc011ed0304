import type { SearchEngine } from '../../index.js';
import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { print, say } from '../output/print.js';
import { keysAt } from './keys-of-paths.js';
import { type BotFilesOptions, withEngine } from './open.js';

/** `waymark remove <files...>` */
export function remove(files: readonly string[], options: BotFilesOptions): Promise<number> {
  return withEngine(options, { create: false }, async (engine) => {
    const outcomes: { key: string; removed: boolean }[] = [];
    for (const file of files) {
      const key = (await indexedKey(engine, file)) ?? file;
      outcomes.push({ key, removed: await engine.removeFile(key) });
    }
    const gone = outcomes.filter(({ removed }) => removed).map(({ key }) => `Removed ${key}.`);
    print({ files: outcomes }, { json: options.json, lines: gone });
    for (const { key, removed } of outcomes) {
      if (!removed) say(`File "${key}" is not indexed. Pass its path, or its key as searches print it.`);
    }
    return gone.length === outcomes.length ? SUCCESS : NO_RESULTS;
  });
}

/** The key of an indexed file that is given by its key or its path; undefined if there is none. */
async function indexedKey(engine: SearchEngine, given: string): Promise<string | undefined> {
  if (await engine.hasFile(given)) return given;
  for (const key of keysAt(given, await engine.listFolders())) {
    if (await engine.hasFile(key)) return key;
  }
  return undefined;
}
