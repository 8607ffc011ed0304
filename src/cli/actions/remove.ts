import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { print, printMessage } from '../output/print.js';
import { shellWord } from '../output/shell-word.js';
import { fileAt } from './file-at.js';
import { type BotFilesOptions, withEngine } from './open.js';
import { indexedKey } from './search/keys-of-paths.js';

/** `waymark remove <files...>` */
export function remove(files: readonly string[], options: BotFilesOptions): Promise<number> {
  return withEngine(options, { create: false }, async (engine) => {
    // A file may be given by its path and its key.
    const keys = new Set<string>();
    // All of them first: a name that no file can have must not leave the others removed.
    for (const file of files) keys.add((await indexedKey(engine, file)) ?? file);
    const outcomes: { key: string; removed: boolean }[] = [];
    for (const key of keys) outcomes.push({ key, removed: await engine.removeFile(key) });
    const gone = outcomes.filter(({ removed }) => removed).map(({ key }) => `Removed ${key}.`);
    print({ files: outcomes }, { json: options.json, lines: gone });
    for (const { key, removed } of outcomes) {
      if (!removed) printMessage(whyNot(key));
    }
    return gone.length === outcomes.length ? SUCCESS : NO_RESULTS;
  });
}

function whyNot(given: string): string {
  if (!fileAt(given)?.isDirectory()) {
    return `File "${given}" is not indexed. Pass its path, or its key as searches print it.`;
  }
  return `${given} is a folder. To forget a folder with its files: waymark drop ${shellWord(given)}`;
}
