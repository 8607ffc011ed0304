import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { mayMount, smallDisk } from './small-disk.js';

it.skipIf(!mayMount())(
  'a database on a read-only file system says what SQLite needs there (requires permission to mount)',
  async () => {
    const { folder, unmount } = smallDisk(4);
    onTestFinished(unmount);
    const database = path.join(folder, 'waymark.db');
    const open = () => openEngine({ database, model: createHashEmbedder() });
    const engine = await open();
    await engine.indexFile('a.md', 'The word apples.');
    await engine.close();
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    await expect(open()).rejects.toMatchObject({
      code: 'DATABASE_UNWRITABLE',
      message: `${database} is in a folder where no file can be created, and SQLite needs two beside it even for searching: change the permissions of the folder, or copy the database to another.`,
    });
  },
);
