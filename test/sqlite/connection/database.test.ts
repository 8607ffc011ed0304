import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHashEmbedder, examine, openEngine, openHost } from 'waymark';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { MIGRATIONS } from '#src/sqlite/schema/migrations.js';
import { engineOf } from '../../support/engine.js';
import { folderOf } from '../../support/folder.js';
import { inMilliseconds } from '../../support/later.js';
import { newBot } from '../../support/new-bot.js';
import { runModule } from '../../support/node.js';

const LATEST = MIGRATIONS.length;

function newFile(): string {
  return path.join(folderOf(), 'waymark.db');
}

/** The bytes of a database with 30 indexed files: it is made once. */
let template: Promise<Uint8Array> | undefined;

/** A copy of that database, closed. */
async function indexed(): Promise<string> {
  const file = newFile();
  template ??= indexNew(file);
  writeFileSync(file, await template);
  return file;
}

async function indexNew(file: string): Promise<Uint8Array> {
  const engine = await openEngine({ database: file, model: createHashEmbedder() });
  for (let i = 0; i < 30; i++) await engine.indexFile(`${i}.md`, `# Title ${i}\n\n${'words '.repeat(200)}`);
  await engine.close();
  return readFileSync(file);
}

async function expectRefused(file: string, refusal: { code: string; message: unknown }): Promise<void> {
  const [bytes, beside] = [readFileSync(file), readdirSync(path.dirname(file))];
  for (const create of [true, false]) {
    const model = createHashEmbedder();
    await expect(openEngine({ database: file, create, model })).rejects.toMatchObject(refusal);
  }
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(readdirSync(path.dirname(file))).toEqual(beside);
}

describe('a new database', () => {
  it('has the latest schema version, the application id and a write-ahead log', () => {
    const connection = openConnection(newFile(), { create: true });
    const found = ['user_version', 'application_id', 'journal_mode', 'foreign_keys', 'synchronous'].map((name) =>
      connection.pragma(name),
    );
    connection.close();
    expect(found).toEqual([LATEST, 0x57796d6b, 'wal', 1, 1]);
  });

  it('is created with its folders', () => {
    const file = path.join(folderOf(), 'a', 'b', 'waymark.db');
    openConnection(file, { create: true }).close();
    expect(existsSync(file)).toBe(true);
  });

  it('is created once when several processes open it at the same time', async () => {
    const file = path.join(folderOf(), 'sub', 'waymark.db');
    const program = `
      import { createHashEmbedder, openEngine } from 'waymark';
      const engine = await openEngine({ database: process.argv[1], model: createHashEmbedder() });
      await engine.indexFile('a.md', 'text');
      await engine.close();`;
    const ended = await Promise.all(Array.from({ length: 4 }, () => runModule(program, [file])));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(Array(4).fill([0, '']));
    const engine = await engineOf({ database: file });
    expect([(await engine.status()).files, (await engine.listBots()).bots.length]).toEqual([1, 1]);
  });
});

it('a database without tables, made by SQLite, becomes a new one', async () => {
  const file = newFile();
  const database = new Sqlite(file);
  database.exec('CREATE TABLE a (b); DROP TABLE a');
  database.close();
  const engine = await engineOf({ database: file });
  expect(await engine.indexFile('a.md', 'text')).toMatchObject({ outcome: 'added' });
});

it.runIf(process.platform !== 'win32')(
  'a database is searched but not written if a folder has the name of the index of its log',
  async () => {
    const file = await indexed();
    mkdirSync(`${file}-shm`);
    const engine = await engineOf({ database: file, onWarning: () => {} });
    expect((await engine.searchFiles({ query: 'words' })).passages).toHaveLength(20);
    const refused = { code: 'DATABASE_UNWRITABLE', message: expect.stringContaining('-wal and -shm files beside it') };
    await expect(engine.indexFile('a.md', 'text')).rejects.toMatchObject(refused);
  },
);

describe('a missing database', () => {
  it('is INDEX_MISSING with create: false, and nothing is created', async () => {
    const folder = folderOf();
    const database = path.join(folder, 'sub', 'waymark.db');
    const opening = openEngine({ database, create: false, model: createHashEmbedder() });
    await expect(opening).rejects.toMatchObject({
      code: 'INDEX_MISSING',
      message: `No index at ${database}. Create one with: waymark index <folder>`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is INDEX_MISSING if the file is empty, also for an examination, and the file stays empty', async () => {
    const file = newFile();
    writeFileSync(file, '');
    expect(() => openConnection(file, { create: false })).toThrow(expect.objectContaining({ code: 'INDEX_MISSING' }));
    await expect(examine({ database: file })).rejects.toMatchObject({ code: 'INDEX_MISSING' });
    expect(readFileSync(file)).toHaveLength(0);
  });

  it.each([
    ['below a folder that accepts no folders', '/proc/waymark/waymark.db'],
    ['in a folder that accepts no files', '/proc/waymark.db'],
  ])('is DATABASE_UNWRITABLE %s', (_name, file) => {
    expect(() => openConnection(file, { create: true })).toThrow(
      expect.objectContaining({ code: 'DATABASE_UNWRITABLE', message: expect.stringContaining(file) }),
    );
  });

  it.each([
    ['DATABASE_UNWRITABLE if a part of the path is a file', 'file/waymark.db'],
    ['DATABASE_UNWRITABLE if a part of the path further above is a file', 'file/sub/waymark.db'],
    ['INVALID_ARGUMENT if the path is a folder', 'folder'],
  ])('is %s', (rule, name) => {
    const folder = folderOf({ file: 'text', 'folder/file': 'text' });
    const error = expect.objectContaining({ code: rule.split(' ')[0] });
    expect(() => openConnection(path.join(folder, name), { create: true })).toThrow(error);
    expect(readdirSync(folder, { recursive: true })).toEqual(['file', 'folder', path.join('folder', 'file')]);
  });
});

describe('an unusable database is left unchanged', () => {
  it('of a newer version: DATABASE_TOO_NEW', async () => {
    const file = await indexed();
    const database = new Sqlite(file);
    database.pragma(`user_version = ${LATEST + 1}`);
    database.close();
    await expectRefused(file, {
      code: 'DATABASE_TOO_NEW',
      message: `${file} was made by a newer Waymark (schema ${LATEST + 1}, this version knows ${LATEST}): update Waymark.`,
    });
  });

  it.each(['delete', 'wal'])('of another application, in journal mode %s: DATABASE_DAMAGED', async (mode) => {
    const file = newFile();
    const database = new Sqlite(file);
    database.pragma(`journal_mode = ${mode}`);
    database.exec('CREATE TABLE notes (text TEXT); PRAGMA user_version = 1');
    database.close();
    await expectRefused(file, {
      code: 'DATABASE_DAMAGED',
      message: `${file} is not a Waymark database: choose another file with --database.`,
    });
  });

  it.each(['user_version = -1', 'user_version = 1', 'application_id = 7', `application_id = ${0x57796d6b}`])(
    'without tables, but with %s: DATABASE_DAMAGED',
    async (mark) => {
      const file = newFile();
      const database = new Sqlite(file);
      database.pragma(mark);
      database.close();
      const refusal = {
        code: 'DATABASE_DAMAGED',
        message: `${file} is not a Waymark database: choose another file with --database.`,
      };
      await expectRefused(file, refusal);
      expect((await examine({ database: file })).state).toBe('damaged');
    },
  );

  it('of a version below 0: DATABASE_DAMAGED', async () => {
    const file = await indexed();
    const database = new Sqlite(file);
    database.pragma('user_version = -1');
    database.close();
    await expectRefused(file, { code: 'DATABASE_DAMAGED', message: expect.stringContaining(file) });
  });

  it('a file that is not a database: DATABASE_DAMAGED', async () => {
    const file = newFile();
    writeFileSync(file, 'This is a text.\n'.repeat(1000));
    await expectRefused(file, { code: 'DATABASE_DAMAGED', message: expect.stringContaining(file) });
  });

  it.each([0.9, 0.5, 0.1])('truncated to %d of its bytes: DATABASE_DAMAGED', async (share) => {
    const file = await indexed();
    truncateSync(file, Math.floor(readFileSync(file).length * share));
    await expectRefused(file, { code: 'DATABASE_DAMAGED', message: expect.stringContaining(file) });
  });
});

describe('migrations', () => {
  function schemaOf(connection: Connection): unknown[] {
    return connection.prepare(`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name`).all();
  }

  it.each(Array.from({ length: LATEST }, (_, version) => version + 1))(
    'update version %d to the latest schema',
    (version) => {
      const file = newFile();
      const old = new Sqlite(file);
      for (const step of MIGRATIONS.slice(0, version)) old.exec(step);
      old.pragma(`application_id = ${0x57796d6b}`);
      old.pragma(`user_version = ${version}`);
      old.close();
      const migrated = openConnection(file, { create: false });
      const fresh = openConnection(newFile(), { create: true });
      const found = [migrated.pragma('user_version'), schemaOf(migrated)];
      const expected = [LATEST, schemaOf(fresh)];
      migrated.close();
      fresh.close();
      expect(found).toEqual(expected);
    },
  );
});

it('an upload that was announced before its address had a description keeps that of its file', async () => {
  const database = newFile();
  const before = await openHost({ database, model: createHashEmbedder() });
  const { files, botId } = await newBot(before);
  const described = {
    ...{ tags: { kind: 'guide' }, metadata: { n: 1 } },
    ...{ accessPolicies: ['public_content' as const], expiresAt: inMilliseconds(3_600_000) },
  };
  const { file } = await files.upsertFile({ key: 'a.md', size: 3, index: true, ...described });
  await before.close();
  const former = new Sqlite(database);
  const step = MIGRATIONS.findIndex((sql) => sql.includes('uploads ADD COLUMN metadata'));
  former.exec(`
    DROP INDEX uploads_by_file;
    DROP INDEX uploads_by_expiry;
    ALTER TABLE uploads DROP COLUMN metadata;
    ALTER TABLE uploads DROP COLUMN tags;
    ALTER TABLE uploads DROP COLUMN access_policies;
    ALTER TABLE uploads DROP COLUMN file_expires_at;
    ALTER TABLE staged_files DROP COLUMN checksum;
    ALTER TABLE files DROP COLUMN keeps_description;
    PRAGMA user_version = ${step}`);
  former.close();
  const host = await openHost({ database, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  await host.receive(path.posix.basename(file.uploadUrl), Buffer.from('abc'));
  const { file: stored } = await (await host.bot(botId)).getFile({ id: 'a.md' });
  expect(stored).toMatchObject({ ...described, size: 3, index: true });
});

describe('two engines on one database', () => {
  it('immediately find what the other indexes, changes and removes', async () => {
    const database = newFile();
    const [one, other] = [await engineOf({ database }), await engineOf({ database, index: 'hnsw' })];
    const keys = async () =>
      Promise.all([one, other].map(async (engine) => (await engine.search('zebra')).map(({ file }) => file.key)));
    expect(await keys()).toEqual([[], []]);
    await one.indexFile('a.md', 'zebra');
    expect(await keys()).toEqual([['a.md'], ['a.md']]);
    await other.indexFile('b.md', 'zebra stripes');
    expect(await keys()).toEqual([
      ['a.md', 'b.md'],
      ['a.md', 'b.md'],
    ]);
    await one.indexFile('a.md', 'zebra stripes, and much more of other animals');
    expect(await keys()).toEqual([
      ['b.md', 'a.md'],
      ['b.md', 'a.md'],
    ]);
    await other.removeFile('b.md');
    expect(await keys()).toEqual([['a.md'], ['a.md']]);
  });
});

describe('a process killed during indexing', () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `${i}.md`,
      `# File ${i}\n\n${Array.from({ length: 6 }, (_, j) => `## Part ${j}\n\nText ${i} of part ${j}.`).join('\n\n')}\n`,
    ]),
  );

  /** Everything that indexing stored, except for ids and dates. */
  function contentOf(file: string): unknown {
    const database = new Sqlite(file, { readonly: true });
    const all = (sql: string) => database.prepare(sql).all();
    const content = [
      all(`SELECT key, folder, size, hash, pipeline, content_type, title, metadata, warnings, text
           FROM files JOIN texts ON file = number ORDER BY key`),
      all(`SELECT key, position, start, "end", start_line, end_line, breadcrumb, subtype, hex(vector) AS vector, e.hash
           FROM passages JOIN files ON files.number = file JOIN embeddings AS e ON e.number = embedding
           ORDER BY key, position`),
      all(`SELECT count(*) FROM embeddings`),
      all(`SELECT count(*) FROM unused`),
    ];
    database.close();
    return content;
  }

  const program = `
    import { createHashEmbedder, openEngine } from 'waymark';
    const [, database, folder, events] = process.argv;
    const engine = await openEngine({ database, model: createHashEmbedder() });
    let seen = 0;
    const onProgress = () => { if (++seen === Number(events)) process.kill(process.pid, 'SIGKILL'); };
    await engine.indexFolder(folder, { onProgress });`;

  it('leaves a database that opens, and the next run completes it', async () => {
    const root = folderOf();
    const docs = folderOf(files);
    const whole = path.join(root, 'whole.db');
    await (await engineOf({ database: whole })).indexFolder(docs);
    const expected = contentOf(whole);
    // One at the start of reading, one after each file, one at the start of embedding, one after each batch.
    const after = [2, 8, 14, 15];
    const ended = await Promise.all(
      after.map((events) => runModule(program, [path.join(root, `${events}.db`), docs, String(events)])),
    );
    expect(ended).toEqual(after.map(() => ({ code: null, signal: 'SIGKILL', stdout: '', stderr: '' })));
    for (const events of after) {
      const database = path.join(root, `${events}.db`);
      const engine = await engineOf({ database });
      const before = await engine.status();
      expect(before.files).toBeGreaterThanOrEqual(Math.min(events - 1, 12));
      expect(await engine.indexFolder(docs)).toMatchObject({
        added: 12 - before.files,
        unchanged: before.files,
        failed: [],
      });
      expect(contentOf(database)).toEqual(expected);
    }
  });
});
