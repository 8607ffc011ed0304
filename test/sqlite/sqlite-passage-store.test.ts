import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { SqliteStorage } from '#src/sqlite/sqlite-storage.js';
import type { FileToUpload } from '#src/storage/file-records.js';
import type { Retrieval } from '#src/storage/retrieval.js';
import { describePassageStore } from '../storage/passage-store-contract.js';
import { at, embedAll, fileToPut, putNow } from '../support/file-to-put.js';
import { storeOf } from '../support/store.js';

describePassageStore('the SQLite store, exact,', async () => (await storeOf({ kind: 'exact' })).store);
describePassageStore('the SQLite store, HNSW,', async () => (await storeOf({ kind: 'hnsw' })).store);

const TABLES = ['files', 'texts', 'file_tags', 'passages', 'embeddings', 'unused'];

/** A search by meaning, at an angle. */
function nearest(degrees: number): Retrieval {
  return { embedding: Promise.resolve(at(degrees)), limit: 9 };
}

/** A markdown file as it is uploaded. */
function uploaded(key: string, { tags }: Pick<FileToUpload, 'tags'>): FileToUpload {
  const described = { key, tags, metadata: {}, contentType: 'text/markdown', accessPolicies: [] as const };
  return { ...described, size: 2, index: true, expiresAt: undefined };
}

/** Overwrites pages of 4 KB. */
function damage(file: string, pages: readonly number[]): void {
  const bytes = readFileSync(file);
  for (const page of pages) bytes.fill(0xff, (page - 1) * 4096, page * 4096);
  writeFileSync(file, bytes);
}

function rows(connection: Connection): Record<string, unknown> {
  return Object.fromEntries(
    TABLES.map((table) => [table, connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]),
  );
}

describe('the SQLite store', () => {
  const none = { files: 0, texts: 0, file_tags: 0, passages: 0, embeddings: 0, unused: 0 };

  it('deletes a file with all that only it used, and keeps what is shared', async () => {
    const { store, connection } = await storeOf();
    await putNow(store, fileToPut('a.md', ['10', '20'], { tags: { k: 'v', l: 'w' } }));
    await putNow(store, fileToPut('b.md', ['20', '30'], { tags: { k: 'v' } }));
    await embedAll(store);
    await store.remove('a.md');
    expect(rows(connection)).toEqual({ files: 1, texts: 1, file_tags: 1, passages: 2, embeddings: 2, unused: 0 });
    await store.remove('b.md');
    expect(rows(connection)).toEqual(none);
  });

  it('reads no passage of a file whose content was replaced since it was found', async () => {
    const { store, connection } = await storeOf();
    await putNow(store, fileToPut('a.md', ['10']));
    await embedAll(store);
    const { candidates } = await store.retrieve(nearest(10));
    const storage = new SqliteStorage(connection, { index: 'exact', warn: () => {} });
    const bot = (await storage.accounts.bots.find('default'))?.id ?? '';
    const content = await storage.contents.stage([Buffer.from('20')], bot);
    await (await storage.fileRecords(bot)).upsert(uploaded('a.md', { tags: { of: 'the new content' } }), content);
    const ranked = candidates.map(({ id }) => ({ id, sum: 1 }));
    expect(await store.read(ranked, { limit: 9, context: 0 })).toEqual({ passages: [], missing: 1 });
  });

  it('deletes embeddings that an edit left without use when it is flushed', async () => {
    const { store, connection } = await storeOf();
    await putNow(store, fileToPut('a.md', ['10', '20', '30']));
    await embedAll(store);
    await putNow(store, fileToPut('a.md', ['10']));
    expect(rows(connection)).toMatchObject({ passages: 1, embeddings: 3, unused: 2 });
    await putNow(store, fileToPut('b.md', ['20']));
    await store.flush();
    expect(rows(connection)).toMatchObject({ passages: 2, embeddings: 2, unused: 0 });
  });

  it('returns unused pages to the file system when it is flushed', async () => {
    const { store, connection } = await storeOf();
    const long = Array.from({ length: 40 }, (_, i) => `${i} ${'words '.repeat(200)}`);
    for (let file = 0; file < 40; file++) await putNow(store, fileToPut(`${file}.md`, long));
    const full = Number(connection.pragma('page_count'));
    for (let file = 0; file < 40; file++) await store.remove(`${file}.md`);
    await store.flush();
    expect(Number(connection.pragma('page_count'))).toBeLessThan(full / 2);
    expect(Number(connection.pragma('freelist_count'))).toBeLessThanOrEqual(256);
  });

  it('deletes a pending text that an edit left without use at once', async () => {
    const { store, connection } = await storeOf();
    await putNow(store, fileToPut('a.md', ['10', '20']));
    await putNow(store, fileToPut('a.md', ['10']));
    expect(rows(connection)).toMatchObject({ embeddings: 1, unused: 0 });
  });

  it('keeps the text to embed until it is embedded, and no longer', async () => {
    const { store, connection } = await storeOf();
    await putNow(store, fileToPut('a.md', ['10']));
    const texts = () => connection.prepare(`SELECT text, vector IS NULL AS pending FROM embeddings`).all();
    expect(texts()).toEqual([{ text: '10', pending: 1 }]);
    await embedAll(store);
    expect(texts()).toEqual([{ text: null, pending: 0 }]);
  });

  it('keeps the bots of one database apart, and embeds a text that both have once', async () => {
    const one = await storeOf();
    const other = await storeOf({ file: one.file, bot: 'other' });
    await putNow(one.store, fileToPut('a.md', ['10', '20']));
    await putNow(other.store, fileToPut('a.md', ['10']));
    expect([await one.store.countPending(), await other.store.countPending()]).toEqual([2, 2]);
    await embedAll(one.store);
    expect((await other.store.retrieve(nearest(0))).candidates).toHaveLength(1);
    await one.store.remove('a.md');
    expect([await one.store.counts(), await other.store.counts()]).toMatchObject([
      { files: 0, passages: 0, embedded: 0 },
      { files: 1, passages: 1, embedded: 1 },
    ]);
    expect((await one.store.retrieve(nearest(0))).candidates).toEqual([]);
    expect((await other.store.retrieve(nearest(0))).candidates).toHaveLength(1);
  });

  it('takes no more memory for passages with high numbers, as in a database of many bots', async () => {
    const { store, connection } = await storeOf();
    await putNow(store, fileToPut('a.md', ['10 apples']));
    connection.exec(`UPDATE sqlite_sequence SET seq = 50000000 WHERE name = 'passages'`);
    await putNow(store, fileToPut('b.md', ['20 apples']));
    await embedAll(store);
    const before = process.memoryUsage().arrayBuffers;
    const { candidates } = await store.retrieve({ ...nearest(20), lexical: { terms: ['apples'], phrases: [] } });
    expect(candidates.map(({ id, characters, terms }) => [id, characters, terms])).toEqual([
      [50_000_001, 9, 5],
      [1, 9, 5],
    ]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  it('says which database is damaged', async () => {
    const { store: whole, connection, file } = await storeOf();
    await putNow(whole, fileToPut('a.md', ['10']));
    const pages = connection
      .prepare<[], number>(`SELECT rootpage FROM sqlite_schema WHERE tbl_name IN ('files', 'changes', 'unused')`)
      .pluck()
      .all();
    await whole.close();
    connection.close();
    damage(file, pages);
    const { store } = await storeOf({ file });
    for (const work of [() => store.files(), () => store.retrieve(nearest(0)), () => store.flush()]) {
      await expect(work()).rejects.toMatchObject({
        code: 'DATABASE_DAMAGED',
        message: expect.stringContaining(file),
      });
    }
  });
});
