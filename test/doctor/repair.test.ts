import { describe, expect, it } from 'vitest';
import { createHashEmbedder, type Embedder, openEngine } from 'waymark';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { MIGRATIONS } from '#src/sqlite/schema/migrations.js';
import { engineOf } from '../support/engine.js';
import { heldEmbedder } from '../support/held-embedder.js';
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
  replaceBytes,
} from './damaged-database.js';

describe('damage is found and repaired, and the answers are the same as before', () => {
  it.each<[name: string, damaged: string | ((connection: Connection) => unknown), found: string[]]>([
    [
      'a bit of an embedding',
      (connection) =>
        flip(connection, { table: 'embeddings', column: 'vector', where: `number = ${EMBEDDING}`, byte: 7 }),
      [`embeddings damaged: 1 of 5 embeddings is damaged: passage 1 of keys.md. Next: ${REPAIR}`],
    ],
    [
      'metadata that are not JSON, in a row of an earlier version without a checksum',
      `UPDATE files SET checksum = NULL, metadata = iif(key = 'keys.md', '{', metadata)`,
      [`files damaged: 1 of 3 files is damaged: keys.md (record). Next: ${REPAIR}`],
    ],
    [
      'the key that addresses are signed with',
      `UPDATE signing_key SET key = x''`,
      [`settings damaged: The key that addresses are signed with is damaged. Next: ${REPAIR}`],
    ],
    [
      'an embedding of another length',
      `UPDATE embeddings SET checksum = NULL, vector = zeroblob(256) WHERE number = ${EMBEDDING}`,
      [`embeddings damaged: 1 of 5 embeddings is damaged: passage 1 of keys.md. Next: ${REPAIR}`],
    ],
    [
      'the recorded dimensions of a model',
      `UPDATE models SET dimensions = dimensions + 1`,
      [`embeddings damaged: The recorded dimensions of hash are 65, but its embeddings have 64. Next: ${REPAIR}`],
    ],
    [
      'a missing embedding',
      `DELETE FROM embeddings WHERE number = ${EMBEDDING}`,
      [
        `structure damaged: The database is damaged: passages refers to missing rows. Next: ${REPAIR}`,
        `passages damaged: The passages of keys.md are damaged. Next: ${REPAIR}`,
      ],
    ],
    [
      'an embedding with a wrong hash that no passage uses',
      `INSERT INTO embeddings (hash, model, text) VALUES ('hash', 1, 'text')`,
      [`embeddings damaged: 1 of 6 embeddings is damaged: used by no passage. Next: ${REPAIR}`],
    ],
    [
      'an embedding whose passage is missing, too',
      `UPDATE embeddings SET vector = zeroblob(256) WHERE number = ${EMBEDDING};
       DELETE FROM passages WHERE embedding = ${EMBEDDING}`,
      [
        `embeddings damaged: 1 of 5 embeddings is damaged: used by no passage. Next: ${REPAIR}`,
        `passages damaged: The passages of keys.md are damaged. Next: ${REPAIR}`,
        `postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`,
      ],
    ],
    [
      "a passage's end",
      `UPDATE passages SET "end" = "end" + 1 WHERE embedding = ${EMBEDDING}`,
      [`passages damaged: The passages of keys.md are damaged. Next: ${REPAIR}`],
    ],
    [
      "a passage's length, which affects ranking",
      `UPDATE passages SET length = 1 WHERE embedding = ${EMBEDDING}`,
      [`passages damaged: The passages of keys.md are damaged. Next: ${REPAIR}`],
    ],
    [
      'a missing passage',
      `DELETE FROM passages WHERE file = ${fileOf('logs.md')} AND position = 0`,
      [
        `embeddings warning: 1 of 5 embeddings is used by no passage. Next: ${REPAIR}`,
        `passages damaged: The passages of logs.md are damaged. Next: ${REPAIR}`,
        `postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`,
      ],
    ],
    [
      'missing passages of a whole file',
      `DELETE FROM passages WHERE file = ${fileOf('logs.md')}`,
      [
        `embeddings warning: 2 of 5 embeddings are used by no passage. Next: ${REPAIR}`,
        `passages damaged: The passages of logs.md are damaged. Next: ${REPAIR}`,
        `postings damaged: The postings of 2 passages do not match the texts. Next: ${REPAIR}`,
      ],
    ],
    [
      'passages of a missing file',
      (connection) => {
        const columns = `id, 99, position, start, "end", start_line, end_line, breadcrumb, subtype, embedding, length`;
        connection.exec(
          `INSERT INTO passages (id, file, position, start, "end", start_line, end_line, breadcrumb, subtype, embedding,
          length)
           SELECT ${columns} FROM passages LIMIT 1`,
        );
      },
      [`structure damaged: The database is damaged: passages refers to missing rows. Next: ${REPAIR}`],
    ],
    [
      'missing postings',
      `DELETE FROM postings_1 WHERE rowid = 2`,
      [`postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`],
    ],
    [
      'postings without a passage',
      `INSERT INTO postings_1 (rowid, breadcrumb, text) VALUES (77, '', 'stray')`,
      [`postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`],
    ],
    [
      'a term of a posting',
      `INSERT OR REPLACE INTO postings_1 (rowid, breadcrumb, text) VALUES (2, 'keys locks', 'oil the lacks and the padlock')`,
      [`postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`],
    ],
    [
      "a byte of FTS5's index",
      (connection) => flip(connection, { table: 'postings_1_data', column: 'block', where: 'id > 100', byte: 9 }),
      [expect.stringMatching(/^postings damaged: The postings of \d passages do not match/) as never],
    ],
    [
      'posting totals that are too small',
      `UPDATE posting_totals SET passages = 1, terms = 2`,
      [
        `postings damaged: The recorded totals are 1 passage and 2 terms, but the postings have 5 passages and 28 terms: lexical scores are wrong. Next: ${REPAIR}`,
      ],
    ],
    [
      'posting totals that are too large',
      `UPDATE posting_totals SET terms = terms + 4`,
      [
        `postings damaged: The recorded totals are 5 passages and 32 terms, but the postings have 5 passages and 28 terms: lexical scores are wrong. Next: ${REPAIR}`,
      ],
    ],
    [
      'posting totals of a missing bot',
      `UPDATE posting_totals SET bot = 9`,
      [`structure damaged: The database is damaged: posting_totals refers to missing rows. Next: ${REPAIR}`],
    ],
    [
      "FTS5's averages record, without which it refuses every write",
      `DELETE FROM postings_1_data WHERE id = 1`,
      [`postings damaged: The postings are damaged (FTS5's averages record is missing). Next: ${REPAIR}`],
    ],
    [
      'the length of a posting',
      `UPDATE postings_1_docsize SET sz = NULL WHERE id = 2`,
      [`postings damaged: The postings of 1 passage do not match the texts. Next: ${REPAIR}`],
    ],
    [
      "the version of FTS5's format",
      `UPDATE postings_1_config SET v = 9`,
      [
        expect.stringMatching(
          /^structure damaged: The database is damaged: postings_1 cannot be read\. Next:/,
        ) as never,
        expect.stringMatching(/^postings damaged: The postings are damaged \(no such fts5 table/) as never,
      ],
    ],
    [
      'the text of a file in a folder',
      `UPDATE texts SET text = replace(text, 'Oil', 'Boil') WHERE file = ${fileOf('keys.md')}`,
      [`files damaged: 1 of 3 files is damaged: keys.md (text). Next: ${REPAIR}`],
    ],
    [
      'the metadata of a file in a folder',
      `UPDATE files SET metadata = '{"kind":"lag"}' WHERE key = 'logs.md'`,
      [`files damaged: 1 of 3 files is damaged: logs.md (record). Next: ${REPAIR}`],
    ],
    [
      'a tag of a file in a folder',
      `UPDATE file_tags SET value = 'b' WHERE file = ${fileOf('logs.md')}`,
      [`files damaged: 1 of 3 files is damaged: logs.md (record). Next: ${REPAIR}`],
    ],
    [
      'the change log',
      `UPDATE changes SET passage = 1000000 WHERE sequence = 1`,
      [`changes damaged: The change log is damaged: 1 invalid change. Next: ${REPAIR}`],
    ],
    [
      'a row counter',
      `UPDATE sqlite_sequence SET seq = 1 WHERE name = 'embeddings'`,
      [
        `changes damaged: The change log is damaged: the row counter of embeddings is 1, but row 5 exists. Next: ${REPAIR}`,
      ],
    ],
    [
      'the HNSW snapshot',
      (connection) => flip(connection, { table: 'snapshot_parts', column: 'bytes', where: '1', byte: 200 }),
      [
        `snapshot damaged: The HNSW snapshot is damaged (its checksum differs): until it is repaired, the graph is rebuilt in memory. Next: ${REPAIR}`,
      ],
    ],
    [
      'the schema version',
      `PRAGMA user_version = ${MIGRATIONS.length + 2}`,
      [
        `schema damaged: The recorded schema version is ${MIGRATIONS.length + 2}, but the tables match version ${MIGRATIONS.length}. Next: ${REPAIR}`,
      ],
    ],
    [
      'rows of an earlier version, without checksums',
      `UPDATE embeddings SET checksum = NULL; UPDATE passages SET checksum = NULL; UPDATE files SET checksum = NULL`,
      [
        `embeddings warning: 5 of 5 embeddings are without a checksum, from an earlier version. Next: ${REPAIR}`,
        `files warning: 3 of 3 files are without a checksum, from an earlier version. Next: ${REPAIR}`,
        `passages warning: 5 of 5 passages are without a checksum, from an earlier version. Next: ${REPAIR}`,
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

it('posting totals of a wrong type are recounted', async () => {
  const database = await indexed();
  // The header of the record: its length, a null, two integers; then 5 passages and 28 terms. A type of 15 is a text.
  replaceBytes(database, Buffer.from([4, 0, 1, 1, 5, 28]), Buffer.from([4, 0, 1, 15, 5, 28]));
  expect(complaints(await examined(database))).toEqual([
    `structure damaged: The database is damaged: posting_totals.terms has a value of a wrong type. Next: ${REPAIR}`,
    expect.stringMatching(/^postings damaged: The recorded totals are /),
  ]);
  const { repaired } = await examined(database, { repair: true });
  expect(repaired).toEqual(['Recounted the posting totals of bot "default".']);
  expect(await answers(database)).toEqual(await answersBefore());
});

it('recorded dimensions are corrected without embedding anything again', async () => {
  const database = await indexed();
  damage(database, `UPDATE models SET dimensions = 1`);
  const { repaired } = await examined(database, { repair: true });
  expect(repaired).toEqual(['Corrected the recorded dimensions of hash to 64.']);
});

it('posting totals are recounted without the model', async () => {
  const database = await indexed();
  damage(database, `UPDATE posting_totals SET terms = 1`);
  const { repaired } = await examined(database, { repair: true, model: createHashEmbedder({ dimensions: 32 }) });
  expect(repaired).toEqual(['Recounted the posting totals of bot "default".']);
  expect(await answers(database)).toEqual(await answersBefore());
});

it('an unreadable posting table is rebuilt even if another bot is examined', async () => {
  const database = await indexed();
  const first = await openEngine({ database, model: createHashEmbedder() });
  await first.createBot({ name: 'other' });
  await first.close();
  damage(database, `UPDATE postings_1_config SET v = 9`);
  const { repaired } = await examined(database, { bot: 'other', repair: true });
  expect(repaired).toContain('Rebuilt the postings of bot "default".');
  expect([complaints(await examined(database)), await answers(database)]).toEqual([[], await answersBefore()]);
});

it('an engine that is open during a repair finds what is indexed afterwards', async () => {
  const database = await indexed();
  const engine = await engineOf({ database });
  expect(await engine.search('wolf', { mode: 'dense' })).toHaveLength(5);
  damage(database, `UPDATE changes SET passage = 1000000 WHERE sequence = 1`);
  expect((await examined(database, { repair: true })).repaired).toEqual(['Reset the change log and the row counters.']);
  const other = await engineOf({ database });
  // The log gets as many changes as it had.
  for (const animal of ['wolf', 'yak', 'zebra', 'okapi']) await other.indexFile(`${animal}.md`, `A ${animal}.`);
  const found = (await engine.search('wolf', { mode: 'dense' })).map(({ score, passage }) => [passage.content, score]);
  expect(found).toEqual((await other.search('wolf', { mode: 'dense' })).map((hit) => [hit.passage.content, hit.score]));
  expect(found[0]?.[0]).toBe('A wolf.');
});

it('a text that the embedder rejects does not keep a repair from being reported', async () => {
  const database = await indexed();
  damage(database, (connection) =>
    flip(connection, { table: 'embeddings', column: 'vector', where: `number = ${EMBEDDING}`, byte: 7 }),
  );
  const hash = createHashEmbedder();
  const model: Embedder = {
    ...hash,
    async embedPassages(texts, options) {
      if (texts.some((text) => text.includes('padlock'))) throw new Error('no padlocks');
      return hash.embedPassages(texts, options);
    },
  };
  const { repaired } = await examined(database, { repair: true, model });
  expect(repaired.at(-1)).toBe(
    'A passage of keys.md is found by its words only: hash could not embed a text: no padlocks.',
  );
  expect(complaints(await examined(database))).toEqual([]);
});

it('a signal ends a repair even if the embedder never answers', async () => {
  const database = await indexed();
  damage(database, (connection) =>
    flip(connection, { table: 'embeddings', column: 'vector', where: `number = ${EMBEDDING}`, byte: 7 }),
  );
  const { embedder, asked } = heldEmbedder();
  const stop = new AbortController();
  const examination = examined(database, { repair: true, model: embedder, signal: stop.signal });
  const stopped = expect(examination).rejects.toMatchObject({ code: 'ABORTED' });
  await asked;
  stop.abort();
  await stopped;
});
