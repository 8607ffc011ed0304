import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, examine, openEngine, type SearchEngine } from 'waymark';
import { folderOf } from '../support/folder.js';
import { mayMount, mounted } from './small-disk.js';

/** A small file system and how to make it read-only, or writable again. */
function disk(): { folder: string; remount(state: 'ro' | 'rw'): void } {
  const { folder } = mounted(4);
  return { folder, remount: (state) => execFileSync('mount', ['-o', `remount,${state}`, folder]) };
}

const open = (database: string) => openEngine({ database, model: createHashEmbedder() });

async function found(engine: SearchEngine): Promise<string[]> {
  const { passages } = await engine.searchFiles({ query: 'apples' });
  return passages.map(({ content }) => content);
}

describe.skipIf(!mayMount())('an index on a read-only file system (requires permission to mount)', () => {
  it('is searched and examined, and opened again once it has changed', async () => {
    const { folder, remount } = disk();
    const database = path.join(folder, 'waymark.db');
    const engine = await open(database);
    await engine.indexFile('a.md', 'The word apples.');
    await engine.close();
    remount('ro');
    const reader = await open(database);
    onTestFinished(() => reader.close());
    expect(await found(reader)).toEqual(['The word apples.']);
    const { findings } = await examine({ database, model: createHashEmbedder() });
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
    remount('rw');
    const writer = await open(database);
    expect(await found(writer)).toEqual(['The word apples.']);
    // An open database has a log; what it contains is the same.
    expect(await found(reader)).toEqual(['The word apples.']);
    await writer.indexFile('b.md', 'More apples.');
    await expect(found(reader)).rejects.toMatchObject({
      code: 'DATABASE_MOVED',
      message: `${database} has been changed or deleted since it was read into memory: close the index and open it again.`,
    });
    await writer.close();
    remount('ro');
    const again = await open(database);
    onTestFinished(() => again.close());
    expect((await found(again)).sort()).toEqual(['More apples.', 'The word apples.']);
  });

  it('says what SQLite needs if it has a log', async () => {
    const { folder, remount } = disk();
    const [original, database] = [path.join(folderOf(), 'waymark.db'), path.join(folder, 'waymark.db')];
    const engine = await open(original);
    await engine.indexFile('a.md', 'The word apples.');
    for (const end of ['', '-wal']) copyFileSync(`${original}${end}`, `${database}${end}`);
    await engine.close();
    remount('ro');
    await expect(open(database)).rejects.toMatchObject({
      code: 'DATABASE_UNWRITABLE',
      message: `${database} cannot be opened (unable to open database file): its folder is read-only, and SQLite needs two files in it. Make the folder writable, or copy the database, with its -wal file if there is one, to another.`,
    });
  });
});
