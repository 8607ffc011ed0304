import { rmSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import {
  type CopyOptions,
  type CopyProgress,
  type CopyResult,
  copyDatabase,
  createHashEmbedder,
  examine,
  openEngine,
  openHost,
} from 'waymark';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import { recordingEmbedder } from '../support/embedder.js';
import { engineOf } from '../support/engine.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { mixedBots } from '../support/mixed-bots.js';
import { atSilentHub } from '../support/silent-hub.js';
import { until } from '../support/until.js';

const model = createHashEmbedder();

/** Copies a database into another one. */
function copy(from: string, to: string, options: Partial<CopyOptions> = {}): Promise<CopyResult> {
  return copyDatabase({ from: { database: from }, to: { database: to }, model, ...options });
}

/** A place for a database beside another one, so that folders are relative to the same folder. */
function beside(database: string, name = 'copy.db'): string {
  return path.join(path.dirname(database), name);
}

test('a bot whose model has a damaged record of its place is copied without it', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await engineOf({ database, model });
  await engine.indexFile('a.md', 'A text.');
  await engine.close();
  const connection = new Sqlite(database);
  connection.exec(`UPDATE models SET source = '{'`);
  connection.close();
  expect(await copy(database, beside(database))).toMatchObject({ bots: [{ name: 'default', copied: 1 }] });
});

test('a copy has everything, embeds nothing, answers alike, and copies nothing again', async () => {
  const { embedder, embedded } = recordingEmbedder();
  const { database, uploads, token } = await mixedBots(embedder);
  embedded.length = 0;
  const target = beside(database);
  const result = await copy(database, target, { model: embedder });
  expect(result).toMatchObject({ from: database, to: target, isAlike: true, notes: [] });
  const summary = result.bots.map(({ name, copied, unchanged, passages }) => [name, copied, unchanged, passages]);
  expect(summary).toEqual([
    ['default', 5, 0, expect.any(Number)],
    ['support', 8, 0, expect.any(Number)],
    ['empty', 0, 0, 0],
  ]);
  for (const { comparison, failed } of result.bots.slice(0, 2)) {
    expect(failed).toEqual([]);
    expect(comparison).toMatchObject({ overlap: 1, difference: 0 });
  }
  expect(result.bots[1]?.notes).toEqual(['1 file waits for its upload: ask for a new address for it in the target.']);
  expect(embedded).toEqual([]);

  const again = await copy(database, target, { model: embedder });
  expect(again.bots.map(({ copied, unchanged }) => [copied, unchanged])).toEqual([
    [0, 5],
    [0, 8],
    [0, 0],
  ]);

  const examined = await examine({ database: target, model });
  expect(examined.findings.filter(({ state }) => state === 'damaged')).toEqual([]);

  const [host, former] = [await openHost({ database: target, model: embedder }), await openHost({ database, model })];
  onTestFinished(async () => {
    await host.close();
    await former.close();
  });
  expect(await host.authenticate(token)).toMatchObject({ name: 'ci', bots: [uploads] });
  expect(await host.listWorkspaces()).toEqual(await former.listWorkspaces());
  const files = await host.bot(uploads);
  // Uploads that waited to be indexed are taken over.
  await until(async () => (await files.listFiles({ indexed: false, pageSize: 10 })).files.every(isDone));
  expect((await files.searchFiles({ query: 'heron' })).passages.length).toBeGreaterThan(0);
  expect(embedded).not.toEqual([]);
  const { knowledgeBases } = await files.listKnowledgeBases();
  expect(knowledgeBases).toMatchObject([{ name: 'Manuals', tags: { a: '1' } }]);
  const { file } = await files.getFile({ id: 'pears.md' });
  const copied = (await (await former.bot(uploads)).getFile({ id: 'pears.md' })).file;
  // Addresses are signed again each time.
  expect({ ...file, url: '' }).toEqual({ ...copied, url: '' });
  expect(Buffer.from(await (await files.content(file.id)).bytes()).toString()).toContain('Green pears');
  expect(Buffer.compare(await signingKeyOf(database), await signingKeyOf(target))).toBe(0);
});

async function signingKeyOf(database: string): Promise<Uint8Array> {
  const storage = openSqliteStorage(database, { create: false, warn: () => {} });
  onTestFinished(() => storage.close());
  return storage.signingKey();
}

function isDone({ status }: { readonly status: string }): boolean {
  return status !== 'indexing_pending';
}

test('files that have changed are replaced; those that only the target has stay, or are removed if asked', async () => {
  const engine = await engineOf();
  await engine.indexFile('same.md', 'A yak.');
  await engine.indexFile('changed.md', 'A wolf.');
  await engine.indexFile('gone.md', 'A heron.');
  await engine.indexFile('again.md', 'A fox.');
  const { database } = await engine.status();
  const target = beside(database as string);
  await copy(database as string, target);
  await engine.indexFile('changed.md', 'A red wolf.');
  await engine.removeFile('gone.md');
  await engine.removeFile('again.md');
  await engine.indexFile('again.md', 'A fox with another id.');
  const kept = await copy(database as string, target);
  expect(kept.bots).toMatchObject([{ copied: 2, unchanged: 1, removed: 0, left: 1, isAlike: true }]);
  expect(kept.bots[0]).not.toHaveProperty('comparison');
  expect(kept.bots[0]?.notes).toEqual([
    '1 file is only in the target, so that answers were not compared: --delete removes such files.',
  ]);
  const removed = await copy(database as string, target, { delete: true });
  expect(removed.bots).toMatchObject([{ copied: 0, unchanged: 3, removed: 1, left: 0, notes: [] }]);
  const copied = await engineOf({ database: target });
  expect(await copied.keys()).toEqual(['again.md', 'changed.md', 'same.md']);
  expect((await copied.search('wolf', { limit: 1 }))[0]?.passage.content).toBe('A red wolf.');
});

test('a copy that was stopped continues where it stopped', async () => {
  const engine = await engineOf();
  for (let i = 0; i < 20; i++) await engine.indexFile(`f${i}.md`, `Pump number${i}.`);
  const database = (await engine.status()).database as string;
  const target = beside(database);
  const abort = new AbortController();
  const onProgress = ({ done }: CopyProgress) => done === 5 && abort.abort();
  const stopped = copy(database, target, { signal: abort.signal, onProgress });
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED', message: /The next run continues from here/ });
  const steps: CopyProgress[] = [];
  const result = await copy(database, target, { onProgress: (step) => steps.push(step) });
  const { copied, unchanged } = result.bots[0] as (typeof result.bots)[0];
  expect(copied + unchanged).toBe(20);
  expect(unchanged).toBeGreaterThanOrEqual(5);
  expect(steps[0]).toEqual({ bot: 'default', phase: 'copy', done: 0, total: copied, unchanged });
  expect(steps.at(-1)).toMatchObject({ phase: 'compare', done: 20, total: 20 });
});

test('pending passages stay pending, and get their embeddings from a later copy', async () => {
  const { embedder } = recordingEmbedder();
  let isBroken = true;
  const failing = {
    ...embedder,
    embedPassages: async (texts: readonly string[]) => {
      if (isBroken) throw new Error('It is broken');
      return embedder.embedPassages(texts);
    },
  };
  const folder = folderOf({ 'docs/a.md': 'A yak.', 'docs/b.md': 'A wolf.', 'other/c.md': 'A yak.' });
  const engine = await engineOf({ model: failing, database: `${folder}/a.db` });
  await expect(engine.indexFolder(`${folder}/docs`)).rejects.toMatchObject({ code: 'EMBEDDER_FAILED' });
  const target = `${folder}/b.db`;
  expect((await copy(`${folder}/a.db`, target)).isAlike).toBe(true);
  const statusOf = async () => {
    const copied = await openEngine({ database: target, model });
    const { embedded, passages } = await copied.status();
    await copied.close();
    return { embedded, passages };
  };
  expect(await statusOf()).toEqual({ embedded: 0, passages: 2 });
  isBroken = false;
  // This run also embeds what is pending of the other folder.
  await engine.indexFolder(`${folder}/other`);
  expect((await copy(`${folder}/a.db`, target)).bots).toMatchObject([{ copied: 1, unchanged: 2 }]);
  expect(await statusOf()).toEqual({ embedded: 3, passages: 3 });
});

test('a bot is refused if the target has another bot of its name, unless that one is empty', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'A yak.');
  const database = (await engine.status()).database as string;
  const target = beside(database);
  const other = await openEngine({ database: target, model });
  await other.close();
  expect((await copy(database, target)).bots).toMatchObject([{ id: (await engine.status()).bot.id, copied: 1 }]);
  const taken = beside(database, 'taken.db');
  const used = await openEngine({ database: taken, model });
  await used.indexFile('b.md', 'A wolf.');
  await used.close();
  await expect(copy(database, taken)).rejects.toMatchObject({
    code: 'BOT_EXISTS',
    message: `${taken} has another bot named "default": rename or delete one of them, then copy again.`,
  });
});

test('a token that was revoked in the target stays revoked when the source is copied again', async () => {
  const { database, token } = await mixedBots(model);
  const target = beside(database);
  await copy(database, target);
  const host = await openHost({ database: target, model });
  onTestFinished(() => host.close());
  const { id } = (await host.authenticate(token)) ?? {};
  await host.revokeToken(String(id));
  await copy(database, target);
  expect(await host.authenticate(token)).toBeUndefined();
});

test('one bot is copied into a workspace of its name, without tokens', async () => {
  const { database, uploads } = await mixedBots();
  const target = beside(database);
  const host = await openHost({ database: target, model });
  const { id } = await host.createWorkspace('acme');
  await host.createToken({ workspaceId: id, name: 'own', role: 'admin' });
  await host.close();
  const result = await copy(database, target, { bot: uploads });
  expect(result.bots.map((bot) => bot.id)).toEqual([uploads]);
  expect(result.notes).toEqual([
    `${target} has another workspace "acme", with the id ${id}: the bots were copied into it.`,
  ]);
  const opened = await openHost({ database: target, model });
  onTestFinished(() => opened.close());
  expect(await opened.workspaceOf(uploads)).toBe(id);
  expect((await opened.listTokens()).map(({ name }) => name)).toEqual(['own']);
});

test('folders are relative to the folder of each database', async () => {
  const folder = folderOf({ 'docs/a.md': 'A yak.' });
  const engine = await engineOf({ database: `${folder}/a.db` });
  await engine.indexFolder(`${folder}/docs`);
  await copy(`${folder}/a.db`, `${folder}/deep/er/b.db`);
  expect((await copy(`${folder}/a.db`, `${folder}/deep/er/b.db`)).bots).toMatchObject([{ unchanged: 1 }]);
  const copied = await engineOf({ database: `${folder}/deep/er/b.db` });
  expect((await copied.listFolders()).map(({ path: place }) => place)).toEqual([`${folder}/docs`]);
  writeFiles(folder, { 'docs/b.md': 'A wolf.' });
  rmSync(`${folder}/docs/a.md`);
  expect(await copied.indexFolder(`${folder}/docs`)).toMatchObject({ added: 1, removed: 1 });
});

test('a copy never mixes files that were embedded with different models in one bot', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'A yak.');
  const database = (await engine.status()).database as string;
  const target = beside(database);
  await copy(database, target);
  const other = { ...model, card: { ...model.card, id: 'other', fingerprint: 'other' } };
  const again = await openEngine({ database: target, model });
  await again.removeFile('a.md');
  await again.close();
  const changed = await openEngine({ database: target, model: other });
  await changed.indexFile('b.md', 'A wolf.');
  await changed.close();
  await expect(copy(database, target)).rejects.toMatchObject({
    code: 'MODEL_MISMATCH',
    message: /delete the bot there/,
  });
});

test('wrong calls say what to pass', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'A yak.');
  const database = (await engine.status()).database as string;
  const target = beside(database);
  const missing = copy(beside(database, 'none.db'), target);
  await expect(missing).rejects.toMatchObject({ code: 'INDEX_MISSING' });
  await expect(copy(database, database)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: /are the same/ });
  await expect(copy(database, target, { bot: 'none' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
  await expect(copy(database, target, { model: undefined })).rejects.toMatchObject({
    code: 'MODEL_MISSING',
    message:
      'The files of bot "default" were embedded with hash, an embedder that a program passed: copy them from that ' +
      'program, with copyDatabase of the library and the embedder as its model.',
  });
  await expect(copy(database, target, { delete: 1 as never })).rejects.toMatchObject({
    message: 'delete must be true or false; it is 1.',
  });
});

test('a file that is damaged is named, and the others are copied', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'A yak.');
  await engine.indexFile('b.md', 'A wolf.');
  const database = (await engine.status()).database as string;
  await engine.close();
  const sqlite = new Sqlite(database);
  sqlite.exec(`UPDATE texts SET text = 'A fox.' WHERE text = 'A wolf.'`);
  sqlite.close();
  const result = await copy(database, beside(database));
  expect(result).toMatchObject({ isAlike: false, bots: [{ copied: 1, isAlike: false }] });
  expect(result.bots[0]?.failed).toEqual([{ key: 'b.md', reason: expect.stringContaining('The text of b.md') }]);
  expect(result.bots[0]?.notes).toEqual(['1 file is missing in the target: copy again.']);
});

test('a file that another release has cut is cut again, and named', async () => {
  const engine = await engineOf({ passageTokens: 16 });
  await engine.indexFile(
    'a.md',
    Array.from({ length: 20 }, (_, i) => `The pump number${i} hums all night.`).join('\n\n'),
  );
  const { passages, database } = await engine.status();
  await engine.close();
  const sqlite = new Sqlite(database as string);
  sqlite.exec(`UPDATE files SET pipeline = '[1,192,true,null,{},{},null]', checksum = NULL`);
  sqlite.close();
  const result = await copy(database as string, beside(database as string));
  const [bot] = result.bots as [(typeof result.bots)[0]];
  expect(bot).toMatchObject({ copied: 1, failed: [], isAlike: true });
  expect(bot.passages).toBeLessThan(passages);
  expect(bot.notes).toEqual([
    '1 file was cut by another release, or in part, and got other passages. ' +
      'Update the source with waymark index, then copy again.',
  ]);
  expect((await copy(database as string, beside(database as string))).bots).toMatchObject([{ unchanged: 1 }]);
});

test('a signal ends a copy whose model is being fetched', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model });
  await engine.indexFile('yak.md', 'A yak.');
  await engine.close();
  const stop = new AbortController();
  await atSilentHub(database, () => stop.abort());
  const stopped = copy(database, beside(database), { model: undefined, signal: stop.signal });
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
});
