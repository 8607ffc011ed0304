import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createHashEmbedder, examine, openEngine, reembed } from 'waymark';
import type { Database } from '#src/sqlite/connection/database.js';
import { MIGRATIONS } from '#src/sqlite/connection/migrations.js';
import { folderOf } from '../support/folder.js';
import { answers, answersBefore, complaints, damage, examined, indexed } from './patient.js';

const REPAIR = 'waymark doctor --repair';
const fileOf = (key: string) => `(SELECT number FROM files WHERE key = '${key}')`;
const EMBEDDING = `(SELECT embedding FROM passages WHERE file = ${fileOf('keys.md')} AND position = 1)`;

test('a sound database: every check is ok, and nothing is repaired', async () => {
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
    ['files', 'ok', 'default'],
    ['model', 'ok', 'default'],
    ['passages', 'ok', 'default'],
    ['postings', 'ok', 'default'],
    ['snapshot', 'ok', 'default'],
  ]);
});

/** A flipped bit of a blob's byte. */
function flip(
  database: Database,
  { table, column, where, byte }: { table: string; column: string; where: string; byte: number },
): void {
  const select = database.prepare<[], Buffer>(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck();
  const bytes = Buffer.from(select.get() ?? []);
  bytes[byte] = (bytes[byte] ?? 0) ^ 4;
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(bytes);
}

describe('what is damaged is found and named, and after its repair all is well and answers are those of before', () => {
  it.each<[name: string, damaged: string | ((database: Database) => unknown), found: string[]]>([
    [
      'a bit of an embedding',
      (database) => flip(database, { table: 'embeddings', column: 'vector', where: `number = ${EMBEDDING}`, byte: 7 }),
      [`embeddings damaged: Of 5 embeddings 1 is damaged: passage 1 of keys.md. Next: ${REPAIR}`],
    ],
    [
      'an embedding of another length',
      `UPDATE embeddings SET checksum = NULL, vector = zeroblob(256) WHERE number = ${EMBEDDING}`,
      [`embeddings damaged: Of 5 embeddings 1 is damaged: passage 1 of keys.md. Next: ${REPAIR}`],
    ],
    [
      'an embedding that is gone',
      `DELETE FROM embeddings WHERE number = ${EMBEDDING}`,
      [
        `structure damaged: SQLite finds 1 fault: passages has rows of something that is gone. Next: ${REPAIR}`,
        `passages damaged: Passages of keys.md are damaged. Next: ${REPAIR}`,
      ],
    ],
    [
      'an embedding of no passage',
      `INSERT INTO embeddings (hash, model, text) VALUES ('hash', 1, 'text')`,
      [`embeddings warning: 1 embedding of 6 without a passage. Next: ${REPAIR}`],
    ],
    [
      "a passage's end",
      `UPDATE passages SET "end" = "end" + 1 WHERE embedding = ${EMBEDDING}`,
      [`passages damaged: Passages of keys.md are damaged. Next: ${REPAIR}`],
    ],
    [
      "a passage's length, which orders answers",
      `UPDATE passages SET length = 1 WHERE embedding = ${EMBEDDING}`,
      [`passages damaged: Passages of keys.md are damaged. Next: ${REPAIR}`],
    ],
    [
      'a passage that is gone',
      `DELETE FROM passages WHERE file = ${fileOf('logs.md')} AND position = 0`,
      [
        `embeddings warning: 1 embedding of 5 without a passage. Next: ${REPAIR}`,
        `passages damaged: Passages of logs.md are damaged. Next: ${REPAIR}`,
        `postings damaged: The postings of 1 passage are not those of their texts. Next: ${REPAIR}`,
      ],
    ],
    [
      'passages that a text is not cut into, with right checksums',
      `DELETE FROM passages WHERE file = ${fileOf('logs.md')}`,
      [
        `embeddings warning: 2 embeddings of 5 without a passage. Next: ${REPAIR}`,
        `passages damaged: Passages of logs.md are damaged. Next: ${REPAIR}`,
        `postings damaged: The postings of 2 passages are not those of their texts. Next: ${REPAIR}`,
      ],
    ],
    [
      'passages of a file that is gone',
      (database) => {
        const columns = `id, 99, position, start, "end", start_line, end_line, breadcrumb, subtype, embedding, length`;
        database.exec(
          `INSERT INTO passages (id, file, position, start, "end", start_line, end_line, breadcrumb, subtype, embedding, length)
           SELECT ${columns} FROM passages LIMIT 1`,
        );
      },
      [`structure damaged: SQLite finds 1 fault: passages has rows of something that is gone. Next: ${REPAIR}`],
    ],
    [
      'postings that are missing',
      `DELETE FROM postings_1 WHERE rowid = 2`,
      [`postings damaged: The postings of 1 passage are not those of their texts. Next: ${REPAIR}`],
    ],
    [
      'postings of no passage',
      `INSERT INTO postings_1 (rowid, breadcrumb, text) VALUES (77, '', 'stray')`,
      [`postings damaged: The postings of 1 passage are not those of their texts. Next: ${REPAIR}`],
    ],
    [
      'a term of a posting',
      `INSERT OR REPLACE INTO postings_1 (rowid, breadcrumb, text) VALUES (2, 'keys locks', 'oil the lacks and the padlock')`,
      [`postings damaged: The postings of 1 passage are not those of their texts. Next: ${REPAIR}`],
    ],
    [
      "a byte of FTS5's own",
      (database) => flip(database, { table: 'postings_1_data', column: 'block', where: 'id > 100', byte: 9 }),
      [expect.stringMatching(/^postings damaged: The postings of \d passages are not those/) as never],
    ],
    [
      'how many passages FTS5 counts',
      `UPDATE postings_1_data SET block = x'010101' WHERE id = 1`,
      [
        `postings damaged: The postings are damaged (FTS5 counts 1 passage of 2 terms, and there are 5 passages of 28 terms). Next: ${REPAIR}`,
      ],
    ],
    [
      'more passages than there are, in what FTS5 counts',
      `UPDATE postings_1_data SET block = x'060719' WHERE id = 1`,
      [
        `postings warning: FTS5 counts 6 passages of 32 terms, and there are 5 passages of 28 terms: it still weighs terms by passages that were replaced since, so lexical scores are a little off. Next: ${REPAIR}`,
      ],
    ],
    [
      "the version of FTS5's format",
      `UPDATE postings_1_config SET v = 9`,
      [
        expect.stringMatching(/^structure damaged: SQLite finds 1 fault: postings_1 cannot be read\. Next:/) as never,
        expect.stringMatching(/^postings damaged: The postings are damaged \(no such fts5 table/) as never,
      ],
    ],
    [
      'the text of a file that is in its folder',
      `UPDATE texts SET text = replace(text, 'Oil', 'Boil') WHERE file = ${fileOf('keys.md')}`,
      [`files damaged: Of 3 files the text of keys.md is damaged. Next: ${REPAIR}`],
    ],
    [
      'the metadata of a file that is in its folder',
      `UPDATE files SET metadata = '{"kind":"lag"}' WHERE key = 'logs.md'`,
      [`files damaged: Of 3 files what is kept of logs.md is damaged. Next: ${REPAIR}`],
    ],
    [
      'a tag of a file that is in its folder',
      `UPDATE file_tags SET value = 'b' WHERE file = ${fileOf('logs.md')}`,
      [`files damaged: Of 3 files what is kept of logs.md is damaged. Next: ${REPAIR}`],
    ],
    [
      'the log of changes',
      `UPDATE changes SET passage = 1000000 WHERE sequence = 1`,
      [`changes damaged: The log of changes is damaged: 1 changes are of what cannot be. Next: ${REPAIR}`],
    ],
    [
      'a counter of numbers',
      `UPDATE sqlite_sequence SET seq = 1 WHERE name = 'embeddings'`,
      [`changes damaged: The log of changes is damaged: the counter of embeddings is behind them. Next: ${REPAIR}`],
    ],
    [
      'the HNSW snapshot',
      (database) => flip(database, { table: 'snapshot_parts', column: 'bytes', where: '1', byte: 200 }),
      [
        `snapshot damaged: The HNSW snapshot is damaged (it is not as it was written): it is passed over, and the graph is made again. Next: ${REPAIR}`,
      ],
    ],
    [
      'the version of the schema',
      `PRAGMA user_version = ${MIGRATIONS.length + 2}`,
      [
        `schema damaged: The database says that its schema is version ${MIGRATIONS.length + 2}, and it is ${MIGRATIONS.length}. Next: ${REPAIR}`,
      ],
    ],
    [
      'checksums that an earlier version did not write',
      `UPDATE embeddings SET checksum = NULL; UPDATE passages SET checksum = NULL; UPDATE files SET checksum = NULL`,
      [
        `embeddings warning: 5 embeddings of 5 were written before there were checksums. Next: ${REPAIR}`,
        `files warning: 3 files were indexed before there were checksums. Next: ${REPAIR}`,
        `passages warning: 5 passages were written before there were checksums. Next: ${REPAIR}`,
      ],
    ],
  ])('%s', async (_name, damaged, found) => {
    const database = await indexed();
    damage(database, damaged);
    expect(complaints(await examined(database))).toEqual(found);
    const { repaired, ...after } = await examined(database, { repair: true });
    expect([complaints({ repaired, ...after }), repaired.length > 0]).toEqual([[], true]);
    expect(await answers(database)).toEqual(await answersBefore());
  });
});

describe('what is nowhere else', () => {
  it('a text that was given is taken out of the index, named, and well again once it is given again', async () => {
    const database = await indexed();
    damage(database, `UPDATE texts SET text = replace(text, 'say', 'lay') WHERE file = ${fileOf('given.md')}`);
    const { repaired, ...left } = await examined(database, { repair: true });
    expect(repaired).toContain('Took given.md out of the index: index it again.');
    const again = 'index or upload given.md again, or remove it with: waymark remove <key>';
    expect(complaints({ ...left, repaired })).toEqual([
      `files damaged: Of 3 files the text of given.md is damaged. Next: ${again}`,
    ]);
    const engine = await openEngine({ database, model: createHashEmbedder() });
    expect((await engine.search('what programs say')).map(({ file }) => file.key)).not.toContain('given.md');
    await engine.indexFile('given.md', '# Given\n\nThis is what programs say.\n');
    await engine.close();
    expect(complaints(await examined(database))).toEqual([]);
    expect(await answers(database)).toEqual(await answersBefore());
  });

  it('a file that is no longer in its folder is taken out of the index, and named', async () => {
    const database = await indexed();
    damage(database, `UPDATE texts SET text = 'other' WHERE file = ${fileOf('keys.md')}`);
    rmSync(path.join(path.dirname(database), 'docs', 'keys.md'));
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Took keys.md out of the index: index it again.');
    const engine = await openEngine({ database, model: createHashEmbedder() });
    expect((await engine.search('oil the locks')).map(({ file }) => file.key)).not.toContain('keys.md');
    expect(await engine.removeFile('keys.md')).toBe(true);
    await engine.close();
    expect(complaints(await examined(database))).toEqual([]);
  });
});

describe('a row that says how its file was cut', () => {
  it('is mended by the pipeline of another file of the folder', async () => {
    const database = await indexed();
    damage(
      database,
      `UPDATE files SET pipeline = replace(pipeline, '"shelf":"a"', '"shelf":"c"') WHERE key = 'keys.md'`,
    );
    const { repaired } = await examined(database, { repair: true });
    expect(repaired).toContain('Read keys.md again, from the folder.');
    expect([complaints(await examined(database)), await answers(database)]).toEqual([[], await answersBefore()]);
  });

  it('is not guessed at where there is no other: the folder is to be indexed again', async () => {
    const folder = folderOf({ 'docs/keys.md': '# Keys\n\nRotate the keys.\n' });
    const database = path.join(folder, 'waymark.db');
    const index = async () => {
      const engine = await openEngine({ database, model: createHashEmbedder() });
      await engine.indexFolder(path.join(folder, 'docs'), { tags: { shelf: 'a' } });
      await engine.close();
    };
    await index();
    damage(database, `UPDATE files SET metadata = '{"kind":"guise"}'`);
    const examination = await examined(database, { repair: true });
    expect(examination.repaired).toContain('Took keys.md out of the index: index it again.');
    expect(examination.state).toBe('damaged');
    await index();
    expect(complaints(await examined(database))).toEqual([]);
    const engine = await openEngine({ database, model: createHashEmbedder() });
    expect(await engine.search('rotate')).toMatchObject([{ file: { tags: { shelf: 'a' }, metadata: {} } }]);
    await engine.close();
  });
});

describe('several bots', () => {
  it('an embedding that two of them have is made again for both, and --bot looks at one', async () => {
    const database = await indexed();
    const first = await openEngine({ database, model: createHashEmbedder() });
    await first.createBot('other');
    await first.close();
    const other = await openEngine({ database, bot: 'other', model: createHashEmbedder() });
    await other.indexFile('twin.md', '# Given\n\nThis is what programs say.\n');
    await other.close();
    const shared = `(SELECT embedding FROM passages WHERE file = ${fileOf('twin.md')})`;
    damage(database, (raw) =>
      flip(raw, { table: 'embeddings', column: 'vector', where: `number = ${shared}`, byte: 7 }),
    );
    const one = await examined(database, { bot: 'other' });
    expect(new Set(one.findings.map(({ bot }) => bot))).toEqual(new Set([undefined, 'other']));
    expect(complaints(one)).toEqual([
      `embeddings damaged: Of 5 embeddings 1 is damaged: passage 0 of given.md, passage 0 of twin.md. Next: ${REPAIR}`,
    ]);
    const repaired = await examined(database, { bot: 'other', repair: true });
    expect([complaints(repaired), complaints(await examined(database))]).toEqual([[], []]);
    await expect(examined(database, { bot: 'nobody' })).rejects.toMatchObject({ code: 'BOT_MISSING' });
  });
});

describe('what cannot be mended is told, and left as it is', () => {
  it('a page that SQLite finds malformed', async () => {
    const database = await indexed();
    const bytes = readFileSync(database);
    bytes.fill(0xff, 4096 * 6, 4096 * 6 + 64);
    writeFileSync(database, bytes);
    const examination = await examined(database, { repair: true });
    expect(examination).toMatchObject({ state: 'damaged', repaired: [] });
    const [complaint] = complaints(examination).filter((text) => text.startsWith('structure'));
    expect(complaint).toMatch(/^structure damaged: .*malformed.* Next: index again into a new file, with --database/);
    expect(readFileSync(database).equals(bytes)).toBe(true);
  });

  it('a file that is cut off', async () => {
    const database = await indexed();
    truncateSync(database, 10_000);
    const { state, repaired } = await examined(database, { repair: true });
    expect([state, repaired]).toEqual(['damaged', []]);
  });

  it('a file that is no database, or of another application', async () => {
    const folder = folderOf({ 'text.db': 'This is no database. '.repeat(100) });
    const database = path.join(folder, 'text.db');
    const [complaint] = complaints(await examined(database)).filter((text) => text.startsWith('structure'));
    expect(complaint).toMatch(
      /is damaged or no database \(file is not a database\).* Next: index again into a new file/,
    );
  });

  it('a table that is not as the schema has it', async () => {
    const database = await indexed();
    damage(database, (raw) => {
      raw.pragma('writable_schema = ON');
      raw.exec(`UPDATE sqlite_schema SET sql = replace(sql, 'start_line', 'stars_line') WHERE name = 'passages'`);
    });
    const [complaint] = complaints(await examined(database, { repair: true }));
    const latest = MIGRATIONS.length;
    expect(complaint).toBe(
      `schema damaged: The tables are not those of version ${latest}: passages. Next: index again into a new file, with --database`,
    );
  });

  it('a database that is not there: INDEX_MISSING, and none is made', async () => {
    const folder = folderOf();
    await expect(examined(path.join(folder, 'none.db'))).rejects.toMatchObject({ code: 'INDEX_MISSING' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the model', () => {
  it('another one than the files were embedded with: both are named, nothing is compared or changed', async () => {
    const database = await indexed();
    const model = createHashEmbedder({ dimensions: 32 });
    const examination = await examined(database, { model, repair: true });
    expect([examination.state, examination.repaired]).toEqual(['damaged', []]);
    expect(complaints(examination)).toEqual([
      'model damaged: The files were embedded with hash (hash 64), and hash (hash 32) would be opened. Next: restore the files of hash, or index with hash into another bot',
      'passages warning: The passages are as they were written; they were not compared with the texts, which takes their model. Next: see what is said of the model',
      'postings warning: The postings were not compared with the texts, which takes the model of their passages. Next: see what is said of the model',
    ]);
  });

  it('one that is not there: it is named, with the reason', async () => {
    const database = await indexed();
    const model = path.join(path.dirname(database), 'docs');
    const [complaint] = complaints(await examined(database, { model }));
    expect(complaint).toMatch(
      /^model damaged: The model of bot "default", hash, cannot be opened: No model in .* Next: put the model back/,
    );
  });

  it('a scale of cosines that is not what is measured is measured again', async () => {
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
    expect(repaired).toEqual(['Measured the cosines of hash again.']);
    const again = await openEngine({ database, model });
    expect((await again.search('keys'))[0]?.score).toBe(before?.score);
    await again.close();
  });
});

it('an index in memory of another process follows a repair', async () => {
  const database = await indexed();
  const other = await openEngine({ database, model: createHashEmbedder() });
  const before = await other.search('oil the locks');
  damage(database, `UPDATE passages SET length = 1 WHERE embedding = ${EMBEDDING}`);
  await examined(database, { repair: true });
  const plain = (hits: typeof before) => hits.map(({ score, passage }) => ({ score, passage }));
  expect(plain(await other.search('oil the locks'))).toEqual(plain(before));
  await other.close();
});

it('passages that a caller set are compared as they are', async () => {
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
    `postings damaged: The postings of 1 passage are not those of their texts. Next: ${REPAIR}`,
  ]);
  expect(complaints(await examined(database, { repair: true }))).toEqual([]);
});

it('a database of an earlier version is brought up to date, and gets its checksums by a repair', async () => {
  const database = await indexed();
  damage(database, (raw) => {
    for (const table of ['embeddings', 'passages', 'files', 'contents']) {
      raw.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
    }
    for (const table of ['staged_passages', 'staged_files', 'reembeddings']) raw.exec(`DROP TABLE ${table}`);
    raw.exec(`ALTER TABLE files RENAME COLUMN pipeline TO recipe`);
    raw.pragma(`user_version = ${MIGRATIONS.length - 3}`);
  });
  const { state, findings } = await examined(database);
  expect([state, findings.find(({ check }) => check === 'schema')?.message]).toEqual([
    'warning',
    `The schema is that of version ${MIGRATIONS.length}.`,
  ]);
  const { repaired } = await examined(database, { repair: true });
  expect(repaired).toEqual(['Gave 13 rows their checksums.']);
  expect([complaints(await examined(database)), await answers(database)]).toEqual([[], await answersBefore()]);
});

it('a re-embedding that was stopped is no damage, and a repair leaves it', async () => {
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

it('what another process changes meanwhile is not taken for damage', async () => {
  const database = await indexed();
  const other = await openEngine({ database, model: createHashEmbedder() });
  const model = createHashEmbedder();
  const look = examine({ database, model });
  for (let i = 0; i < 30; i++) await other.indexFile(`${i}.md`, `# ${i}\n\nThis is another text.\n`);
  expect(complaints(await look)).toEqual([]);
  await other.close();
});
