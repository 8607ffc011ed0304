import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHashEmbedder, openEngine, type SearchEngine } from 'waymark';
import { HnswIndex } from '#src/vectors/hnsw/hnsw.js';
import { recordingEmbedder } from '../../support/embedder.js';
import { engineOf } from '../../support/engine.js';
import { at, embedAll, fileToPut } from '../../support/file-to-put.js';
import { folderOf, writeFiles } from '../../support/folder.js';
import { runModule } from '../../support/node.js';
import { type StoreParts, storeOf } from '../../support/store.js';
import { clustered } from '../../vectors/seeded.js';

const WORDS = ['zebra', 'yak', 'wolf', 'viper', 'urchin', 'tapir', 'stork', 'rhino'];

/** Forty files about some of eight animals each. */
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

/** A copy of a folder, and of its database whose HNSW snapshot is stored. */
function settled(): { database: string; docs: string } {
  const copy = folderOf();
  cpSync(original, copy, { recursive: true, preserveTimestamps: true });
  return { database: path.join(copy, 'waymark.db'), docs: path.join(copy, 'docs') };
}

function edit(file: string, change: (database: Sqlite.Database) => void): void {
  const database = new Sqlite(file);
  change(database);
  database.close();
}

function snapshotIn(file: string): unknown {
  const database = new Sqlite(file, { readonly: true });
  const row = database
    .prepare(
      `SELECT bot, sequence, (SELECT max(sequence) FROM changes WHERE changes.bot = snapshots.bot) AS newest, parts,
              (SELECT count(*) FROM snapshot_parts) AS stored FROM snapshots`,
    )
    .get();
  database.close();
  return row;
}

/** Opens it again, without the model: what it answers and warns of. */
async function reopened(database: string): Promise<{ engine: SearchEngine; warnings: string[]; embedded: string[] }> {
  const { embedder, embedded } = recordingEmbedder();
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const engine = await engineOf({ database, model: embedder, index: 'hnsw', onWarning });
  return { engine, warnings, embedded };
}

/** A store with an HNSW graph over so many passages, in which the nearest to passage n is passage n. */
async function clusteredStore(count: number, dimensions: number): Promise<StoreParts & { vectors: Float32Array[] }> {
  const parts = storeOf({ kind: 'hnsw', dimensions });
  const vectors = clustered(count, { dimensions, seed: 1 });
  await parts.store.put(fileToPut('a.md', Array.from(vectors.keys(), String)));
  const texts = await parts.store.pending({ after: 0, limit: 9999 });
  await parts.store.putEmbeddings(texts.map(({ id, text }) => ({ id, embedding: vectors[Number(text)] ?? at(0) })));
  return { ...parts, vectors };
}

async function missingFrom({ index }: StoreParts): Promise<number> {
  const current = await index.current();
  return current instanceof HnswIndex ? current.missing().length : Number.NaN;
}

describe('the kinds of index', () => {
  it("'hnsw' and 'exact' answer the same", async () => {
    const { database } = settled();
    expect(await answers(await engineOf({ database, index: 'exact' }))).toEqual(expected);
    expect(await answers(await engineOf({ database, index: 'auto' }))).toEqual(expected);
  });

  it("'auto' is exact for up to 1,500,000 passages and HNSW above; the others are what they say", () => {
    const kinds = (kind: 'auto' | 'exact' | 'hnsw') => {
      const { index } = storeOf({ kind });
      return [0, 1_500_000, 1_500_001].map((count) => index.kind(count));
    };
    expect([kinds('auto'), kinds('exact'), kinds('hnsw')]).toEqual([
      ['exact', 'exact', 'hnsw'],
      ['exact', 'exact', 'exact'],
      ['hnsw', 'hnsw', 'hnsw'],
    ]);
  });
});

describe('the HNSW snapshot', () => {
  it('is stored at the end of indexFolder, with the last change in it', async () => {
    const { database } = settled();
    expect(snapshotIn(database)).toEqual({ bot: 1, sequence: 40, newest: 40, parts: 1, stored: 1 });
  });

  it('is not stored where a scan serves, and removed where it serves again', async () => {
    const { database, docs } = settled();
    const engine = await engineOf({ database, index: 'auto' });
    await engine.indexFolder(docs);
    expect(snapshotIn(database)).toBeUndefined();
  });

  it('is not written again where nothing changed', async () => {
    const { database, docs } = settled();
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

  it('is stored when an engine is closed that has put or removed single files', async () => {
    const { database } = settled();
    const { engine } = await reopened(database);
    await engine.indexFile('new.md', 'An okapi.');
    await engine.removeFile('1.md');
    await engine.close();
    expect(snapshotIn(database)).toMatchObject({ sequence: 42, newest: 42, stored: 1 });
  });

  it('is restored on opening: what it has is not put into a graph again', async () => {
    // Many more than go into a graph in one slice of time.
    const { store, database, file } = await clusteredStore(2000, 128);
    await store.settle();
    const again = () => storeOf({ file, kind: 'hnsw', dimensions: 128 });
    expect(await missingFrom(again())).toBe(0);
    database.exec('DELETE FROM snapshots');
    expect(await missingFrom(again())).toBeGreaterThan(0);
  });

  it('is restored, and answers the same without the model', async () => {
    const { database } = settled();
    const { engine, warnings, embedded } = await reopened(database);
    expect([await answers(engine), warnings, embedded]).toEqual([expected, [], []]);
  });

  it('is brought up to date on opening by what changed since, removals too', async () => {
    const { database } = settled();
    const exact = await engineOf({ database, index: 'exact' });
    await exact.indexFile('new.md', 'A zebra, a zebra.');
    await exact.indexFile('3.md', 'Now of the wolf only.');
    for (const key of ['0.md', '1.md', '2.md', '21.md']) await exact.removeFile(key);
    const { engine, warnings } = await reopened(database);
    expect(await answers(engine)).toEqual(await answers(exact));
    expect(warnings).toEqual([]);
    expect((await engine.search('zebra'))[0]?.file.key).toBe('new.md');
  });

  it('goes into parts of 4 MB and comes out whole', async () => {
    const { store, file, vectors } = await clusteredStore(600, 2048);
    await store.settle();
    expect(snapshotIn(file)).toMatchObject({ parts: 2, stored: 2 });
    const again = storeOf({ file, dimensions: 2048, kind: 'hnsw' });
    expect(await again.store.nearest(vectors[599] ?? at(0), { limit: 1 })).toMatchObject([{ id: 600 }]);
    expect(again.warnings).toEqual([]);
  });

  it('is kept whole when two engines store theirs at once', async () => {
    const { database } = settled();
    const [one, other] = [await reopened(database), await reopened(database)];
    await Promise.all([one.engine.indexFile('x.md', 'An okapi.'), other.engine.indexFile('y.md', 'A quokka.')]);
    await Promise.all([one.engine.close(), other.engine.close()]);
    expect(snapshotIn(database)).toMatchObject({ parts: 1, stored: 1 });
    const { engine, warnings } = await reopened(database);
    expect([(await engine.search('quokka'))[0]?.file.key, warnings]).toEqual(['y.md', []]);
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
    ['that is none', (database) => rewrite(database, (bytes) => flip(bytes, 0), true), '(it is not a snapshot)'],
    ['cut off', (database) => rewrite(database, (bytes) => bytes.subarray(0, 999), true), '(it is too short for'],
    [
      'that was written wrongly',
      (database) => rewrite(database, (bytes) => flip(bytes, 8 + 4 + 4 * 40 + 8), true),
      '(its capacity is',
    ],
  ])('%s is made again from the embeddings, never from the model, with one warning', async (_name, damage, fault) => {
    const { database, docs } = settled();
    edit(database, damage);
    const { engine, warnings, embedded } = await reopened(database);
    expect([await answers(engine), embedded]).toEqual([expected, []]);
    expect(warnings).toEqual([expect.stringContaining(fault)]);
    expect(warnings[0]).toMatch(/It is made again from the stored embeddings\.$/);
    await engine.indexFolder(docs);
    await engine.close();
    const repaired = await reopened(database);
    expect([await answers(repaired.engine), repaired.warnings, repaired.embedded]).toEqual([expected, [], []]);
    expect(snapshotIn(database)).toMatchObject({ sequence: 40, stored: 1 });
  });

  it('that is missing is made again without a word', async () => {
    const { database } = settled();
    edit(database, (opened) => opened.exec(`DELETE FROM snapshots; DELETE FROM snapshot_parts`));
    const { engine, warnings, embedded } = await reopened(database);
    expect([await answers(engine), warnings, embedded]).toEqual([expected, [], []]);
  });
});

describe.each(['exact', 'hnsw'] as const)('an index (%s) in use', (kind) => {
  it('is loaded anew where the log does not reach back to it', async () => {
    const one = storeOf({ kind });
    await one.store.put(fileToPut('a.md', ['10', '20']));
    await embedAll(one.store);
    const other = storeOf({ file: one.file, kind });
    expect(await other.store.nearest(at(0), { limit: 9 })).toHaveLength(2);
    await one.store.put(fileToPut('a.md', ['20', '30', '40']));
    await embedAll(one.store);
    one.database.exec(`DELETE FROM changes WHERE sequence < (SELECT max(sequence) FROM changes)`);
    const nearest = await other.store.nearest(at(0), { limit: 9 });
    expect(nearest.map(({ id }) => id)).toEqual([2, 3, 4]);
  });

  it('follows thousands of changes that another made', async () => {
    const one = storeOf({ kind });
    const other = storeOf({ file: one.file, kind });
    await one.store.put(fileToPut('a.md', ['5']));
    await embedAll(one.store);
    expect(await other.store.nearest(at(0), { limit: 9 })).toHaveLength(1);
    await one.store.put(fileToPut('b.md', Array(2500).fill('10')));
    await one.store.put(fileToPut('c.md', ['0']));
    await embedAll(one.store);
    const nearest = await other.store.nearest(at(0), { limit: 2 });
    const [best] = await other.store.passages(nearest.map(({ id }) => id));
    expect([best?.file.key, (await other.store.nearest(at(0), { limit: 9999 })).length]).toEqual(['c.md', 2502]);
  });

  it('has its log shortened to the last 10,000 changes when the store settles', async () => {
    const { store, database } = storeOf({ kind: 'exact' });
    await store.put(fileToPut('a.md', Array(10_010).fill('10')));
    await embedAll(store);
    await store.settle();
    const log = database.prepare(`SELECT count(*) AS changes, max(sequence) AS newest FROM changes`).get();
    expect(log).toEqual({ changes: 10_000, newest: 10_010 });
  });

  it.each([
    ['too short', Buffer.alloc(4)],
    ['of odd bytes', Buffer.alloc(7)],
    ['of no length', Buffer.alloc(8)],
    ['not a number', Buffer.alloc(8, 0xff)],
  ])('is DATABASE_DAMAGED where a stored embedding is %s', async (_name, vector) => {
    const one = storeOf({ kind });
    await one.store.put(fileToPut('a.md', ['10', '20']));
    await embedAll(one.store);
    one.database.prepare(`UPDATE embeddings SET vector = ? WHERE number = 2`).run(vector);
    const { store } = storeOf({ file: one.file, kind });
    await expect(store.nearest(at(0), { limit: 1 })).rejects.toMatchObject({
      code: 'DATABASE_DAMAGED',
      message: 'The embedding of passage 1 of a.md is damaged in the database: mend it with: waymark doctor --repair',
    });
  });
});

it('settling goes on with the graph while searches are answered, and stops when it is told to', async () => {
  const { store, file, vectors } = await clusteredStore(2000, 128);
  const stop = new AbortController();
  const settling = expect(store.settle({ signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await store.nearest(vectors[1999] ?? at(0), { limit: 1 })).toMatchObject([{ id: 2000 }]);
  stop.abort();
  await settling;
  expect(snapshotIn(file)).toBeUndefined();
  await store.settle();
  expect(snapshotIn(file)).toMatchObject({ stored: 1 });
});

describe('without hnswlib-node', () => {
  /** Makes `require('hnswlib-node')` fail as it does where it is not installed. */
  const HIDE = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (request, ...rest) {
      if (request !== 'hnswlib-node') return resolve.call(this, request, ...rest);
      throw Object.assign(new Error("Cannot find module 'hnswlib-node'"), { code: 'MODULE_NOT_FOUND' });
    };`;

  async function withoutHnswlib(program: string, args: readonly string[]): Promise<unknown> {
    const hide = path.join(folderOf({ 'hide.cjs': HIDE }), 'hide.cjs');
    const { code, stdout, stderr } = await runModule(program, args, ['--require', hide]);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  const reason =
    'hnswlib-node cannot be loaded: install it (npm install hnswlib-node, which needs a C++ compiler), or use the exact index.';

  it("'hnsw' is VECTOR_INDEX_UNAVAILABLE on opening, with what to do", async () => {
    const program = `
      import { createHashEmbedder, openEngine } from 'waymark';
      const opening = openEngine({ database: process.argv[1], model: createHashEmbedder(), index: 'hnsw' });
      console.log(JSON.stringify(await opening.catch(({ code, message }) => ({ code, message }))));`;
    const thrown = await withoutHnswlib(program, [path.join(folderOf(), 'waymark.db')]);
    expect(thrown).toEqual({ code: 'VECTOR_INDEX_UNAVAILABLE', message: reason });
  });

  it("'auto' scans where it would take HNSW, too, with one warning", async () => {
    const { store, file } = storeOf({ dimensions: 64 });
    await store.put(fileToPut('a.md', ['zebra', 'zebra', 'zebra']));
    const [zebra] = await createHashEmbedder().embedPassages(['zebra']);
    const [pending] = await store.pending({ after: 0, limit: 1 });
    await store.putEmbeddings([{ id: pending?.id ?? 0, embedding: zebra ?? at(0) }]);
    const copy = path.join(folderOf(), 'waymark.db');
    await store.settle();
    edit(file, (database) => {
      // As if the hash embedder had embedded it.
      database.exec(`UPDATE models SET fingerprint = 'hash 64', name = 'hash'`);
      database.exec(`VACUUM INTO '${copy}'`);
    });
    const program = `
      import { createHashEmbedder, openEngine } from 'waymark';
      const warnings = [];
      const onWarning = (message) => warnings.push(message);
      const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder(), hnswFrom: 2, onWarning });
      const statuses = [(await engine.status()).index];
      const [hit] = await engine.search('zebra', { limit: 1 });
      await engine.indexFile('b.md', 'yak');
      statuses.push((await engine.status()).index);
      await engine.close();
      console.log(JSON.stringify({ statuses, found: hit.passage.position, warnings }));`;
    expect(await withoutHnswlib(program, [copy])).toEqual({
      statuses: ['exact', 'exact'],
      found: 0,
      warnings: [`${reason} Until then every search scans all 3 passages.`],
    });
  });
});
