import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { FolderOutcome, SearchEngine } from 'waymark';
import { engineOf } from './engine.js';
import { folderOf } from './folder.js';
import { until } from './until.js';

/** An engine that watches the folder `docs`, named so, with these files. */
export async function watching(files: Readonly<Record<string, string>>) {
  const root = folderOf(files);
  const docs = path.join(root, 'docs');
  mkdirSync(docs, { recursive: true });
  const engine = await engineOf({ database: path.join(root, 'waymark.db') });
  await engine.addFolder(docs);
  const outcomes: FolderOutcome[] = [];
  const watcher = await engine.watch({ onUpdate: (outcome) => outcomes.push(outcome) });
  onTestFinished(() => watcher.close());
  await until(() => outcomes.length > 0);
  return { root, docs, engine, watcher, outcomes };
}

/** Waits until a word is found in exactly these files. */
export async function untilFound(engine: SearchEngine, word: string, keys: readonly string[]): Promise<void> {
  await until(async () => {
    const hits = await engine.search(word, { mode: 'lexical' });
    return JSON.stringify(hits.map(({ file }) => file.key).sort()) === JSON.stringify(keys);
  });
}
