import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createHashEmbedder, examine, openEngine, reembed } from 'waymark';
import { MIGRATIONS } from '#src/sqlite/schema/migrations.js';
import { folderOf } from '../support/folder.js';
import {
  answers,
  answersBefore,
  complaints,
  damage,
  EMBEDDING,
  examined,
  fileOf,
  flip,
  indexed,
  REPAIR,
} from './damaged-database.js';

test('an intact database passes every check, and nothing is repaired', async () => {
  const database = await indexed();
  const examination = await examined(database, { repair: true });
  expect(examination).toMatchObject({ database, state: 'ok', repaired: [] });
  expect(examination.findings.map(({ check, state, bot }) => [check, state, bot])).toEqual([
    ['native modules', 'ok', undefined],
    ['free space', 'ok', undefined],
    ['schema', 'ok', undefined],
    ['structure', 'ok', undefined],
    ['embeddings', 'ok', undefined],
    ['changes', 'ok', undefined],
    ['settings', 'ok', undefined],
    ['files', 'ok', 'default'],
    ['model', 'ok', 'default'],
    ['passages', 'ok', 'default'],
    ['postings', 'ok', 'default'],
    ['snapshot', 'ok', 'default'],
  ]);
});

test('passages that continue a fence or a table are sound, also with the checksums that a repair adds', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  const lines = Array.from({ length: 200 }, (_, i) => `let kettle${i} = pump(${i});`);
  await engine.indexFile('code.md', ['# Code', '', '```js', ...lines, '```'].join('\n'));
  const rows = Array.from({ length: 200 }, (_, i) => `| kettle ${i} | pumps ${i} litres |`);
  await engine.indexFile('table.md', ['# Table', '', '| Name | Use |', '|---|---|', ...rows].join('\n'));
  await engine.close();
  expect(complaints(await examined(database))).toEqual([]);
  damage(database, (connection) => connection.exec('UPDATE passages SET checksum = NULL'));
  expect((await examined(database, { repair: true })).repaired).toHaveLength(1);
  expect(complaints(await examined(database))).toEqual([]);
});

describe('damage that cannot be repaired is reported, and the file is left unchanged', () => {
  it('a malformed page', async () => {
    const database = await indexed();
    const bytes = readFileSync(database);
    bytes.fill(0xff, 4096 * 6, 4096 * 6 + 64);
    writeFileSync(database, bytes);
    const examination = await examined(database, { repair: true });
    expect(examination).toMatchObject({ state: 'damaged', repaired: [] });
    const [complaint] = complaints(examination).filter((text) => text.startsWith('structure'));
    expect(complaint).toMatch(/^structure damaged: .*malformed.* Next: index again into a new file with --database/);
    expect(readFileSync(database).equals(bytes)).toBe(true);
  });

  it('a truncated file', async () => {
    const database = await indexed();
    truncateSync(database, 10_000);
    const { state, repaired } = await examined(database, { repair: true });
    expect([state, repaired]).toEqual(['damaged', []]);
  });

  it('a file that is not a database', async () => {
    const folder = folderOf({ 'text.db': 'This is not a database. '.repeat(100) });
    const database = path.join(folder, 'text.db');
    const [complaint] = complaints(await examined(database)).filter((text) => text.startsWith('structure'));
    expect(complaint).toMatch(
      /is not a database, .* \(file is not a database\): choose another file.* Next: index again into a new file/,
    );
  });

  it('a table that does not match the schema', async () => {
    const database = await indexed();
    damage(database, (connection) => {
      connection.pragma('writable_schema = ON');
      connection.exec(
        `UPDATE sqlite_schema SET sql = replace(sql, 'start_line', 'stars_line') WHERE name = 'passages'`,
      );
    });
    const [complaint] = complaints(await examined(database, { repair: true }));
    const latest = MIGRATIONS.length;
    expect(complaint).toBe(
      `schema damaged: The tables do not match schema version ${latest}: passages. Next: index again into a new file with --database; texts that came from no folder are lost`,
    );
  });

  it('a missing database: INDEX_MISSING, and none is created', async () => {
    const folder = folderOf();
    await expect(examined(path.join(folder, 'none.db'))).rejects.toMatchObject({ code: 'INDEX_MISSING' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the model', () => {
  it('a model other than that of the files: both are named, and nothing is compared or changed', async () => {
    const database = await indexed();
    const model = createHashEmbedder({ dimensions: 32 });
    const examination = await examined(database, { model, repair: true });
    expect([examination.state, examination.repaired]).toEqual(['damaged', []]);
    expect(complaints(examination)).toEqual([
      'model damaged: The files were embedded with hash (hash 64), but hash (hash 32) would be opened. Next: restore the files of hash, or re-embed with hash: waymark index --reembed',
      'passages warning: The passages match their checksums; comparing them with the texts requires their model. Next: do what the check of the model says',
      'postings warning: The postings were not compared with the texts, which requires their model. Next: do what the check of the model says',
    ]);
  });

  it('a missing model: it is named, with the reason', async () => {
    const database = await indexed();
    const model = path.join(path.dirname(database), 'docs');
    const [complaint] = complaints(await examined(database, { model }));
    expect(complaint).toMatch(
      /^model damaged: The model hash of bot "default" cannot be opened: No model in .* Next: restore the model/,
    );
  });

  it('a wrong similarity scale is measured again', async () => {
    const hash = createHashEmbedder();
    const { similarity: _, ...card } = hash.card;
    const model = { ...hash, card };
    const database = path.join(folderOf(), 'waymark.db');
    const engine = await openEngine({ database, model });
    await engine.indexFile('a.md', 'Rotate the keys.');
    const [before] = await engine.search('keys');
    await engine.close();
    expect(complaints(await examined(database, { model }))).toEqual([]);
    damage(database, `UPDATE models SET related = related + 0.125`);
    const { repaired } = await examined(database, { model, repair: true });
    expect(repaired).toEqual(['Measured the similarity scale of hash again.']);
    const again = await openEngine({ database, model });
    expect((await again.search('keys'))[0]?.score).toBe(before?.score);
    await again.close();
  });
});

describe('several bots', () => {
  it('a damaged embedding is replaced in every bot that uses it, even if one bot is examined', async () => {
    const database = await indexed();
    const first = await openEngine({ database, model: createHashEmbedder() });
    await first.createBot({ name: 'other' });
    await first.close();
    const other = await openEngine({ database, bot: 'other', model: createHashEmbedder() });
    await other.indexFile('twin.md', '# Given\n\nThis is what programs say.\n');
    await other.close();
    const shared = `(SELECT embedding FROM passages WHERE file = ${fileOf('twin.md')})`;
    damage(database, (connection) =>
      flip(connection, { table: 'embeddings', column: 'vector', where: `number = ${shared}`, byte: 7 }),
    );
    const one = await examined(database, { bot: 'other' });
    expect(new Set(one.findings.map(({ bot }) => bot))).toEqual(new Set([undefined, 'other']));
    expect(complaints(one)).toEqual([
      `embeddings damaged: 1 of 5 embeddings is damaged: passage 0 of given.md, passage 0 of twin.md. Next: ${REPAIR}`,
    ]);
    const repaired = await examined(database, { bot: 'other', repair: true });
    expect([complaints(repaired), complaints(await examined(database))]).toEqual([[], []]);
    await expect(examined(database, { bot: 'nobody' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
    await expect(examined(database, { bot: '' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe("FTS5's own totals", () => {
  it.each(["x''", "x'ff'", "x'010101'", 'NULL', '77'])('are not read by a search: %s', async (block) => {
    const database = await indexed();
    damage(database, `UPDATE postings_1_data SET block = ${block} WHERE id = 1`);
    expect(await answers(database)).toEqual(await answersBefore());
  });
});

it('an open engine follows a repair', async () => {
  const database = await indexed();
  const other = await openEngine({ database, model: createHashEmbedder() });
  const before = await other.search('oil the locks');
  damage(database, `UPDATE passages SET length = 1 WHERE embedding = ${EMBEDDING}`);
  await examined(database, { repair: true });
  const plain = (hits: typeof before) => hits.map(({ score, passage }) => ({ score, passage }));
  expect(plain(await other.search('oil the locks'))).toEqual(plain(before));
  await other.close();
});

it('passages that the caller set are compared with the text, not cut again', async () => {
  const database = await indexed();
  const engine = await openEngine({ database, model: createHashEmbedder() });
  const passage = { content: '# Not a heading', subtype: 'paragraph' as const, page: 3 };
  await engine.setPassages({
    key: 'set.md',
    contentType: 'text/markdown',
    tags: {},
    metadata: {},
    passages: [passage],
  });
  await engine.indexFile('plain.txt', 'One line.\n\n# Another', { contentType: 'text/plain' });
  await engine.close();
  expect(complaints(await examined(database))).toEqual([]);
  damage(database, `INSERT OR REPLACE INTO postings_1 (rowid, breadcrumb, text) VALUES (6, '', 'a heading')`);
  expect(complaints(await examined(database))).toEqual([
    `postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`,
  ]);
  expect(complaints(await examined(database, { repair: true }))).toEqual([]);
});

it('a database of an earlier version is migrated; a repair adds its checksums', async () => {
  const database = await indexed();
  damage(database, (connection) => {
    connection.exec('DROP TABLE text_parts; DROP TABLE content_parts; DROP TABLE contents');
    connection.exec(/CREATE TABLE contents [^;]+/.exec(MIGRATIONS[3] ?? '')?.[0] ?? '');
    for (const table of ['embeddings', 'passages', 'files', 'texts']) {
      connection.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
    }
    const ofFiles = ['version', 'ctime', 'inode', 'keeps_description'];
    for (const column of ofFiles) connection.exec(`ALTER TABLE files DROP COLUMN ${column}`);
    connection.exec(`DROP TABLE file_terms; DROP TABLE signing_key; DROP TABLE knowledge_bases; DROP TABLE folders`);
    connection.exec('DROP TABLE bot_numbers');
    connection.exec('DROP INDEX uploads_by_file; DROP INDEX uploads_by_expiry');
    const kept = ['size', 'content_type', 'searched', 'metadata', 'tags', 'access_policies', 'file_expires_at'];
    for (const column of kept) connection.exec(`ALTER TABLE uploads DROP COLUMN ${column}`);
    for (const column of ['opening', 'closing']) connection.exec(`ALTER TABLE passages DROP COLUMN ${column}`);
    for (const table of ['staged_passages', 'staged_files', 'reembeddings']) connection.exec(`DROP TABLE ${table}`);
    connection.exec(`ALTER TABLE files RENAME COLUMN pipeline TO recipe; DROP TABLE posting_totals`);
    connection.exec('ALTER TABLE workspaces DROP COLUMN updated_at');
    connection.pragma('user_version = 4');
  });
  const { state, findings } = await examined(database);
  expect([state, findings.find(({ check }) => check === 'schema')?.message]).toEqual([
    'warning',
    `The schema version is ${MIGRATIONS.length}.`,
  ]);
  const { repaired } = await examined(database, { repair: true });
  expect(repaired).toEqual(['Added checksums to 13 rows.']);
  expect([complaints(await examined(database)), await answers(database)]).toEqual([[], await answersBefore()]);
});

it('an interrupted re-embedding is not damage, and a repair keeps it', async () => {
  const database = await indexed();
  const stopping = new AbortController();
  const model = createHashEmbedder({ name: 'other' });
  const options = { database, model, signal: stopping.signal };
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === 'embed') stopping.abort();
  };
  await expect(reembed({ ...options, onProgress })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(complaints(await examined(database, { repair: true }))).toEqual([]);
  const engine = await openEngine({ database, model: createHashEmbedder() });
  expect((await engine.status()).reembedding).toMatchObject({ model: 'other' });
  await engine.close();
});

it('changes by another process during the examination are not reported as damage', async () => {
  const database = await indexed();
  const other = await openEngine({ database, model: createHashEmbedder() });
  const model = createHashEmbedder();
  const look = examine({ database, model });
  for (let i = 0; i < 30; i++) await other.indexFile(`${i}.md`, `# ${i}\n\nThis is another text.\n`);
  expect(complaints(await look)).toEqual([]);
  await other.close();
});
