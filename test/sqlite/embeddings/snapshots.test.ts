import { createHash, Hash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { Snapshots } from '#src/sqlite/embeddings/snapshots.js';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import { recordingEmbedder } from '../../support/embedder.js';
import { engineOf } from '../../support/engine.js';
import { at } from '../../support/file-to-put.js';
import { folderOf, writeFiles } from '../../support/folder.js';
import { storeOf } from '../../support/store.js';
import { clusteredStore, nearest, snapshotIn, vectorCacheOf } from './graphs.js';

const WORDS = ['zebra', 'yak', 'wolf', 'viper', 'urchin', 'tapir', 'stork', 'rhino'];

/** Forty files, each about some of eight animals. */
const ANIMALS = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => {
    const about = WORDS.filter((_word, j) => (i >> (j % 5)) % 2 === j % 2);
    return [`${i}.md`, `# File ${i}\n\n${about.join(' ')} and ${i}.\n`];
  }),
);

async function answers(engine: SearchEngine): Promise<unknown> {
  return Promise.all(
    WORDS.map(async (query) =>
      (await engine.search(query, { limit: 20 })).map(({ score, file, passage }) => [score, file.key, passage.content]),
    ),
  );
}

const original = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
let expected: unknown;

beforeAll(async () => {
  writeFiles(path.join(original, 'docs'), ANIMALS);
  const database = path.join(original, 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder(), index: 'hnsw' });
  await engine.indexFolder(path.join(original, 'docs'));
  expected = await answers(engine);
  await engine.close();
});

afterAll(() => rmSync(original, { recursive: true }));

/** A copy of the folder and of its index, with a stored HNSW snapshot. */
function indexedCopy(): { database: string; docs: string } {
  const copy = folderOf();
  cpSync(original, copy, { recursive: true, preserveTimestamps: true });
  return { database: path.join(copy, 'waymark.db'), docs: path.join(copy, 'docs') };
}

function edit(file: string, change: (database: Sqlite.Database) => void): void {
  const database = new Sqlite(file);
  change(database);
  database.close();
}

/** Opens an index again, with everything that is embedded and warned of from then on. */
async function reopened(database: string): Promise<{ engine: SearchEngine; warnings: string[]; embedded: string[] }> {
  const { embedder, embedded } = recordingEmbedder();
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const engine = await engineOf({ database, model: embedder, index: 'hnsw', onWarning });
  return { engine, warnings, embedded };
}

/** Vectors that the graph of a new vector cache does not have yet. */
async function missingFromGraph(connection: Connection): Promise<number> {
  const index = await vectorCacheOf(connection, { kind: 'hnsw', dimensions: 128 }).current();
  return index instanceof HnswIndex ? index.missing().length : Number.NaN;
}

test("'hnsw', 'exact' and 'auto' return the same hits", async () => {
  const { database } = indexedCopy();
  expect(await answers(await engineOf({ database, index: 'exact' }))).toEqual(expected);
  expect(await answers(await engineOf({ database, index: 'auto' }))).toEqual(expected);
});

describe('the HNSW snapshot', () => {
  it('is stored at the end of indexFolder and includes the last change', async () => {
    const { database } = indexedCopy();
    expect(snapshotIn(database)).toEqual({ bot: 1, sequence: 40, newest: 40, parts: 1, stored: 1 });
  });

  it('is removed when an exact index is used', async () => {
    const { database, docs } = indexedCopy();
    const engine = await engineOf({ database, index: 'auto' });
    await engine.indexFolder(docs);
    expect(snapshotIn(database)).toBeUndefined();
  });

  it('is not written again if nothing has changed', async () => {
    const { database, docs } = indexedCopy();
    const partIn = () => {
      const opened = new Sqlite(database, { readonly: true });
      const name = opened.prepare(`SELECT name FROM snapshots`).pluck().get();
      opened.close();
      return name;
    };
    const before = partIn();
    const { engine } = await reopened(database);
    await engine.indexFolder(docs);
    expect(partIn()).toBe(before);
  });

  it('is stored when an engine closes after changes of single files', async () => {
    const { database } = indexedCopy();
    const { engine } = await reopened(database);
    await engine.indexFile('new.md', 'An okapi.');
    await engine.removeFile('1.md');
    await engine.close();
    expect(snapshotIn(database)).toMatchObject({ sequence: 42, newest: 42, stored: 1 });
  });

  it('is left to the next run by a brief flush, as when an engine closes, if many vectors are missing', async () => {
    const { store, file } = await clusteredStore(2000, 128);
    await store.flush({ isBrief: true });
    expect(snapshotIn(file)).toBeUndefined();
    await store.flush();
    expect(snapshotIn(file)).toMatchObject({ stored: 1 });
  });

  it('is restored on opening: its vectors are not inserted again', async () => {
    // Many more than one time slice can insert.
    const { store, connection } = await clusteredStore(2000, 128);
    await store.flush();
    expect(await missingFromGraph(connection)).toBe(0);
    connection.exec('DELETE FROM snapshots');
    expect(await missingFromGraph(connection)).toBeGreaterThan(0);
  });

  it('is restored without the model, and the hits are the same', async () => {
    const { database } = indexedCopy();
    const { engine, warnings, embedded } = await reopened(database);
    expect([await answers(engine), warnings, embedded]).toEqual([expected, [], []]);
  });

  it('is brought up to date on opening with what was changed and removed since', async () => {
    const { database } = indexedCopy();
    const exact = await engineOf({ database, index: 'exact' });
    await exact.indexFile('new.md', 'A zebra, a zebra.');
    await exact.indexFile('3.md', 'Now of the wolf only.');
    for (const key of ['0.md', '1.md', '2.md', '21.md']) await exact.removeFile(key);
    const { engine, warnings } = await reopened(database);
    expect(await answers(engine)).toEqual(await answers(exact));
    expect(warnings).toEqual([]);
    expect((await engine.search('zebra'))[0]?.file.key).toBe('new.md');
  });

  it('is hashed and written in parts of 4 MB, since Node hashes less than 2 GiB at once, and read back', async () => {
    const { store, file, vectors } = await clusteredStore(600, 2048);
    const update = vi.spyOn(Hash.prototype, 'update');
    onTestFinished(() => update.mockRestore());
    await store.flush();
    expect(snapshotIn(file)).toMatchObject({ parts: 2, stored: 2 });
    const again = await storeOf({ file, dimensions: 2048, kind: 'hnsw' });
    expect(await nearest(again.store, vectors[599] ?? at(0), 1)).toEqual([600]);
    expect(again.warnings).toEqual([]);
    expect(Math.max(...update.mock.calls.map(([data]) => data.length))).toBe(4 << 20);
  });

  it('that another process replaces while it is read is read again', async () => {
    const { connection } = await storeOf();
    const snapshots = new Snapshots(connection, 1);
    await snapshots.write({ sequence: 1, bytes: Buffer.from('old') }, { model: 1 });
    const checksum = createHash('sha256').update('new').digest('hex');
    const reading = snapshots.read();
    connection.exec(`
      UPDATE snapshot_parts SET snapshot = 'another', bytes = CAST('new' AS BLOB);
      UPDATE snapshots SET name = 'another', sequence = 2, checksum = '${checksum}'`);
    expect(await reading).toEqual({ sequence: 2, bytes: Buffer.from('new') });
  });

  it('stays whole when two engines write theirs at once', async () => {
    const { database } = indexedCopy();
    const [one, other] = [await reopened(database), await reopened(database)];
    await Promise.all([one.engine.indexFile('x.md', 'An okapi.'), other.engine.indexFile('y.md', 'A quokka.')]);
    await Promise.all([one.engine.close(), other.engine.close()]);
    expect(snapshotIn(database)).toMatchObject({ parts: 1, stored: 1 });
    const { engine, warnings } = await reopened(database);
    expect([(await engine.search('quokka'))[0]?.file.key, warnings]).toEqual(['y.md', []]);
  });

  it('of the old model is not stored after another process has re-embedded the files', async () => {
    const { store, file, connection } = await clusteredStore(2000, 128);
    const flushing = store.flush();
    // Inserting the vectors takes many turns of the event loop.
    await setImmediate();
    connection.exec(`
      INSERT INTO models (fingerprint, name, dimensions) VALUES ('new', 'new', 2);
      UPDATE bots SET model = (SELECT number FROM models WHERE name = 'new')`);
    await flushing;
    expect(snapshotIn(file)).toBeUndefined();
    expect(connection.prepare(`SELECT count(*) FROM snapshot_parts`).pluck().get()).toBe(0);
  });

  const flip = (bytes: Buffer, at: number) => {
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at);
    return bytes;
  };

  function rewrite(database: Sqlite.Database, change: (bytes: Buffer) => Buffer, checksum: boolean): void {
    const bytes = change(database.prepare<[], Buffer>(`SELECT bytes FROM snapshot_parts`).pluck().get() as Buffer);
    database.prepare(`UPDATE snapshot_parts SET bytes = ?`).run(bytes);
    if (!checksum) return;
    database.prepare(`UPDATE snapshots SET checksum = ?`).run(createHash('sha256').update(bytes).digest('hex'));
  }

  it.each<[string, (database: Sqlite.Database) => void, string]>([
    ['whose bytes changed', (database) => rewrite(database, (bytes) => flip(bytes, 1000), false), 'is damaged'],
    ['whose checksum changed', (database) => database.exec(`UPDATE snapshots SET checksum = ''`), 'is damaged'],
    ['whose parts are gone', (database) => database.exec(`DELETE FROM snapshot_parts`), 'is damaged'],
    ['of something else', (database) => rewrite(database, (bytes) => flip(bytes, 0), true), '(it is not a snapshot)'],
    [
      'that is cut off',
      (database) => rewrite(database, (bytes) => bytes.subarray(0, 999), true),
      '(it is too short for',
    ],
    [
      'with a wrong header',
      (database) => rewrite(database, (bytes) => flip(bytes, 8 + 4 + 4 * 40 + 8), true),
      '(its capacity is',
    ],
  ])('%s is rebuilt from the embeddings, never with the model, after one warning', async (_name, damage, fault) => {
    const { database, docs } = indexedCopy();
    edit(database, damage);
    const { engine, warnings, embedded } = await reopened(database);
    expect([await answers(engine), embedded]).toEqual([expected, []]);
    expect(warnings).toEqual([expect.stringContaining(fault)]);
    expect(warnings[0]).toMatch(/It is rebuilt from the stored embeddings\.$/);
    await engine.indexFolder(docs);
    await engine.close();
    const repaired = await reopened(database);
    expect([await answers(repaired.engine), repaired.warnings, repaired.embedded]).toEqual([expected, [], []]);
    expect(snapshotIn(database)).toMatchObject({ sequence: 40, stored: 1 });
  });

  it('that is missing is rebuilt without a warning', async () => {
    const { database } = indexedCopy();
    edit(database, (opened) => opened.exec(`DELETE FROM snapshots; DELETE FROM snapshot_parts`));
    const { engine, warnings, embedded } = await reopened(database);
    expect([await answers(engine), warnings, embedded]).toEqual([expected, [], []]);
  });
});
