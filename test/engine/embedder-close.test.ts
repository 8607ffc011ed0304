import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHashEmbedder, type Embedder, openEngine, reembed } from 'waymark';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';

const REASON = 'no such process';

/** A hash embedder that closes in its own way. */
function closing(close: () => Promise<void>, name = 'new'): Embedder {
  return { ...createHashEmbedder({ name }), close };
}

const fails = () => Promise.reject(new Error(REASON));

const throws = () => {
  throw new Error(REASON);
};

/** SQLite removes the log when the last connection is closed. */
function isOpen(database: string): boolean {
  return existsSync(`${database}-wal`);
}

/** A database with one file, embedded with the model `old`. */
async function filled(): Promise<string> {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder({ name: 'old' }) });
  await engine.indexFile('a.md', 'apples');
  await engine.close();
  return database;
}

test.each([
  ['rejects', fails],
  ['throws', throws],
])('an engine whose embedder %s on closing closes the database, and says so', async (_, close) => {
  const database = await filled();
  const engine = await openEngine({ database, model: closing(close, 'old') });
  await engine.indexFile('b.md', 'pears');
  expect(isOpen(database)).toBe(true);
  await expect(engine.close()).rejects.toThrow(REASON);
  expect(isOpen(database)).toBe(false);
});

test.each([
  ['rejects', fails],
  ['throws', throws],
])('a re-embedding whose embedder %s on closing is done, closes the database, and says so', async (_, close) => {
  const database = await filled();
  await expect(reembed({ database, model: closing(close) })).rejects.toThrow(REASON);
  expect(isOpen(database)).toBe(false);
  const engine = await openEngine({ database, model: createHashEmbedder({ name: 'new' }) });
  expect((await engine.search('apples')).length).toBe(1);
  await engine.close();
});

test('an embedder that never closes keeps no database open', async () => {
  const database = await filled();
  const never = () => new Promise<void>(() => {});
  const engine = await openEngine({ database, model: closing(never, 'old') });
  await engine.indexFile('b.md', 'pears');
  expect(isOpen(database)).toBe(true);
  void engine.close();
  await until(() => !isOpen(database));
  const asked = new Promise<void>((resolve) => {
    const close = () => {
      resolve();
      return never();
    };
    void reembed({ database, model: closing(close) });
  });
  await asked;
  await until(() => !isOpen(database));
});

test('what stopped a call is thrown, not what its embedder fails to close with', async () => {
  const database = await filled();
  for (const close of [fails, throws]) {
    const model = closing(close);
    const stopped = reembed({ database, model, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(openEngine({ database, model })).rejects.toMatchObject({ code: 'MODEL_MISMATCH' });
    const wrong = openEngine({ database: path.join(folderOf(), 'new.db'), model, passageTokens: 1 });
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  }
  expect(isOpen(database)).toBe(false);
});
